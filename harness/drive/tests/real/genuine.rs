//! What the pinned release of Codex does.

use std::collections::BTreeMap;

use forkproof_drive::{Case, Ending, Executable, Options, Worker, bare_loop};
use forkproof_oracle::{Entry, Family, Observed, Operation, PROBE, Reply};
use libtest_mimic::Failed;

use crate::support::{PATIENCE, next, pinned, thread};
use crate::support::{Test, by_id, bytes, case, check, observed, one_job, path, rollout, texts};

pub(crate) const TESTS: &[Test] = &[
    ("two_planted_threads_are_resumed", two_planted_threads_are_resumed),
    ("a_second_resume_is_cold", a_second_resume_is_cold),
    ("a_thread_is_resumed_by_path", a_thread_is_resumed_by_path),
    ("a_refusal_is_an_observation", a_refusal_is_an_observation),
    ("equal_threads_do_not_meet", equal_threads_do_not_meet),
    ("the_summary_prefix_is_learnt", the_summary_prefix_is_learnt),
    ("it_works_without_a_namespace", it_works_without_a_namespace),
    ("the_bare_loop_tells_a_rate", the_bare_loop_tells_a_rate),
];

fn two_planted_threads_are_resumed() -> Result<(), Failed> {
    let mut worker = Worker::start(&codex()?, &Options::default())?;
    check(worker.version() == "0.171.0", worker.version())?;
    for n in [1, 2] {
        worker.submit(case(n, &[n], &[by_id(n)]));
    }
    let mut endings =
        BTreeMap::from_iter([worker.wait(PATIENCE), worker.wait(PATIENCE)].into_iter().flatten());
    check(worker.wait(PATIENCE).is_none(), "more endings than cases")?;
    for n in [1, 2] {
        let seen = observed(endings.remove(&n).ok_or("no ending")?)?;
        let [seen] = &seen[..] else { return Err("not one observation".into()) };
        let before = bytes(&seen.before, n)?;
        check(before == rollout(n).as_bytes(), "other bytes before than planted")?;
        let after = bytes(&seen.after, n)?;
        check(after.starts_with(before) && after.len() > before.len(), "nothing appended")?;
        check(after.ends_with(b"\n"), "half a line")?;
        check(seen.after.len() == 1, &format!("{:?}", seen.after.keys()))?;
        let texts = texts(seen.request.as_ref());
        for text in [format!("question {n}"), format!("answer {n}"), PROBE.to_owned()] {
            check(texts.contains(&text), &format!("`{text}` not in {texts:?}"))?;
        }
    }
    let usage = worker.finish();
    check(usage.target_cpu > usage.worker_cpu, &format!("{usage:?}"))?;
    check(usage.stray_requests == 0, &format!("{usage:?}"))
}

fn a_second_resume_is_cold() -> Result<(), Failed> {
    let mut worker = Worker::start(&codex()?, &one_job())?;
    worker.submit(case(1, &[1], &[by_id(1), by_id(1)]));
    let seen = observed(next(&mut worker)?)?;
    let [first, second] = &seen[..] else { return Err("not two observations".into()) };
    check(first.after == second.before, "something was written in between")?;
    check(first.root == second.root, "another home")?;
    let both = (probes(first), probes(second));
    check(both == (1, 2), "the first turn is not in the second request")
}

fn a_thread_is_resumed_by_path() -> Result<(), Failed> {
    let mut worker = Worker::start(&codex()?, &one_job())?;
    let by_path = |path| Operation::resume(thread(1), Entry::Path(path));
    worker.submit(case(1, &[1, 2], &[by_path(path(2))]));
    let seen = observed(next(&mut worker)?)?;
    let texts = texts(seen[0].request.as_ref());
    check(texts.contains(&"question 2".to_owned()), &format!("{texts:?}"))?;
    worker.submit(case(2, &[3], &[by_path("../x".to_owned())]));
    let ending = next(&mut worker)?;
    let outside = matches!(&ending, Ending::HarnessFault(text) if text.contains("`../x`"));
    check(outside, &format!("{ending:?}"))
}

fn a_refusal_is_an_observation() -> Result<(), Failed> {
    let mut worker = Worker::start(&codex()?, &one_job())?;
    worker.submit(case(1, &[1], &[by_id(2)]));
    let seen = observed(next(&mut worker)?)?;
    check(seen[0].request.is_none() && seen[0].before == seen[0].after, &format!("{seen:?}"))?;
    let refused = matches!(&seen[0].reply, Reply::Error { code: -32600, message }
        if message.contains("no rollout found"));
    check(refused, &format!("{:?}", seen[0].reply))
}

fn equal_threads_do_not_meet() -> Result<(), Failed> {
    let mut worker = Worker::start(&codex()?, &Options::default())?;
    for id in 0..3 {
        worker.submit(Case { id, ..case(1, &[1], &[by_id(1)]) });
    }
    worker.submit(Case { id: 3, alone: true, ..case(1, &[2], &[by_id(2)]) });
    let mut homes = Vec::new();
    for _ in 0..4 {
        let seen = observed(next(&mut worker)?)?;
        check(probes(&seen[0]) == 1, "not the planted history")?;
        homes.push(seen[0].root.clone());
    }
    homes.sort();
    homes.dedup();
    check(homes.len() == 4, &format!("{homes:?}"))
}

fn the_summary_prefix_is_learnt() -> Result<(), Failed> {
    let worker = Worker::start(&codex()?, &Options { teach: true, ..one_job() })?;
    let prefix = worker.summary_prefix().unwrap_or_default();
    check(prefix.len() == 399 && prefix.ends_with(':'), &format!("{prefix:?}"))
}

fn it_works_without_a_namespace() -> Result<(), Failed> {
    let mut worker = Worker::start(&codex()?, &Options { namespace: false, ..one_job() })?;
    worker.submit(case(1, &[1], &[by_id(1)]));
    let seen = observed(next(&mut worker)?)?;
    check(texts(seen[0].request.as_ref()).contains(&"answer 1".to_owned()), "no context")
}

fn the_bare_loop_tells_a_rate() -> Result<(), Failed> {
    let cases: Vec<Case> = (1..=4).map(|n| case(n, &[n], &[by_id(n)])).collect();
    let rate = bare_loop(&codex()?, &cases, &Options::default())?;
    check(rate > 0.1 && rate < 1000.0, &rate.to_string())
}

fn codex() -> Result<Executable, Failed> {
    pinned(Family::Codex)
}

fn probes(seen: &Observed) -> usize {
    texts(seen.request.as_ref()).iter().filter(|text| *text == PROBE).count()
}
