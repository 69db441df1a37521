//! What becomes of programs that crash, hang, lie and break out.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs};

use forkproof_drive::{Executable, Options, StartError, Worker};
use forkproof_oracle::{Family, Json, Reply};
use libtest_mimic::Failed;
use tempfile::TempDir;

use crate::support::{Test, by_id, bytes, case, check, faulty, next, observed, one_job, path};
use crate::support::{python, rollout, thread, waits_for};

pub(crate) const TESTS: &[Test] = &[
    ("a_crash_is_told_with_the_last_words", a_crash_is_told_with_the_last_words),
    ("a_line_that_is_not_json_is_told", a_line_that_is_not_json_is_told),
    ("a_hang_ends_at_the_deadline", a_hang_ends_at_the_deadline),
    ("an_orphan_ends_with_the_worker", an_orphan_ends_with_the_worker),
    ("a_write_to_another_session_is_seen", a_write_to_another_session_is_seen),
    ("only_the_sandbox_is_within_reach", only_the_sandbox_is_within_reach),
    ("other_programs_are_told_apart", other_programs_are_told_apart),
];

fn a_crash_is_told_with_the_last_words() -> Result<(), Failed> {
    let program = program("sys.stderr.write('last words\\n'); sys.exit(3)")?;
    let mut worker = Worker::start(&program.1, &one_job())?;
    for n in [1, 2] {
        worker.submit(case(n, &[n], &[by_id(n)]));
        let told = "the program ended (exit status: 3) while waiting for thread/resume: last words";
        faulty(next(&mut worker)?, told)?;
    }
    Ok(())
}

fn a_line_that_is_not_json_is_told() -> Result<(), Failed> {
    let program = program("print('hello', flush=True)")?;
    let mut worker = Worker::start(&program.1, &one_job())?;
    worker.submit(case(1, &[1], &[by_id(1)]));
    let told = "a line that is not json while waiting for thread/resume: `hello`";
    faulty(next(&mut worker)?, told)
}

fn a_hang_ends_at_the_deadline() -> Result<(), Failed> {
    let program = program("time.sleep(1000)")?;
    let options = Options { deadline: Duration::from_secs(2), ..one_job() };
    let mut worker = Worker::start(&program.1, &options)?;
    worker.submit(case(1, &[1], &[by_id(1)]));
    faulty(next(&mut worker)?, "no answer within 2 s: waiting for thread/resume")
}

fn an_orphan_ends_with_the_worker() -> Result<(), Failed> {
    // A session of its own: no signal to the group reaches it.
    let program = program(
        "import subprocess\n\
         \x20   subprocess.Popen(['sleep', '1000.0625'], start_new_session=True)\n\
         \x20   subprocess.Popen(['sleep', '1000.0625'])\n\
         \x20   os._exit(0)",
    )?;
    for namespace in [true, false] {
        let mut worker = Worker::start(&program.1, &Options { namespace, ..one_job() })?;
        worker.submit(case(1, &[1], &[by_id(1)]));
        let ended = next(&mut worker)?;
        faulty(ended, "the program ended (exit status: 0) while waiting for thread/resume")?;
        check(waits_for("1000.0625", 2)?, "the orphans do not run")?;
        drop(worker);
        check(waits_for("1000.0625", 0)?, "an orphan is left")?;
    }
    Ok(())
}

fn a_write_to_another_session_is_seen() -> Result<(), Failed> {
    let program = program(&format!(
        "home = os.environ['CODEX_HOME'] + '/'\n\
         \x20   named = request['params']['threadId']\n\
         \x20   if request['method'] == 'thread/resume' and named == '{}':\n\
         \x20       open(home + '{}', 'a').write('more')\n\
         \x20       os.remove(home + '{}')\n\
         \x20   answer(request, {{'thread': {{'id': named}}}})\n\
         \x20   if request['method'] == 'turn/start': tell('turn/completed', {{'threadId': named}})",
        thread(3),
        path(1),
        path(2),
    ))?;
    let mut worker = Worker::start(&program.1, &one_job())?;
    let mut endings = Vec::new();
    for n in [1, 2, 3] {
        worker.submit(case(n, &[n], &[by_id(n)]));
        endings.push(observed(next(&mut worker)?)?);
    }
    check(endings[1][0].before.len() == 1, "more seen than has changed")?;
    let third = &endings[2][0];
    check(third.before.len() == 3, &format!("{:?}", third.before.keys()))?;
    check(bytes(&third.before, 1)? == rollout(1).as_bytes(), "the bytes before are others")?;
    check(bytes(&third.after, 1)?.ends_with(b"more"), "the append is missing")?;
    check(!third.after.contains_key(&path(2)), "the removed file is there")?;
    check(third.request.is_none(), "a request that was never made")
}

fn only_the_sandbox_is_within_reach() -> Result<(), Failed> {
    let outside = [env::current_dir()?, env::home_dir().ok_or("no home")?, "/tmp".into()];
    let attempts: String = outside
        .iter()
        .map(|folder| format!("tries(lambda: open({:?}, 'w')), ", folder.join("escaped")))
        .collect();
    let program = program(&format!(
        "import socket\n\
         \x20   def tries(action):\n\
         \x20       try: action()\n\
         \x20       except OSError as error: return error.errno\n\
         \x20   answer(request, {{'thread': {{'id': 'x'}}, 'tried': [{attempts}\n\
         \x20       tries(lambda: socket.create_connection(('192.0.2.1', 80), 2)),\n\
         \x20       tries(lambda: open(os.environ['HOME'] + '/inside', 'w')),\n\
         \x20       tries(lambda: open(os.environ['TMPDIR'] + '/inside', 'w')),\n\
         \x20       sorted(set(os.environ) - {{'LC_CTYPE'}})]}})\n\
         \x20   tell('turn/completed', {{'threadId': 'x'}})",
    ))?;
    let mut worker = Worker::start(&program.1, &one_job())?;
    worker.submit(case(1, &[1], &[by_id(1)]));
    let seen = observed(next(&mut worker)?)?;
    let Reply::Result(result) = &seen[0].reply else { return Err("refused".into()) };
    let tried = result.get("tried").map(Json::to_string).unwrap_or_default();
    // Read-only file system three times, network is unreachable, no error twice.
    let expected =
        r#"[30,30,30,101,null,null,["CODEX_HOME","HOME","MOCK_API_KEY","PATH","TMPDIR"]]"#;
    check(tried == expected, &tried)
}

fn other_programs_are_told_apart() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let text = folder.path().join("text");
    fs::write(&text, "text\n")?;
    let slow = python(folder.path(), "import time; time.sleep(1000)")?;
    let expected = [
        ("/bin/true".as_ref(), "its answer to --version is `true (GNU coreutils)"),
        ("/bin/cat".as_ref(), "its answer to --version is `cat (GNU coreutils)"),
        (text.as_path(), "it cannot be executed"),
        (folder.path(), "it is not a file"),
        (slow.as_path(), "no answer to --version within 12 s"),
    ];
    for (path, start) in expected {
        let begun = Instant::now();
        let refused = Worker::start(&codex(path), &one_job());
        let told =
            matches!(&refused, Err(StartError::Other { what, .. }) if what.starts_with(start));
        check(told, &format!("{path:?} {refused:?}"))?;
        check(begun.elapsed() < Duration::from_secs(14), "too slow")?;
    }
    let refused = Worker::start(&codex(&folder.path().join("nothing")), &one_job());
    check(matches!(refused, Err(StartError::Missing { .. })), &format!("{refused:?}"))
}

/// A program that greets and then runs `body` on every request.
fn program(body: &str) -> Result<(TempDir, Executable), Failed> {
    let folder = tempfile::tempdir()?;
    let code = format!(
        "import json, os, sys, time\n\
         if sys.argv[1] == '--version': print('codex-cli 0.171.0'); sys.exit()\n\
         def say(**message): print(json.dumps(message), flush=True)\n\
         def answer(request, result): say(id=request['id'], result=result)\n\
         def tell(method, params): say(method=method, params=params)\n\
         for line in sys.stdin:\n\
         \x20   request = json.loads(line)\n\
         \x20   if request['method'] == 'initialize': answer(request, {{}}); continue\n\
         \x20   if 'id' not in request: continue\n\
         \x20   {body}\n"
    );
    let path = python(folder.path(), &code)?;
    Ok((folder, codex(&path)))
}

fn codex(path: &Path) -> Executable {
    Executable { family: Family::Codex, path: path.to_owned() }
}
