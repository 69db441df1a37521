//! Runs the tool where whatever it leaves behind is found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The processor is the bottleneck of real runs: one at a time.
static TURN: Mutex<()> = Mutex::new(());

/// Longer than any run here may take.
const PATIENCE: Duration = Duration::from_secs(240);

/// A call of the tool that has not begun.
pub(crate) struct Tool {
    command: Command,
    place: Place,
}

/// A folder for one call: nothing else has its path, so what names it is a leftover of the call.
pub(crate) struct Place {
    folder: TempDir,
    _turn: Option<MutexGuard<'static, ()>>,
}

/// A call that goes on.
pub(crate) struct Running {
    pub(crate) child: Child,
    place: Place,
}

/// A call that has ended.
pub(crate) struct Ended {
    /// None after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) pid: u32,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) place: Place,
}

/// The tool with arguments that hold no space, in the project.
pub(crate) fn tool(arguments: &str) -> Tool {
    through(Command::new(program()), arguments)
}

/// The same, started by another command.
pub(crate) fn through(mut command: Command, arguments: &str) -> Tool {
    let folder = TempDir::with_prefix("cli-").expect("a folder");
    let place = Place { folder, _turn: None };
    fs::create_dir(place.temp()).expect("a folder for temporary files");
    command
        .args(arguments.split_whitespace())
        .current_dir(project())
        .env("TMPDIR", place.temp())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Tool { command, place }
}

pub(crate) fn program() -> &'static Path {
    assert_cmd::cargo::cargo_bin!("forkproof-xtask")
}

pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace above")
}

impl Tool {
    pub(crate) fn arg(mut self, argument: impl AsRef<std::ffi::OsStr>) -> Tool {
        self.command.arg(argument);
        self
    }

    pub(crate) fn within(mut self, folder: &Path) -> Tool {
        self.command.current_dir(folder);
        self
    }

    /// With a run file that [`Place::events`] reads.
    pub(crate) fn kept(self) -> Tool {
        let folder = self.place.run();
        self.arg("--out").arg(folder)
    }

    /// Waits for its turn among real runs.
    pub(crate) fn real(mut self) -> Tool {
        self.place._turn = Some(TURN.lock().unwrap_or_else(PoisonError::into_inner));
        self
    }

    pub(crate) fn start(mut self) -> Running {
        let child = self.command.spawn().expect("the tool starts");
        Running { child, place: self.place }
    }

    /// Runs it to its end; it must leave nothing.
    pub(crate) fn run(self) -> Ended {
        let ended = self.start().end();
        ended.leaves_nothing();
        ended
    }
}

impl Running {
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    pub(crate) fn end(self) -> Ended {
        let Running { child, place } = self;
        let pid = child.id();
        let output = child.wait_with_output().expect("the tool ends");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        let (out, err) = (text(output.stdout), text(output.stderr));
        Ended { code: output.status.code(), pid, out, err, place }
    }
}

impl Place {
    pub(crate) fn temp(&self) -> PathBuf {
        self.folder.path().join("temp")
    }

    pub(crate) fn run(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    /// The complete lines of the run file.
    pub(crate) fn events(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.run().join("run.jsonl")).unwrap_or_default();
        let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        lines.map(|line| serde_json::from_str(line).expect("a line of a run file")).collect()
    }

    /// Names of what lies in the folder for temporary files.
    pub(crate) fn leftovers(&self) -> Vec<PathBuf> {
        fs::read_dir(self.temp()).expect("readable").flatten().map(|entry| entry.path()).collect()
    }

    /// Processes that name the place or work in it.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let path = self.folder.path().to_str().expect("text").as_bytes();
        let holds = |bytes: &[u8]| bytes.windows(path.len()).any(|window| window == path);
        let ours = |process: &u32| {
            let process = PathBuf::from(format!("/proc/{process}"));
            let read = |name| fs::read(process.join(name)).is_ok_and(|bytes| holds(&bytes));
            let works = fs::read_link(process.join("cwd"));
            let works = works.is_ok_and(|folder| holds(folder.as_os_str().as_encoded_bytes()));
            read("cmdline") || read("environ") || works
        };
        processes().into_iter().filter(ours).collect()
    }
}

impl Ended {
    #[track_caller]
    pub(crate) fn ends_with(&self, code: i32) -> &Ended {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    /// Refused: this code, and one line that holds `text`.
    #[track_caller]
    pub(crate) fn is_refused(&self, code: i32, text: &str) {
        self.ends_with(code);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(self.err.ends_with('\n') && self.err.contains(text), "{}", self.err);
        assert!(self.err.starts_with("error: ") && !self.err.ends_with(".\n"), "{}", self.err);
    }

    #[track_caller]
    pub(crate) fn leaves_nothing(&self) {
        let nothing = || self.place.leftovers().is_empty() && self.place.processes().is_empty();
        assert!(
            within(Duration::from_secs(5), nothing),
            "left: {:?} {:?}",
            self.place.leftovers(),
            self.place.processes()
        );
    }
}

/// Whether something comes true in time.
pub(crate) fn within(time: Duration, mut true_now: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + time;
    loop {
        if true_now() {
            return true;
        }
        if Instant::now() > end {
            return false;
        }
        sleep(Duration::from_millis(5));
    }
}

/// Waits until something comes true.
#[track_caller]
pub(crate) fn until(what: &str, true_now: impl FnMut() -> bool) {
    assert!(within(PATIENCE, true_now), "{what} does not come");
}

/// Every process of the machine.
pub(crate) fn processes() -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("a process file system");
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Lines of a run file that are scenarios, by verdict.
pub(crate) fn verdicts(events: &[Value], verdict: &str) -> usize {
    events.iter().filter(|event| event["scenario"]["verdict"] == verdict).count()
}

/// A small project of its own: a target, the rules, one golden case.
pub(crate) fn small_project() -> TempDir {
    let folder = TempDir::with_prefix("project-").expect("a folder");
    for part in ["targets/claude", "targets/codex", "spec", "corpora/golden/codex/tool-orphans"] {
        copy(&project().join(part), &folder.path().join(part));
    }
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("readable").flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).expect("copied")),
        }
    }
}
