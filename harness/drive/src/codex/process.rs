//! One process of the program.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::Stdio;
use std::rc::Rc;
use std::time::Duration;

use forkproof_oracle::{Json, Reply};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::Tail;
use super::config::config;
use super::rpc::{Broken, Client};
use crate::fault::{Deadline, Fault};

/// Time in which an ended program's output has been read.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// What to start, and how.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// The program.
    pub(crate) binary: PathBuf,
    /// Whether nothing but loopback can be reached anyway.
    pub(crate) namespace: bool,
}

impl Launch {
    /// A command with nothing of our own environment.
    pub(crate) fn command(&self, place: &Place) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .env_clear()
            .env("HOME", place.home())
            .env("CODEX_HOME", place.codex())
            .env("TMPDIR", place.temp())
            .env("PATH", "/usr/bin:/bin")
            .env("MOCK_API_KEY", "made-up")
            .current_dir(&place.0)
            .kill_on_drop(true);
        if !self.namespace {
            // Nobody listens on the discard port: what does not go to loopback fails at once.
            for name in ["http_proxy", "https_proxy", "all_proxy"] {
                command.env(name, "http://127.0.0.1:9");
                command.env(name.to_uppercase(), "http://127.0.0.1:9");
            }
            command.env("no_proxy", "127.0.0.1,localhost");
            command.env("NO_PROXY", "127.0.0.1,localhost");
        }
        command
    }
}

/// The folder of one process and its homes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place(pub(crate) PathBuf);

impl Place {
    /// Makes the folders in it.
    pub(crate) fn create(path: &Path) -> io::Result<Place> {
        let place = Place(path.to_owned());
        for folder in [place.codex(), place.home(), place.temp()] {
            fs::create_dir_all(folder)?;
        }
        Ok(place)
    }

    /// `CODEX_HOME`.
    pub(crate) fn codex(&self) -> PathBuf {
        self.0.join("codex")
    }

    fn home(&self) -> PathBuf {
        self.0.join("home")
    }

    fn temp(&self) -> PathBuf {
        self.0.join("tmp")
    }
}

/// A running program that has been greeted.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    client: Client<ChildStdout, ChildStdin>,
    errors: Rc<RefCell<Tail>>,
}

impl Process {
    /// Starts one for a model server on `port`.
    pub(crate) async fn start(
        launch: &Launch,
        place: &Place,
        port: u16,
        deadline: Deadline,
    ) -> Result<Process, Fault> {
        fs::write(place.codex().join("config.toml"), config(port))
            .map_err(|error| Fault::ours("write config.toml", error))?;
        let mut child = launch
            .command(place)
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
        process.greet(deadline).await?;
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
