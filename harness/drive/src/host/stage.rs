//! The process of a worker: started, heard, and surely ended.

use std::io::{BufReader, Read};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use forkproof_oracle::Family;
use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

use super::folder::Folder;
use crate::launch::is_script;
use crate::protocol::{Report, Setup, receive, send};
use crate::sandbox::{EXECUTABLE, Plan};
use crate::tail::Tail;
use crate::{Executable, Options, StartError};

/// Time that a worker gets to stop by itself.
const GRACE: Duration = Duration::from_secs(5);

/// What is heard of a worker.
#[derive(Debug)]
pub(super) enum Event {
    Report(Report),
    /// Its end and how that came; nothing follows.
    Ended(String),
}

/// A running worker. Dropping it ends it, with all that it has started, and removes its folder.
#[derive(Debug)]
pub(super) struct Stage {
    input: Option<ChildStdin>,
    events: Receiver<Event>,
    group: Arc<Group>,
    keeper: Option<JoinHandle<()>>,
    // Last: the folder goes when nobody writes to it any more.
    _folder: Folder,
}

impl Stage {
    /// Starts a worker for `program` and hands it its setup.
    pub(super) fn start(program: &Executable, options: &Options) -> Result<Stage, StartError> {
        let family = program.family;
        let missing = |_| StartError::Missing { family, path: program.path.clone() };
        let path = program.path.canonicalize().map_err(missing)?;
        if !path.is_file() {
            let what = "it is not a file".to_owned();
            return Err(StartError::Other { family, path, what });
        }
        let node = on_path("node");
        if node.is_none() && is_script(&path) {
            return Err(StartError::NoNode(path));
        }
        let folder = Folder::create().map_err(|error| {
            ours(&format!("make a folder in {}", std::env::temp_dir().display()), error)
        })?;
        let setup = Setup {
            program: Executable { family, path },
            node,
            root: folder.path().to_owned(),
            jobs: options.jobs.max(1),
            namespace: options.namespace,
            deadline: options.deadline,
            recycle_after: match family {
                // A process an operation: what another case has left could only disturb.
                Family::Claude => 1,
                Family::Codex => options.recycle_after.max(1),
            },
            teach: options.teach,
        };
        let (sender, events) = channel();
        let (group, mut input, keeper) = keep(plan(&setup), sender)?;
        // If it cannot be written the worker has ended, and says why.
        let _ = send(&mut input, &setup);
        Ok(Stage { input: Some(input), events, group, keeper: Some(keeper), _folder: folder })
    }

    /// The pipe to it.
    pub(super) fn input(&mut self) -> Option<&mut ChildStdin> {
        self.input.as_mut()
    }

    /// What comes next.
    pub(super) fn next(&self) -> Event {
        self.events.recv().unwrap_or_else(|_| Event::Ended("it has ended before".to_owned()))
    }

    /// What comes next, if it comes in `time`.
    pub(super) fn next_within(&self, time: Duration) -> Option<Event> {
        match self.events.recv_timeout(time) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(self.next()),
        }
    }

    /// Ends it: first it is asked to, then it is made to. The reports that still came.
    pub(super) fn stop(&mut self) -> Vec<Report> {
        self.input = None;
        let mut reports = Vec::new();
        let Some(keeper) = self.keeper.take() else { return reports };
        let end = Instant::now() + GRACE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.next_within(left) {
                Some(Event::Report(report)) => reports.push(report),
                Some(Event::Ended(_)) => break,
                None => {
                    self.group.kill();
                    break;
                }
            }
        }
        // It ends with the worker, which is gone or was killed; it does not panic.
        let _ = keeper.join();
        reports
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The processes of a worker, as long as the first of them has not been waited for: until then
/// its id belongs to nobody else.
#[derive(Debug)]
struct Group {
    leader: Mutex<Option<Child>>,
    id: Pid,
}

impl Group {
    fn kill(&self) {
        let leader = self.leader.lock().unwrap_or_else(PoisonError::into_inner);
        if leader.is_some() {
            // It may be empty already.
            let _ = killpg(self.id, Signal::SIGKILL);
        }
    }

    /// Kills what is left once the leader has ended, and takes its status.
    fn bury(&self) -> Option<ExitStatus> {
        while waitid(Id::Pid(self.id), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT)
            == Err(Errno::EINTR)
        {}
        self.kill();
        let mut leader = self.leader.lock().unwrap_or_else(PoisonError::into_inner);
        leader.take()?.wait().ok()
    }
}

type Kept = (Arc<Group>, ChildStdin, JoinHandle<()>);

/// Starts the process on a thread of its own that stays until it has ended: the kernel takes the
/// end of the thread that started it for the end of its parent.
fn keep(plan: Plan, sender: Sender<Event>) -> Result<Kept, StartError> {
    let (started, start) = channel();
    let keeper = thread::spawn(move || {
        let spawned = Command::new(EXECUTABLE)
            .args(plan.arguments())
            .env_clear()
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = match spawned {
            Ok(child) => child,
            Err(error) => {
                let _ = started.send(Err(ours("start the worker", error)));
                return;
            }
        };
        let id = Pid::from_raw(child.id().cast_signed());
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else { return };
        let group = Arc::new(Group { leader: Mutex::new(Some(child)), id });
        let _ = started.send(Ok((Arc::clone(&group), input)));
        let heard = sender.clone();
        let reader = thread::spawn(move || hear(output, &heard));
        let complaints = thread::spawn(move || collect(errors));
        let status = group.bury();
        let broken = reader.join().ok().flatten();
        let tail = complaints.join().unwrap_or_default();
        let _ = sender.send(Event::Ended(obituary(status, broken, &tail)));
    });
    let gone = || StartError::Harness("cannot start the worker: its pipes are missing".to_owned());
    let (group, input) = start.recv().map_err(|_| gone())??;
    Ok((group, input, keeper))
}

/// Passes reports on until the end; what was wrong if something was.
fn hear(output: impl Read, sender: &Sender<Event>) -> Option<String> {
    let mut output = BufReader::new(output);
    loop {
        match receive(&mut output) {
            Ok(Some(report)) => {
                // Nobody listens any more when the worker is being stopped.
                let _ = sender.send(Event::Report(report));
            }
            Ok(None) => return None,
            Err(error) => return Some(format!("a report cannot be read: {error}")),
        }
    }
}

fn collect(mut errors: impl Read) -> Tail {
    let mut tail = Tail::default();
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = errors.read(&mut buffer) {
        tail.push(&buffer[..count]);
    }
    tail
}

fn obituary(status: Option<ExitStatus>, broken: Option<String>, tail: &Tail) -> String {
    let how = match status {
        Some(status) => match status.signal() {
            Some(signal) => format!("signal {signal}"),
            None => status.to_string(),
        },
        None => "no status".to_owned(),
    };
    let broken = broken.map(|text| format!("; {text}")).unwrap_or_default();
    format!("the worker ended ({how}){broken}{}", tail.note())
}

/// The executable that a shell would run.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&folders).map(|folder| folder.join(name));
    found.into_iter().find(|path| path.is_file())
}

fn plan(setup: &Setup) -> Plan {
    let mut protected = vec!["/".into()];
    protected.extend(std::env::home_dir());
    protected.extend(std::env::current_dir().ok());
    Plan {
        parent: std::process::id(),
        namespace: setup.namespace,
        root: setup.root.clone(),
        protected,
    }
}

fn ours(what: &str, error: impl std::fmt::Display) -> StartError {
    StartError::Harness(format!("cannot {what}: {error}"))
}
