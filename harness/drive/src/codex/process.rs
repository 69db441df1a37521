//! One process of the program.

use std::cell::RefCell;
use std::fs;
use std::pin::pin;
use std::process::Stdio;
use std::rc::Rc;
use std::time::Duration;

use forkproof_oracle::{Json, Reply};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout};

use super::config::config;
use super::rpc::{Broken, Client};
use crate::fault::{Deadline, Fault};
use crate::tail::Tail;
use crate::worker::Call;

/// Time in which an ended program's output has been read.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A running program that has been greeted.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    client: Client<ChildStdout, ChildStdin>,
    errors: Rc<RefCell<Tail>>,
}

impl Process {
    /// Starts one.
    pub(crate) async fn start(call: &Call<'_>) -> Result<Process, Fault> {
        fs::write(call.place.root().join("config.toml"), config(call.model.port()))
            .map_err(|error| Fault::ours("write config.toml", error))?;
        let mut child = call
            .launch
            .command(call.place)
            .arg("app-server")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Fault::ours("start the program", error))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(Fault::Harness("the program has no pipes".to_owned()));
        };
        let client = Client::new(output, input);
        let mut process = Process { child, client, errors: keep(errors) };
        process.greet(call.deadline).await?;
        Ok(process)
    }

    /// Calls `method`; an error that comes back is an answer too.
    pub(crate) async fn call(
        &mut self,
        method: &str,
        params: Json,
        deadline: Deadline,
    ) -> Result<Reply, Fault> {
        let answer = alive(&mut self.child, self.client.call(method, params));
        let answer = deadline.limit(method, answer).await?;
        match answer {
            Ok(reply) => Ok(reply),
            Err(broken) => Err(self.fault(broken, method).await),
        }
    }

    /// Waits for the notification `method` of `thread`.
    pub(crate) async fn wait_for(
        &mut self,
        method: &str,
        thread: &str,
        deadline: Deadline,
    ) -> Result<Json, Fault> {
        let note = alive(&mut self.child, self.client.wait_for(method, thread));
        let note = deadline.limit(method, note).await?;
        match note {
            Ok(note) => Ok(note),
            Err(broken) => Err(self.fault(broken, method).await),
        }
    }

    /// Drops the notifications that have come.
    pub(crate) fn forget(&mut self) {
        self.client.forget();
    }

    /// Ends it as a client would: files are complete and locks free afterwards.
    pub(crate) async fn close(self) {
        let Process { mut child, client, .. } = self;
        drop(client);
        if tokio::time::timeout(Duration::from_secs(5), child.wait()).await.is_err() {
            let _ = child.kill().await;
        }
    }

    /// Ends it at once.
    pub(crate) async fn kill(mut self) {
        // Fails only if it is gone already.
        let _ = self.child.kill().await;
    }

    async fn greet(&mut self, deadline: Deadline) -> Result<(), Fault> {
        let name = || Json::string("forkproof");
        let client = Json::object([
            ("name", name()),
            ("title", name()),
            ("version", Json::string(env!("CARGO_PKG_VERSION"))),
        ]);
        let capabilities = Json::object([("experimentalApi", Json::Bool(true))]);
        let params = Json::object([("clientInfo", client), ("capabilities", capabilities)]);
        if let Reply::Error { message, .. } = self.call("initialize", params, deadline).await? {
            return Err(Fault::Target(format!("initialize was refused: {message}")));
        }
        match self.client.notify("initialized").await {
            Ok(()) => Ok(()),
            Err(broken) => Err(self.fault(broken, "initialize").await),
        }
    }

    async fn fault(&mut self, broken: Broken, what: &str) -> Fault {
        match broken {
            Broken::NotJson(line) => {
                Fault::Target(format!("a line that is not json while waiting for {what}: `{line}`"))
            }
            Broken::Io(error) => Fault::ours("speak to the program", error),
            Broken::Closed => {
                let end = tokio::time::timeout(Duration::from_secs(1), self.child.wait()).await;
                let how = match end {
                    Ok(Ok(status)) => format!("ended ({status})"),
                    _ => "closed its output".to_owned(),
                };
                // Its last words may still be in the pipe.
                tokio::time::sleep(Duration::from_millis(20)).await;
                let note = self.errors.borrow().note();
                Fault::Target(format!("the program {how} while waiting for {what}{note}"))
            }
        }
    }
}

/// What `talk` gives as long as `child` lives. Something that the program has started can hold its
/// output open; what it wrote itself is there soon after its end.
async fn alive<T>(
    child: &mut Child,
    talk: impl Future<Output = Result<T, Broken>>,
) -> Result<T, Broken> {
    let mut talk = pin!(talk);
    tokio::select! {
        biased;
        result = &mut talk => return result,
        _ = child.wait() => {}
    }
    tokio::time::timeout(LAST_WORDS, talk).await.unwrap_or(Err(Broken::Closed))
}

/// Keeps the end of what comes, for messages.
fn keep(mut input: impl AsyncRead + Unpin + 'static) -> Rc<RefCell<Tail>> {
    let tail = Rc::new(RefCell::new(Tail::default()));
    let kept = Rc::clone(&tail);
    tokio::task::spawn_local(async move {
        let mut buffer = [0; 1024];
        while let Ok(count @ 1..) = input.read(&mut buffer).await {
            kept.borrow_mut().push(&buffer[..count]);
        }
    });
    tail
}
