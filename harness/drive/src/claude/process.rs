//! One process of the program, with all that it starts.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use forkproof_oracle::Json;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, BufReader,
};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

use crate::fault::{Deadline, Fault};
use crate::sandbox::end_all_of;
use crate::worker::Call;

/// Time in which an ended program's output has been read.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A running program. Dropping it kills it; [`Process::end`] ends what it has started too.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: Output,
    errors: JoinHandle<Vec<u8>>,
    folder: PathBuf,
}

/// What comes out of a program.
#[derive(Debug)]
enum Output {
    /// All of it, once it has ended.
    Collected(JoinHandle<Vec<u8>>),
    /// Lines, as it says them.
    Heard(BufReader<ChildStdout>),
}

/// A program that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) output: Vec<u8>,
    pub(super) errors: Vec<u8>,
}

impl Process {
    /// Starts one without input, in a process group of its own.
    pub(super) fn start(call: &Call<'_>, arguments: &[String]) -> Result<Process, Fault> {
        Process::spawn(call, arguments, Stdio::null())
    }

    /// Starts one that is spoken to.
    pub(super) fn start_with_input(
        call: &Call<'_>,
        arguments: &[String],
    ) -> Result<Process, Fault> {
        Process::spawn(call, arguments, Stdio::piped())
    }

    fn spawn(call: &Call<'_>, arguments: &[String], input: Stdio) -> Result<Process, Fault> {
        settle(call).map_err(|error| Fault::ours("write .claude.json", error))?;
        let mut child = call
            .launch
            .command(call.place)
            .env("ANTHROPIC_BASE_URL", format!("http://127.0.0.1:{}", call.model.port()))
            .args(arguments)
            .process_group(0)
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Fault::ours("start the program", error))?;
        let (Some(output), Some(errors)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(Fault::Harness("the program has no pipes".to_owned()));
        };
        let input = child.stdin.take();
        let output = match input {
            Some(_) => Output::Heard(BufReader::new(output)),
            None => Output::Collected(collect(output)),
        };
        let errors = collect(errors);
        Ok(Process { child, input, output, errors, folder: call.place.folder.clone() })
    }

    /// Says a line to it.
    pub(super) async fn say(&mut self, line: &str) -> Result<(), Fault> {
        let Some(input) = &mut self.input else { return Ok(()) };
        let said = input.write_all(format!("{line}\n").as_bytes()).await;
        said.map_err(|error| Fault::ours("speak to the program", error))
    }

    /// Waits until it says an object of type `kind`.
    pub(super) async fn listen_for(&mut self, kind: &str, deadline: Deadline) -> Result<(), Fault> {
        let Output::Heard(output) = &mut self.output else { return Ok(()) };
        let heard = async {
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).await.is_ok_and(|count| count > 0) {
                let json = std::str::from_utf8(&line).ok().and_then(Json::parse);
                let said = json.as_ref().and_then(|json| json.get("type")).and_then(Json::as_str);
                if said == Some(kind) {
                    return;
                }
                line.clear();
            }
        };
        deadline.limit(kind, heard).await
    }

    /// Ends its input.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Sends a signal to it alone.
    pub(super) fn signal(&self, signal: Signal) -> Result<(), Fault> {
        let id = self.child.id().ok_or_else(|| Fault::Target("it has ended early".to_owned()))?;
        kill(Pid::from_raw(id.cast_signed()), signal)
            .map_err(|error| Fault::ours("send a signal", error))
    }

    /// Waits for its end, and ends it when the time is over. Nothing that it has started is left.
    pub(super) async fn end(mut self, deadline: Deadline) -> Result<Ended, Fault> {
        let status = self.wait(deadline).await;
        self.end_descendants().await;
        let output = match self.output {
            Output::Collected(output) => read(output).await,
            Output::Heard(_) => Vec::new(),
        };
        Ok(Ended { status: status?, output, errors: read(self.errors).await })
    }

    /// Waits for its end as [`Process::end`] does, and leaves alone what others have started in
    /// the same home.
    pub(super) async fn end_alone(mut self, deadline: Deadline) -> Result<ExitStatus, Fault> {
        self.wait(deadline).await
    }

    async fn wait(&mut self, deadline: Deadline) -> Result<ExitStatus, Fault> {
        let waited = deadline.limit("the end of the program", self.child.wait()).await;
        if waited.is_err() {
            self.kill_group();
            // Fails only if it is gone already.
            let _ = self.child.kill().await;
        }
        waited?.map_err(|error| Fault::ours("wait for the program", error))
    }

    /// Kills its process group, which is its own as long as it has not been waited for.
    fn kill_group(&self) {
        if let Some(id) = self.child.id() {
            // It may be empty already.
            let _ = killpg(Pid::from_raw(id.cast_signed()), Signal::SIGKILL);
        }
    }

    async fn end_descendants(&self) {
        for _ in 0..200 {
            if end_all_of(&self.folder) == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// Settings of somebody who has used the program before.
fn settle(call: &Call<'_>) -> io::Result<()> {
    let list = |texts: &[&str]| Json::Array(texts.iter().map(|text| Json::string(*text)).collect());
    let answers = Json::object([("approved", list(&["made-up"])), ("rejected", list(&[]))]);
    let settings = Json::object([
        ("hasCompletedOnboarding", Json::Bool(true)),
        ("bypassPermissionsModeAccepted", Json::Bool(true)),
        ("customApiKeyResponses", answers),
    ]);
    match fs::File::create_new(call.place.root().join(".claude.json")) {
        Ok(mut file) => file.write_all(settings.to_string().as_bytes()),
        // An earlier process of this home had them, and may have changed them.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

fn collect(mut input: impl AsyncRead + Unpin + 'static) -> JoinHandle<Vec<u8>> {
    tokio::task::spawn_local(async move {
        let mut bytes = Vec::new();
        // What cannot be read was not said.
        let _ = input.read_to_end(&mut bytes).await;
        bytes
    })
}

/// What was collected. Something that could not be found can hold the pipe open.
async fn read(task: JoinHandle<Vec<u8>>) -> Vec<u8> {
    tokio::time::timeout(LAST_WORDS, task).await.ok().and_then(Result::ok).unwrap_or_default()
}
