//! What the pinned release of Claude Code does, and what becomes of programs in its place.

use std::path::Path;
use std::time::{Duration, Instant};

use forkproof_drive::{Case, Ending, Executable, Options, StartError, Worker, bare_loop};
use forkproof_oracle::{Entry, Family, File, Home, Json, Observed, Operation, PROBE, Reply, Terms};
use libtest_mimic::Failed;
use tempfile::TempDir;

use crate::support::{Test, check, faulty, next, observed, one_job, pinned, python, waits_for};

pub(crate) const TESTS: &[Test] = &[
    ("a_transcript_is_resumed_and_goes_on", a_transcript_is_resumed_and_goes_on),
    ("every_entry_finds_its_session", every_entry_finds_its_session),
    ("terms_are_kept", terms_are_kept),
    ("an_unknown_session_is_refused_in_words", an_unknown_session_is_refused_in_words),
    ("a_script_runs_on_node", a_script_runs_on_node),
    ("a_program_that_ignores_its_end_is_ended", a_program_that_ignores_its_end_is_ended),
    ("what_a_process_leaves_running_ends_with_it", what_a_process_leaves_running_ends_with_it),
    ("a_result_that_is_none_is_told", a_result_that_is_none_is_told),
    ("another_program_is_told_from_claude", another_program_is_told_from_claude),
    ("the_environment_is_ours_alone", the_environment_is_ours_alone),
    ("the_bare_loop_runs_claude_too", the_bare_loop_runs_claude_too),
];

const OTHER: &str = "projects/-elsewhere/00000000-0000-4000-8000-0000000000ff.jsonl";

fn a_transcript_is_resumed_and_goes_on() -> Result<(), Failed> {
    let mut worker = Worker::start(&pinned(Family::Claude)?, &patient())?;
    check(worker.version() == "2.1.332", worker.version())?;
    worker.submit(case(1, &[by_id(1), by_id(1)]));
    let seen = observed(next(&mut worker)?)?;
    let [first, second] = &seen[..] else { return Err("not two observations".into()) };
    let before = content(&first.before, &path(1))?;
    check(before == transcript(1).as_bytes(), "other bytes before than planted")?;
    let after = content(&first.after, &path(1))?;
    check(after.starts_with(before) && after.len() > before.len(), "nothing appended")?;
    check(first.before.contains_key(OTHER), &format!("{:?}", first.before.keys()))?;
    check(first.before.get(OTHER) == first.after.get(OTHER), "the other project is touched")?;
    check(first.after.len() == 2, &format!("{:?}", first.after.keys()))?;
    let expected = ["question 1", "answer 1", PROBE];
    check(texts(first) == expected, &format!("{:?}", texts(first)))?;
    check(second.before == first.after, "something was written in between")?;
    let expected = ["question 1", "answer 1", PROBE, "ANSWER", PROBE];
    check(texts(second) == expected, &format!("{:?}", texts(second)))?;
    check(first.root == second.root, "another home")?;
    check(session(second) == Some(&thread(1)), &format!("{:?}", second.reply))?;
    let usage = worker.finish();
    check(usage.target_cpu > usage.worker_cpu, &format!("{usage:?}"))?;
    check(usage.stray_requests == 0, &format!("{usage:?}"))
}

fn every_entry_finds_its_session() -> Result<(), Failed> {
    let mut worker = Worker::start(&pinned(Family::Claude)?, &patient())?;
    let entries = [
        (Entry::Path(path(1)), 3),
        (Entry::Title("-p title".to_owned()), 3),
        (Entry::Latest, 3),
        (Entry::New, 1),
    ];
    for (entry, count) in entries {
        worker.submit(case(1, &[Operation::resume(thread(1), entry.clone())]));
        let seen = observed(next(&mut worker)?)?;
        check(texts(&seen[0]).len() == count, &format!("{entry:?}: {:?}", texts(&seen[0])))?;
        let again = session(&seen[0]) == Some(&thread(1));
        check(again == (entry != Entry::New), &format!("{entry:?}: {:?}", seen[0].reply))?;
        let files = if entry == Entry::New { 3 } else { 2 };
        check(seen[0].after.len() == files, &format!("{entry:?}: {:?}", seen[0].after.keys()))?;
    }
    worker.submit(case(1, &[Operation::resume(thread(1), Entry::Path("../x".to_owned()))]));
    let ending = next(&mut worker)?;
    let outside = matches!(&ending, Ending::HarnessFault(text) if text.contains("`../x`"));
    check(outside, &format!("{ending:?}"))
}

fn terms_are_kept() -> Result<(), Failed> {
    let mut worker = Worker::start(&pinned(Family::Claude)?, &patient())?;
    let resume = |entry, terms| Operation::Resume { thread: thread(1), entry, terms };
    let unsaved = Terms { at: Some(uuid(1, 1)), unsaved: true, ..Terms::default() };
    worker.submit(case(1, &[resume(Entry::Id, unsaved)]));
    let seen = observed(next(&mut worker)?)?;
    check(texts(&seen[0]) == ["question 1\n", PROBE], &format!("{:?}", texts(&seen[0])))?;
    check(seen[0].before == seen[0].after, "something is written")?;
    let named = Terms { id: Some(thread(7)), ..Terms::default() };
    worker.submit(case(1, &[resume(Entry::New, named)]));
    let seen = observed(next(&mut worker)?)?;
    check(session(&seen[0]) == Some(&thread(7)), &format!("{:?}", seen[0].reply))?;
    check(seen[0].after.contains_key(&path(7)), &format!("{:?}", seen[0].after.keys()))
}

fn an_unknown_session_is_refused_in_words() -> Result<(), Failed> {
    let mut worker = Worker::start(&pinned(Family::Claude)?, &patient())?;
    worker.submit(case(1, &[by_id(2)]));
    let seen = observed(next(&mut worker)?)?;
    let message = format!("No conversation found with session ID: {}", thread(2));
    check(seen[0].reply == Reply::Error { code: 1, message }, &format!("{:?}", seen[0].reply))?;
    check(seen[0].request.is_none() && seen[0].before == seen[0].after, &format!("{seen:?}"))
}

fn a_script_runs_on_node() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("cli.js");
    let code = "console.log(process.argv[2] === '--version' ? '9.9.9 (Claude Code)' : '{}')";
    std::fs::write(&path, code)?;
    let program = Executable { family: Family::Claude, path };
    let mut worker = Worker::start(&program, &one_job())?;
    check(worker.version() == "9.9.9", worker.version())?;
    worker.submit(case(1, &[by_id(1)]));
    let seen = observed(next(&mut worker)?)?;
    check(seen[0].reply == Reply::Result(Json::Object(Vec::new())), &format!("{seen:?}"))
}

fn a_program_that_ignores_its_end_is_ended() -> Result<(), Failed> {
    // Twice away: a process group of its own, and no environment that tells whose it is.
    let program = program(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n\
         if not any('0001' in word for word in sys.argv): say(); sys.exit()\n\
         subprocess.Popen(['sleep', '1000.125'])\n\
         subprocess.Popen(['sleep', '1000.125'], start_new_session=True)\n\
         subprocess.Popen(['sleep', '1000.125'], start_new_session=True, env={})\n\
         while True: pass",
    )?;
    for namespace in [true, false] {
        let deadline = Duration::from_secs(2);
        let options = Options { deadline, namespace, ..one_job() };
        let mut worker = Worker::start(&program.1, &options)?;
        let begun = Instant::now();
        worker.submit(case(1, &[by_id(1)]));
        faulty(next(&mut worker)?, "no answer within 2 s: waiting for the end of the program")?;
        check(begun.elapsed() < Duration::from_secs(8), "too slow")?;
        check(waits_for("1000.125", 0)?, "a process is left")?;
        worker.submit(case(2, &[by_id(2)]));
        observed(next(&mut worker)?)?;
    }
    Ok(())
}

fn what_a_process_leaves_running_ends_with_it() -> Result<(), Failed> {
    let program = program("subprocess.Popen(['sleep', '1000.25'], start_new_session=True); say()")?;
    let mut worker = Worker::start(&program.1, &one_job())?;
    worker.submit(case(1, &[by_id(1)]));
    observed(next(&mut worker)?)?;
    check(waits_for("1000.25", 0)?, "a process is left")
}

fn a_result_that_is_none_is_told() -> Result<(), Failed> {
    let program = program("print('hello')")?;
    let mut worker = Worker::start(&program.1, &one_job())?;
    worker.submit(case(1, &[by_id(1)]));
    faulty(next(&mut worker)?, "its result is not a json object: `hello`")
}

fn another_program_is_told_from_claude() -> Result<(), Failed> {
    let program = Executable { family: Family::Claude, path: "/bin/true".into() };
    let refused = Worker::start(&program, &one_job());
    let told = matches!(&refused, Err(error @ StartError::Other { .. })
        if error.to_string().contains("is not claude: its answer to --version is `true"));
    check(told, &format!("{refused:?}"))
}

fn the_environment_is_ours_alone() -> Result<(), Failed> {
    let program = program("say(names=sorted(set(os.environ) - {'LC_CTYPE'}), cwd=os.getcwd())")?;
    let mut worker = Worker::start(&program.1, &one_job())?;
    worker.submit(case(1, &[by_id(1)]));
    let seen = observed(next(&mut worker)?)?;
    let Reply::Result(result) = &seen[0].reply else { return Err("refused".into()) };
    let names: Vec<&str> = result
        .get("names")
        .map(Json::elements)
        .unwrap_or_default()
        .iter()
        .filter_map(Json::as_str)
        .collect();
    let expected = [
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        "CLAUDE_CODE_TMPDIR",
        "CLAUDE_CONFIG_DIR",
        "DISABLE_AUTOUPDATER",
        "DISABLE_AUTO_COMPACT",
        "DISABLE_ERROR_REPORTING",
        "DISABLE_TELEMETRY",
        "HOME",
        "LANG",
        "PATH",
        "TMPDIR",
        "TZ",
    ];
    check(names == expected, &format!("{names:?}"))?;
    let cwd = result.get("cwd").and_then(Json::as_str).unwrap_or_default();
    check(Path::new(cwd).parent() == Path::new(&seen[0].root).parent(), cwd)
}

fn the_bare_loop_runs_claude_too() -> Result<(), Failed> {
    let cases: Vec<Case> = (1..=2).map(|n| case(n, &[by_id(n)])).collect();
    let rate = bare_loop(&pinned(Family::Claude)?, &cases, &patient())?;
    check(rate > 0.01 && rate < 1000.0, &rate.to_string())
}

/// The processor may be somebody else's at the moment.
fn patient() -> Options {
    Options { deadline: Duration::from_secs(50), ..one_job() }
}

/// A program that tells its version and otherwise runs `body`.
fn program(body: &str) -> Result<(TempDir, Executable), Failed> {
    let folder = tempfile::tempdir()?;
    let code = format!(
        "import json, os, signal, subprocess, sys\n\
         if sys.argv[1] == '--version': print('2.1.332 (Claude Code)'); sys.exit()\n\
         def say(**result): print(json.dumps(result), flush=True)\n\
         {body}\n"
    );
    let path = python(folder.path(), &code)?;
    Ok((folder, Executable { family: Family::Claude, path }))
}

/// Case `id`: session `id` beside one of another project.
fn case(id: u64, operations: &[Operation]) -> Case {
    let files = Home::from([
        (path(id), File::new(transcript(id))),
        (OTHER.to_owned(), File::new(transcript(255))),
    ]);
    Case { id, files, operations: operations.to_vec(), alone: false }
}

fn by_id(n: u64) -> Operation {
    Operation::resume(thread(n), Entry::Id)
}

fn thread(n: u64) -> String {
    format!("00000000-0000-4000-8000-{n:012x}")
}

fn path(n: u64) -> String {
    format!("projects/work/{}.jsonl", thread(n))
}

fn uuid(n: u64, line: u64) -> String {
    format!("00000000-0000-4000-9000-{n:06x}{line:06x}")
}

/// A session with one turn and a title: `question n`, `answer n`.
fn transcript(n: u64) -> String {
    let (id, first, second) = (thread(n), uuid(n, 1), uuid(n, 2));
    format!(
        r#"{{"type":"user","uuid":"{first}","parentUuid":null,"timestamp":"2026-01-01T00:00:00.000Z","sessionId":"{id}","message":{{"role":"user","content":"question {n}"}}}}
{{"type":"assistant","uuid":"{second}","parentUuid":"{first}","timestamp":"2026-01-01T00:00:10.000Z","sessionId":"{id}","message":{{"role":"assistant","content":[{{"type":"text","text":"answer {n}"}}]}}}}
{{"type":"custom-title","customTitle":"-p title","sessionId":"{id}"}}
"#
    )
}

fn content<'h>(home: &'h Home, path: &str) -> Result<&'h [u8], Failed> {
    Ok(&home.get(path).ok_or(format!("no file {path}"))?.content.0)
}

/// The session of a result.
fn session(seen: &Observed) -> Option<&String> {
    match &seen.reply {
        Reply::Result(result) => match result.get("session_id")? {
            Json::String(id) => Some(id),
            _ => None,
        },
        Reply::Error { .. } => None,
    }
}

/// What user and assistant say in a request, without what the program adds.
fn texts(seen: &Observed) -> Vec<&str> {
    let messages = seen.request.as_ref().and_then(|body| body.get("messages"));
    let messages = messages.map(Json::elements).unwrap_or_default().iter();
    let of_role = |message: &&Json| {
        let role = message.get("role").and_then(Json::as_str);
        role == Some("user") || role == Some("assistant")
    };
    let contents = messages.filter(of_role).filter_map(|message| message.get("content"));
    let parts = contents.flat_map(|content| match content {
        Json::Array(parts) => parts.iter().filter_map(|part| part.get("text")).collect(),
        text => vec![text],
    });
    parts.filter_map(Json::as_str).filter(|text| !text.starts_with("<system-reminder>")).collect()
}
