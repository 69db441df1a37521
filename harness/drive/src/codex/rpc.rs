//! JSON-RPC over lines.

use std::collections::VecDeque;
use std::io;

use forkproof_oracle::{Json, Reply};
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};

/// A longer line is taken for a program that has lost its way.
const LONGEST: u64 = 256 << 20;

/// Why a conversation cannot go on.
#[derive(Debug)]
pub(super) enum Broken {
    /// The other side has closed it.
    Closed,
    /// A line is not JSON, or has no end; its start.
    NotJson(String),
    /// It cannot be read or written.
    Io(io::Error),
}

/// One side of a conversation.
#[derive(Debug)]
pub(super) struct Client<R, W> {
    input: BufReader<R>,
    output: W,
    last: i64,
    notes: VecDeque<Json>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Client<R, W> {
    pub(super) fn new(input: R, output: W) -> Self {
        Client { input: BufReader::new(input), output, last: 0, notes: VecDeque::new() }
    }

    /// Calls `method` and waits for its answer; notifications that come first are kept.
    pub(super) async fn call(&mut self, method: &str, params: Json) -> Result<Reply, Broken> {
        self.last += 1;
        let id = Json::Number(self.last.to_string());
        let message =
            Json::object([("id", id), ("method", Json::string(method)), ("params", params)]);
        self.write(&message).await?;
        loop {
            let message = self.read().await?;
            let answers = message.get("id").and_then(Json::as_i64) == Some(self.last);
            if answers && message.get("method").is_none() {
                return Ok(reply(&message));
            }
            self.notes.push_back(message);
        }
    }

    /// Tells the other side something that has no answer.
    pub(super) async fn notify(&mut self, method: &str) -> Result<(), Broken> {
        self.write(&Json::object([("method", Json::string(method))])).await
    }

    /// Waits for the notification `method` of `thread`; all that came before it is dropped.
    pub(super) async fn wait_for(&mut self, method: &str, thread: &str) -> Result<Json, Broken> {
        loop {
            let message = match self.notes.pop_front() {
                Some(message) => message,
                None => self.read().await?,
            };
            let params = message.get("params");
            let of = params.and_then(|params| params.get("threadId")).and_then(Json::as_str);
            if message.get("method").and_then(Json::as_str) == Some(method) && of == Some(thread) {
                return Ok(message);
            }
        }
    }

    /// Drops the notifications that have come.
    pub(super) fn forget(&mut self) {
        self.notes.clear();
    }

    async fn write(&mut self, message: &Json) -> Result<(), Broken> {
        let line = format!("{message}\n");
        self.output.write_all(line.as_bytes()).await.map_err(broken)?;
        self.output.flush().await.map_err(broken)
    }

    async fn read(&mut self) -> Result<Json, Broken> {
        let mut line = Vec::new();
        let mut input = (&mut self.input).take(LONGEST);
        let count = input.read_until(b'\n', &mut line).await.map_err(broken)?;
        if count == 0 {
            return Err(Broken::Closed);
        }
        let text = std::str::from_utf8(&line).ok();
        text.and_then(Json::parse).ok_or_else(|| {
            let start = &line[..line.len().min(80)];
            Broken::NotJson(String::from_utf8_lossy(start).trim_end().to_owned())
        })
    }
}

fn broken(error: io::Error) -> Broken {
    match error.kind() {
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => Broken::Closed,
        _ => Broken::Io(error),
    }
}

fn reply(message: &Json) -> Reply {
    match message.get("error") {
        Some(error) => Reply::Error {
            code: error.get("code").and_then(Json::as_i64).unwrap_or_default(),
            message: error.get("message").and_then(Json::as_str).unwrap_or_default().to_owned(),
        },
        None => Reply::Result(message.get("result").cloned().unwrap_or(Json::Null)),
    }
}

#[cfg(test)]
mod tests {
    use forkproof_oracle::{Json, Reply};

    use super::{Broken, Client};

    fn hearing(text: &str) -> Client<&[u8], Vec<u8>> {
        Client::new(text.as_bytes(), Vec::new())
    }

    #[tokio::test]
    async fn an_answer_is_found_among_notifications() {
        let mut client = hearing(concat!(
            r#"{"method":"done","params":{"threadId":"a"}}"#,
            "\n",
            r#"{"id":1,"method":"ask"}"#,
            "\n",
            r#"{"id":1,"result":{"n":1.0}}"#,
            "\n",
            r#"{"method":"done","params":{"threadId":"b","n":2}}"#,
            "\n",
        ));
        let reply = client.call("m", Json::Null).await.expect("answered");
        assert_eq!(reply, Reply::Result(Json::parse(r#"{"n":1.0}"#).expect("json")));
        let note = client.wait_for("done", "b").await.expect("notified");
        assert_eq!(note.get("params").and_then(|p| p.get("n")).and_then(Json::as_i64), Some(2));
        assert!(client.notes.is_empty());
        assert_eq!(client.output, b"{\"id\":1,\"method\":\"m\",\"params\":null}\n");
    }

    #[tokio::test]
    async fn an_error_is_an_answer() {
        let mut client = hearing(r#"{"id":1,"error":{"code":-32600,"message":"no"}}"#);
        let reply = client.call("m", Json::Null).await.expect("answered");
        assert_eq!(reply, Reply::Error { code: -32600, message: "no".to_owned() });
    }

    #[tokio::test]
    async fn an_end_and_a_broken_line_are_told_apart() {
        let closed = hearing("").call("m", Json::Null).await;
        assert!(matches!(closed, Err(Broken::Closed)));
        let broken = hearing("hello\n").call("m", Json::Null).await;
        assert!(matches!(broken, Err(Broken::NotJson(line)) if line == "hello"));
    }
}
