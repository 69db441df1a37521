//! The model server: the only file that knows HTTP.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{head, post};
use forkproof_oracle::{ANSWER, Json};
use futures_util::stream;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::{Block, Step, Stream};

/// A model server on loopback, for the Responses API and the Messages API; it stops when this is dropped.
#[derive(Debug)]
pub struct Model {
    port: u16,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

impl Model {
    /// Starts one on a free port, within the current runtime.
    ///
    /// # Errors
    ///
    /// No port can be bound.
    pub async fn start() -> io::Result<Model> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared::default());
        let router = Router::new()
            .route("/v1/responses", post(respond))
            .route("/v1/messages", post(respond_message))
            .route("/", head(absent))
            .fallback(stray)
            .layer(DefaultBodyLimit::disable())
            .with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move {
            // Ends only with the task itself.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Model { port, shared, task })
    }

    /// The port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Counts answers, whose ids follow from it, from one again.
    pub fn begin(&self) {
        *lock(&self.shared.answers) = 0;
    }

    /// Records the first request of `thread` from now on, answered by `script` instead of
    /// [`ANSWER`]. In the Messages API, which names no thread, it is a text of the system prompt.
    /// What was armed before is forgotten, so nothing piles up.
    pub fn arm(&self, thread: &str, script: Option<Stream>) {
        let mut threads = lock(&self.shared.threads);
        threads.clear();
        threads.insert(thread.to_owned(), Thread { script, first: None });
    }

    /// Whether there was a request of `thread` since [`Model::arm`].
    pub fn asked(&self, thread: &str) -> bool {
        lock(&self.shared.threads).get(thread).is_some_and(|thread| thread.first.is_some())
    }

    /// Lets answers go on that hold, see [`Step::Hold`].
    pub fn release(&self) {
        self.shared.released.send_replace(true);
    }

    /// The body of the first request of `thread` since [`Model::arm`]; disarms it.
    pub fn take(&self, thread: &str) -> Option<Json> {
        lock(&self.shared.threads).remove(thread)?.first
    }

    /// Requests so far that no model would get.
    pub fn strays(&self) -> u64 {
        *lock(&self.shared.strays)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[derive(Debug, Default)]
struct Shared {
    threads: Mutex<HashMap<String, Thread>>,
    strays: Mutex<u64>,
    answers: Mutex<u64>,
    released: watch::Sender<bool>,
}

#[derive(Debug)]
struct Thread {
    script: Option<Stream>,
    first: Option<Json>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn stray(State(shared): State<Arc<Shared>>) -> StatusCode {
    *lock(&shared.strays) += 1;
    StatusCode::NOT_FOUND
}

/// Some programs look whether there is a server at all.
async fn absent() -> StatusCode {
    StatusCode::NOT_FOUND
}

async fn respond(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    send(&shared, script(&shared, &headers, &body))
}

async fn respond_message(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    send(&shared, message_script(&shared, &body))
}

/// Plays a script; without one the request was none.
fn send(shared: &Arc<Shared>, script: Option<Stream>) -> Response {
    let Some(script) = script else {
        *lock(&shared.strays) += 1;
        return StatusCode::BAD_REQUEST.into_response();
    };
    let body = match script.text() {
        Some(text) => Body::from(text),
        None => {
            let released = shared.released.subscribe();
            Body::from_stream(stream::unfold((script.0.into_iter(), released), play))
        }
    };
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}

/// Records the request if its thread is armed; the script to answer it with, `None` if the body
/// is not JSON.
fn script(shared: &Shared, headers: &HeaderMap, body: &[u8]) -> Option<Stream> {
    let text = std::str::from_utf8(body).ok()?;
    let named = headers.get("thread-id").and_then(|value| value.to_str().ok());
    let mut threads = lock(&shared.threads);
    // A large body is taken apart only where someone asks for it.
    if named.is_some_and(|name| !threads.contains_key(name)) {
        return Some(Stream::answer(ANSWER));
    }
    let json = Json::parse(text)?;
    let name = named.or_else(|| json.get("prompt_cache_key").and_then(Json::as_str));
    let thread = name.and_then(|name| threads.get_mut(name));
    let script = thread.and_then(|thread| thread.record(json));
    Some(script.unwrap_or_else(|| Stream::answer(ANSWER)))
}

/// The same for the Messages API.
fn message_script(shared: &Shared, body: &[u8]) -> Option<Stream> {
    let text = std::str::from_utf8(body).ok()?;
    let number = {
        let mut answers = lock(&shared.answers);
        *answers += 1;
        *answers
    };
    let answer = || Stream::message(&format!("msg_new{number}"), &[Block::Text(ANSWER.to_owned())]);
    let mut threads = lock(&shared.threads);
    // A large body is taken apart only where someone asks for it.
    if threads.is_empty() {
        return Some(answer());
    }
    let json = Json::parse(text)?;
    let system = json.get("system").map(Json::to_string).unwrap_or_default();
    let thread = threads.iter_mut().find(|(name, _)| system.contains(name.as_str()));
    let script = thread.and_then(|(_, thread)| thread.record(json));
    Some(script.unwrap_or_else(answer))
}

impl Thread {
    /// Keeps its first request; the script for it.
    fn record(&mut self, request: Json) -> Option<Stream> {
        if self.first.is_some() {
            return None;
        }
        self.first = Some(request);
        self.script.take()
    }
}

async fn play((mut steps, mut released): Play) -> Option<(io::Result<String>, Play)> {
    loop {
        match steps.next()? {
            Step::Pause(time) => tokio::time::sleep(time).await,
            // The server is gone if it cannot be waited for.
            Step::Hold => drop(released.wait_for(|released| *released).await.ok()?),
            Step::Hang => std::future::pending().await,
            step => {
                let text = step.text().unwrap_or_default();
                return Some((Ok(text), (steps, released)));
            }
        }
    }
}

type Play = (std::vec::IntoIter<Step>, watch::Receiver<bool>);

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;

    use super::{Model, Step, Stream};

    async fn post(model: &Model, path: &str, thread: &str, body: &str) -> String {
        let mut socket = TcpStream::connect(("127.0.0.1", model.port())).await.expect("connects");
        let length = body.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: h\r\nconnection: close\r\n{thread}\
             content-length: {length}\r\n\r\n{body}"
        );
        socket.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        // A hanging answer is looked at once nothing has come for a while.
        let pause = Duration::from_secs(1);
        while let Ok(Ok(1..)) = tokio::time::timeout(pause, socket.read_buf(&mut answer)).await {}
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[tokio::test]
    async fn the_first_body_of_an_armed_thread_is_kept() {
        let model = Model::start().await.expect("starts");
        model.arm("t", None);
        let path = "/v1/responses";
        post(&model, path, "thread-id: other\r\n", r#"{"n":0}"#).await;
        let answer = post(&model, path, "thread-id: t\r\n", r#"{"n":1e400}"#).await;
        assert!(answer.contains("response.completed"), "{answer}");
        post(&model, path, "", r#"{"n":2,"prompt_cache_key":"t"}"#).await;
        assert_eq!(model.take("t").expect("recorded").to_string(), r#"{"n":1e400}"#);
        assert_eq!(model.take("t"), None);
        model.arm("t", None);
        let body = r#"{"n":3,"prompt_cache_key":"t"}"#;
        post(&model, path, "", body).await;
        assert_eq!(model.take("t").expect("recorded").to_string(), body);
        assert_eq!(model.strays(), 0);
    }

    #[tokio::test]
    async fn a_message_is_told_by_its_system_prompt_and_has_an_id_of_its_own() {
        let model = Model::start().await.expect("starts");
        let path = "/v1/messages?beta=true";
        let first = post(&model, path, "", r#"{"system":"MARK"}"#).await;
        assert!(first.contains(r#""id":"msg_new1""#) && first.contains("ANSWER"), "{first}");
        model.begin();
        model.arm("MARK", None);
        post(&model, path, "", r#"{"system":"title","messages":["MARK"]}"#).await;
        let body = r#"{"system":[{"text":"x"},{"text":"MARK"}]}"#;
        let second = post(&model, path, "", body).await;
        assert!(second.contains(r#""id":"msg_new2""#), "{second}");
        assert_eq!(model.take("MARK").expect("recorded").to_string(), body);
        assert_eq!(model.strays(), 0);
        model.arm("MARK", None);
        assert!(post(&model, path, "", "{").await.starts_with("HTTP/1.1 400"));
        assert!(post(&model, "/v1/messages/count_tokens", "", "{}").await.contains(" 404 "));
        assert_eq!(model.strays(), 2);
    }

    #[tokio::test]
    async fn other_paths_and_broken_bodies_are_counted() {
        let model = Model::start().await.expect("starts");
        assert!(post(&model, "/v1/models", "", "").await.starts_with("HTTP/1.1 404"));
        assert!(post(&model, "/v1/responses", "", "{").await.starts_with("HTTP/1.1 400"));
        assert_eq!(model.strays(), 2);
    }

    #[tokio::test]
    async fn an_answer_holds_until_it_is_released() {
        let model = Model::start().await.expect("starts");
        let Stream(mut steps) = Stream::answer("held");
        steps.insert(1, Step::Hold);
        for complete in [false, true] {
            model.arm("t", Some(Stream(steps.clone())));
            let answer = post(&model, "/v1/responses", "thread-id: t\r\n", "{}").await;
            assert!(answer.contains("created"), "{answer}");
            assert_eq!(answer.contains("completed"), complete, "{answer}");
            model.release();
        }
    }

    #[tokio::test]
    async fn a_script_is_played_once() {
        let model = Model::start().await.expect("starts");
        let Stream(mut steps) = Stream::answer("scripted");
        steps.insert(1, Step::Pause(Duration::from_millis(10)));
        model.arm("t", Some(Stream(steps)));
        let path = "/v1/responses";
        let answer = post(&model, path, "thread-id: t\r\n", "{}").await;
        assert!(answer.contains("scripted") && answer.contains("completed"), "{answer}");
        assert!(post(&model, path, "thread-id: t\r\n", "{}").await.contains("ANSWER"));
    }
}
