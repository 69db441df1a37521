//! What interrupted turns leave behind (CC-INT), measured.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use forkproof_oracle::{Json, PROBE};
use nix::sys::signal::Signal;

use super::MARK;
use super::arguments::{flag, usual};
use super::lines::{Lines, told};
use super::process::Process;
use crate::fault::{Deadline, Fault};
use crate::launch::{Launch, Place};
use crate::model::{Block, Model, Step, Stream};
use crate::protocol::Setup;
use crate::worker::{Call, Names};

/// How long a file has to stay as it is to be complete.
const QUIET: Duration = Duration::from_secs(1);

/// Where in a turn the program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Point {
    /// In the middle of a text.
    Text,
    /// Behind a text, in the middle of a call.
    Block,
    /// While a tool runs.
    Tool,
    /// While the second of two tools runs.
    SecondTool,
}

/// How it is interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By a request on its input.
    Control,
    /// By a signal.
    Signal(Signal),
}

const POINTS: [(Point, &str); 4] = [
    (Point::Text, "mid-text"),
    (Point::Block, "second block"),
    (Point::Tool, "tool running"),
    (Point::SecondTool, "second of two tools"),
];

fn name(point: Point) -> &'static str {
    POINTS.iter().find(|(known, _)| *known == point).map_or("a point", |(_, name)| name)
}

const WAYS: [(Way, &str); 4] = [
    (Way::Control, "control interrupt"),
    (Way::Signal(Signal::SIGINT), "SIGINT"),
    (Way::Signal(Signal::SIGTERM), "SIGTERM"),
    (Way::Signal(Signal::SIGKILL), "SIGKILL"),
];

/// Every way at every point, and two resumes at once: what is left, a line each.
pub(crate) async fn interruptions(setup: &Setup) -> Result<String, Fault> {
    let mut out = String::new();
    for (point, where_) in POINTS {
        for (way, how) in WAYS {
            let folder = setup.root.join(format!("{where_}, {how}").replace([',', ' '], "-"));
            let trial = Trial::new(setup, &folder).await?;
            let left = trial.interrupt(point, way).await?;
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{where_}, {how}: {left}");
        }
    }
    for (first, name) in [(true, "the first"), (false, "the second")] {
        let trial = Trial::new(setup, &setup.root.join(format!("two-{first}"))).await?;
        let left = trial.two_at_once(first).await?;
        let _ = writeln!(out, "two resumes at once, {name} ends last: {left}");
    }
    Ok(out)
}

/// A home of its own, and a model server.
struct Trial {
    launch: Launch,
    place: Place,
    names: Names,
    model: Model,
    allowed: Duration,
}

impl Trial {
    async fn new(setup: &Setup, folder: &Path) -> Result<Trial, Fault> {
        let ours = |error| Fault::ours("make a home", error);
        let place = Place::create(folder, setup.program.family).map_err(ours)?;
        let names = Names::new(&place).map_err(ours)?;
        let model = model().await?;
        Ok(Trial { launch: Launch::new(setup), place, names, model, allowed: setup.deadline })
    }

    fn call(&self) -> Call<'_> {
        let Trial { launch, place, names, model, .. } = self;
        Call { launch, place, names, model, deadline: Deadline::after(self.allowed) }
    }

    /// Interrupts a new session; what is left.
    async fn interrupt(&self, point: Point, way: Way) -> Result<String, Fault> {
        let call = self.call();
        let started = self.place.work().join("started");
        self.model.arm(MARK, Some(script(point, &started)));
        let mut process = match way {
            Way::Control => {
                let mut arguments = vec!["-p".to_owned(), "--verbose".to_owned()];
                arguments.push(flag("input-format", "stream-json"));
                arguments.push(flag("output-format", "stream-json"));
                arguments.extend(usual());
                arguments.push(flag("allowed-tools", "Bash"));
                let mut process = Process::start_with_input(&call, &arguments)?;
                let said = r#"{"type":"user","message":{"role":"user","content":"PROBE"}}"#;
                process.say(said).await?;
                process
            }
            Way::Signal(_) => {
                let mut arguments = prompt(PROBE);
                arguments.push(flag("allowed-tools", "Bash"));
                Process::start(&call, &arguments)?
            }
        };
        let results = usize::from(point == Point::SecondTool);
        self.reach(&call, name(point), || {
            let tool = matches!(point, Point::Tool | Point::SecondTool);
            let lines = self.lines()?;
            Ok(self.model.asked(MARK) && (!tool || started.exists()) && lines.count("user") > 0)
        })
        .await?;
        let before = self.lines()?;
        match way {
            Way::Control => {
                let request = r#"{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}"#;
                process.say(request).await?;
                process.listen_for("result", call.deadline).await?;
                process.close_input();
            }
            Way::Signal(signal) => process.signal(signal)?,
        }
        let ended = process.end(Deadline::after(self.allowed)).await?;
        let mut after = self.lines()?;
        let mut late = "";
        if results + usize::from(point == Point::Tool) > 0 && way == Way::Signal(Signal::SIGTERM) {
            // Whether the result of a tool that dies with the program is still written down is a
            // race in the program: one release does and does not.
            after.drop_results(before.len());
            late = "; perhaps *result";
        }
        Ok(format!("{}: {}{late}", told(ended.status), after.text(before.len())))
    }

    /// Resumes one session twice at the same time; what is left, and what the next resume sends.
    async fn two_at_once(&self, first_ends_last: bool) -> Result<String, Fault> {
        let thread = "00000000-0000-4000-8000-000000000001";
        let file = self.folder().join(format!("{thread}.jsonl"));
        let ours = |error| Fault::ours("plant a session", error);
        fs::create_dir_all(self.folder())
            .and_then(|()| fs::write(&file, planted(thread)))
            .map_err(ours)?;
        let resume = |text: &str| {
            let mut arguments = prompt(text);
            arguments.push(flag("resume", thread));
            arguments
        };
        // A session keeps the system prompt of its last turn, so that a mark of its own does not
        // tell a process; a server of its own does.
        let other = model().await?;
        let calls = [self.call(), Call { model: &other, ..self.call() }];
        let mut running = Vec::new();
        for (call, text) in calls.iter().zip(["first", "second"]) {
            let answer = [Block::Text(format!("to the {text}"))];
            let Stream(mut steps) = Stream::message(&format!("msg_{text}"), &answer);
            steps.insert(1, Step::Hold);
            call.model.arm(MARK, Some(Stream(steps)));
            running.push((Process::start(call, &resume(text))?, call));
            self.reach(call, "a request", || Ok(call.model.asked(MARK))).await?;
        }
        if first_ends_last {
            running.reverse();
        }
        let mut ends = Vec::new();
        for (process, call) in running {
            call.model.release();
            ends.push(told(process.end_alone(call.deadline).await?));
        }
        let left = self.lines()?;
        self.model.arm(MARK, None);
        let call = self.call();
        let last = Process::start(&call, &resume(PROBE))?.end(call.deadline).await?;
        if !last.status.success() {
            let why = String::from_utf8_lossy(&last.errors).trim().to_owned();
            return Err(Fault::Target(format!("the next resume ended ({}): {why}", last.status)));
        }
        let request = self.model.take(MARK);
        let sent = request.as_ref().and_then(|request| request.get("messages"));
        let sent: Vec<String> =
            sent.map(Json::elements).unwrap_or_default().iter().filter_map(said).collect();
        Ok(format!(
            "{}: {}; next resume sends {}",
            ends.join(", "),
            left.text(usize::MAX),
            sent.join(", ")
        ))
    }

    /// Waits until `there`, which is `what`, and until nothing more is written then.
    async fn reach(
        &self,
        call: &Call<'_>,
        what: &str,
        mut there: impl FnMut() -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        let quiet = async {
            let tick = Duration::from_millis(50);
            while !there()? {
                tokio::time::sleep(tick).await;
            }
            let (mut size, mut same) = (self.size(), Duration::ZERO);
            while same < QUIET {
                tokio::time::sleep(tick).await;
                let now = self.size();
                same = if now == size { same + tick } else { Duration::ZERO };
                size = now;
            }
            Ok(())
        };
        call.deadline.limit(what, quiet).await?
    }

    /// The project folder of the working folder.
    fn folder(&self) -> PathBuf {
        self.place.root().join(self.names.on_disk("projects/work/"))
    }

    fn transcript(&self) -> Vec<u8> {
        let files = fs::read_dir(self.folder()).into_iter().flatten().flatten();
        let mut paths = files.map(|entry| entry.path());
        let is_transcript = |path: &PathBuf| path.extension().is_some_and(|it| it == "jsonl");
        // There is one, or none yet.
        paths.find(is_transcript).and_then(|path| fs::read(path).ok()).unwrap_or_default()
    }

    fn size(&self) -> usize {
        self.transcript().len()
    }

    fn lines(&self) -> Result<Lines, Fault> {
        Ok(Lines::read(&self.transcript()))
    }
}

async fn model() -> Result<Model, Fault> {
    Model::start().await.map_err(|error| Fault::ours("start a model server", error))
}

/// One turn on `text`.
fn prompt(text: &str) -> Vec<String> {
    let mut arguments = vec!["-p".to_owned(), text.to_owned(), flag("output-format", "json")];
    arguments.extend(usual());
    arguments
}

/// What the model answers to bring the program to a point.
fn script(point: Point, started: &Path) -> Stream {
    let text = || Block::Text("text".to_owned());
    let bash = |number: u8, command: &str| Block::Call {
        id: format!("call-{number}"),
        name: "Bash".to_owned(),
        input: Json::object([("command", Json::string(command))]),
    };
    let long = format!("touch {}; sleep 600", started.display());
    match point {
        Point::Text => Stream::message("msg_1", &[text()]).stalled(3),
        Point::Block => Stream::message("msg_1", &[text(), bash(1, "true")]).stalled(6),
        Point::Tool => Stream::message("msg_1", &[bash(1, &long)]),
        Point::SecondTool => Stream::message("msg_1", &[bash(1, "true"), bash(2, &long)]),
    }
}

/// A session with one turn.
fn planted(thread: &str) -> String {
    let line = |kind: &str, uuid: &str, parent: &str, time: u8, text: &str| {
        format!(
            r#"{{"type":"{kind}","uuid":"{uuid}","parentUuid":{parent},"timestamp":"2026-01-01T00:00:{time}.000Z","sessionId":"{thread}","message":{{"role":"{kind}","content":[{{"type":"text","text":"{text}"}}]}}}}"#
        ) + "\n"
    };
    line("user", "u1", "null", 10, "question") + &line("assistant", "a1", "\"u1\"", 20, "answer")
}

/// What somebody says in a request, without what the program adds.
fn said(message: &Json) -> Option<String> {
    let role = message.get("role").and_then(Json::as_str).filter(|role| *role != "system")?;
    let content = message.get("content")?;
    let texts: Vec<&str> = match content {
        Json::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text")).filter_map(Json::as_str).collect()
        }
        text => text.as_str().into_iter().collect(),
    };
    let own = texts.into_iter().filter(|text| !text.starts_with("<system-reminder>"));
    Some(format!("{role} `{}`", own.map(str::trim).collect::<Vec<_>>().join("` `")))
}
