//! Cases, and what is looked up in observations.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use forkproof_drive::{Case, Ending, Executable, Options, Worker, install};
use forkproof_oracle::{Entry, Family, File, Home, Json, Observed, Operation};
use libtest_mimic::Failed;

/// Its name and itself.
pub(crate) type Test = (&'static str, fn() -> Result<(), Failed>);

/// Longer than any case here may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn check(fine: bool, what: &str) -> Result<(), Failed> {
    if fine { Ok(()) } else { Err(what.into()) }
}

pub(crate) fn one_job() -> Options {
    Options { jobs: 1, ..Options::default() }
}

/// The pinned release, installed if it is not there.
pub(crate) fn pinned(family: Family) -> Result<Executable, Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or("no workspace")?;
    Ok(install(root, family, None)?.program)
}

/// A program in Python.
pub(crate) fn python(folder: &Path, code: &str) -> Result<PathBuf, Failed> {
    let mut command = Command::new("python3");
    let found = command.args(["-c", "import sys; print(sys.executable)"]).output()?;
    let path = folder.join("program");
    fs::write(&path, format!("#!{}\n{code}\n", String::from_utf8(found.stdout)?.trim()))?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    Ok(path)
}

pub(crate) fn faulty(ending: Ending, text: &str) -> Result<(), Failed> {
    check(ending == Ending::TargetFault(text.to_owned()), &format!("{ending:?}"))
}

/// Case `id`: threads to plant, and what to do.
pub(crate) fn case(id: u64, planted: &[u64], operations: &[Operation]) -> Case {
    let files = planted.iter().map(|&n| (path(n), File::new(rollout(n)))).collect();
    Case { id, files, operations: operations.to_vec(), alone: false }
}

pub(crate) fn by_id(n: u64) -> Operation {
    Operation::resume(thread(n), Entry::Id)
}

pub(crate) fn thread(n: u64) -> String {
    format!("01a20000-0000-7000-8000-{n:012x}")
}

pub(crate) fn path(n: u64) -> String {
    format!("sessions/2026/11/29/rollout-2026-11-29T10-00-00-{}.jsonl", thread(n))
}

/// A thread with one turn: `question n`, `answer n`.
pub(crate) fn rollout(n: u64) -> String {
    let id = thread(n);
    let meta = format!(
        r#""id":"{id}","timestamp":"2026-11-29T10:00:00.000Z","cwd":"/proj/demo","originator":"demo","cli_version":"0.0.0","source":"vscode","model_provider":"mock""#
    );
    let message = |role: &str, kind: &str, text: &str| {
        format!(
            r#""type":"message","role":"{role}","content":[{{"type":"{kind}","text":"{text} {n}"}}]"#
        )
    };
    let records = [
        ("session_meta", meta),
        (
            "event_msg",
            r#""type":"task_started","turn_id":"turn-1","model_context_window":1000"#.to_owned(),
        ),
        ("response_item", message("user", "input_text", "question")),
        ("response_item", message("assistant", "output_text", "answer")),
        (
            "event_msg",
            r#""type":"task_complete","turn_id":"turn-1","last_agent_message":null"#.to_owned(),
        ),
    ];
    let time = "2026-11-29T10:00:01.000Z";
    let line = |(kind, payload): &(&str, String)| {
        format!(r#"{{"timestamp":"{time}","type":"{kind}","payload":{{{payload}}}}}"#) + "\n"
    };
    records.iter().map(line).collect()
}

pub(crate) fn next(worker: &mut Worker) -> Result<Ending, Failed> {
    Ok(worker.wait(PATIENCE).ok_or("no ending")?.1)
}

pub(crate) fn observed(ending: Ending) -> Result<Vec<Observed>, Failed> {
    match ending {
        Ending::Observed(seen) => Ok(seen),
        fault => Err(format!("{fault:?}").into()),
    }
}

pub(crate) fn bytes(home: &Home, n: u64) -> Result<&[u8], Failed> {
    Ok(&home.get(&path(n)).ok_or(format!("no file of {n}"))?.content.0)
}

/// The texts that a request sends to the model.
pub(crate) fn texts(request: Option<&Json>) -> Vec<String> {
    let items = request.and_then(|body| body.get("input")).map(Json::elements).unwrap_or_default();
    let contents = items.iter().filter_map(|item| item.get("content"));
    let parts = contents.flat_map(|content| content.elements());
    parts.filter_map(|part| part.get("text")?.as_str().map(str::to_owned)).collect()
}

/// Whether soon `count` processes run that have `argument` as their last one.
pub(crate) fn waits_for(argument: &str, count: usize) -> Result<bool, Failed> {
    for _ in 0..100 {
        let mut found = 0;
        for entry in fs::read_dir("/proc")?.flatten() {
            let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            found += usize::from(command.ends_with(format!("\0{argument}\0").as_bytes()));
        }
        if found == count {
            return Ok(true);
        }
        sleep(Duration::from_millis(20));
    }
    Ok(false)
}
