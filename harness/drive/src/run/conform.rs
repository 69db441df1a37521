//! The main loop: many scenarios through one session, each with a verdict.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use forkproof_generators::Scenario;
use forkproof_judge::{Divergences, Event, Exit, Footer, Header, Judgement, Line, Tally, Verdict};
use forkproof_oracle::{Observed, exercised};
use globset::GlobMatcher;

use super::attempt::TICK;
use super::session::filled;
use super::{Attempt, Choice, Failure, Session, Suite};
use crate::usage::own_cpu;

/// Generated scenarios of a run, if nothing else is asked for. Only a run that holds those of seed
/// 0 shows that a divergence entry is stale.
pub const DEFAULT_CASES: usize = 200;

/// How often a scenario that disagrees is run in all.
const RUNS: usize = 3;

/// What to run.
#[derive(Debug)]
pub struct Plan {
    /// Through which target.
    pub choice: Choice,
    /// Which suites.
    pub suites: Vec<Suite>,
    /// Seed of the generated ones.
    pub seed: u64,
    /// How many of them.
    pub cases: usize,
    /// Only scenarios of these names.
    pub filter: Option<GlobMatcher>,
    /// Only scenarios that are for, or exercise, these rules.
    pub rule: Option<GlobMatcher>,
    /// Start no scenario after this time.
    pub time: Option<Duration>,
    /// The day, `YYYY-MM-DD`, for review dates.
    pub today: String,
}

/// How a run ended.
#[derive(Debug)]
pub struct Report {
    /// Its first line.
    pub header: Header,
    /// What it adds up to.
    pub tally: Tally,
    /// Its last line; none if it was interrupted.
    pub footer: Option<Footer>,
    /// Time from the first scenario to the last verdict.
    pub busy: Duration,
    /// The exit code.
    pub exit: Exit,
}

/// Runs `plan`, and gives every event to `on` as it happens. Ends early when `stop` is set.
pub fn conform(
    plan: &Plan,
    stop: &AtomicBool,
    on: &mut dyn FnMut(&Event),
) -> Result<Report, Failure> {
    through(plan, collect(plan)?, stop, on)
}

/// Runs `scenarios` as `plan` says.
pub(super) fn through(
    plan: &Plan,
    mut scenarios: Vec<Scenario>,
    stop: &AtomicBool,
    on: &mut dyn FnMut(&Event),
) -> Result<Report, Failure> {
    let started = Instant::now();
    let cpu_before = own_cpu();
    let list = list_path(&plan.choice);
    // A malformed list is told before a target is installed.
    Divergences::read(&list, "0.0.0")?;
    let mut session = Session::start(&plan.choice, stop)?;
    if let Some(rule) = &plan.rule {
        scenarios.retain(|scenario| is_for(scenario, rule, &session));
    }
    if scenarios.is_empty() {
        return Err(Failure::Usage(
            "no scenario is left, loosen --suite, --filter or --rule".into(),
        ));
    }
    let mut divergences = Divergences::read(&list, &session.version)?;
    let header = header(plan, &session, scenarios.len());
    on(&Event::Header(header.clone()));
    let complete = plan.seed == 0
        && plan.cases >= DEFAULT_CASES
        && plan.filter.is_none()
        && plan.rule.is_none()
        && Suite::ALL.iter().all(|suite| plan.suites.contains(suite));
    let mut tally = Tally::default();
    let began = Instant::now();
    let mut queue = Queue::new(scenarios);
    let deadline = plan.time.map(|time| started + time);
    let in_flight = plan.choice.options.jobs.max(1) * 2;
    while !stop.load(Ordering::Relaxed) {
        if deadline.is_none_or(|deadline| Instant::now() < deadline) {
            queue.fill(&mut session, in_flight);
        }
        if queue.running.is_empty() {
            break;
        }
        let Some((id, ending)) = session.wait(TICK) else { continue };
        let Some(line) = queue.done(id, ending, &mut session, &mut divergences) else { continue };
        tally.add(&line);
        on(&Event::Scenario(Box::new(line)));
    }
    let busy = began.elapsed();
    let interrupted = stop.load(Ordering::Relaxed);
    // A time limit may leave out generated scenarios, of which there is no end; not stored ones.
    let stored = |scenario: &Scenario| scenario.about.program.is_none();
    let partial = interrupted || queue.waiting.iter().any(stored);
    let usage = session.finish();
    let mut exits: Vec<Exit> = tally.exits().collect();
    if partial {
        exits.push(Exit::Incomplete);
    }
    let troubles = divergences.troubles(
        &plan.today,
        tally.scenarios(),
        complete && !partial && queue.waiting.is_empty(),
    );
    if !troubles.is_empty() {
        exits.push(Exit::StaleEntry);
    }
    let exit = Exit::of(exits);
    let footer = (!interrupted).then(|| Footer {
        seconds: started.elapsed().as_secs_f64(),
        target_cpu_s: usage.target_cpu.as_secs_f64(),
        harness_cpu_s: (usage.worker_cpu + own_cpu() - cpu_before).as_secs_f64(),
        troubles: troubles.iter().map(ToString::to_string).collect(),
        exit: exit.code(),
    });
    if let Some(footer) = &footer {
        on(&Event::Footer(footer.clone()));
    }
    Ok(Report { header, tally, footer, busy, exit })
}

fn collect(plan: &Plan) -> Result<Vec<Scenario>, Failure> {
    let family = plan.choice.family()?;
    let mut scenarios = Vec::new();
    for suite in Suite::ALL.into_iter().filter(|suite| plan.suites.contains(suite)) {
        scenarios.extend(suite.scenarios(&plan.choice.root, family, plan.seed, plan.cases)?);
    }
    if let Some(filter) = &plan.filter {
        scenarios.retain(|scenario| filter.is_match(&scenario.name));
    }
    Ok(scenarios)
}

fn list_path(choice: &Choice) -> PathBuf {
    let name = match &choice.target {
        super::Target::Real { family, .. } => family.name(),
        super::Target::Oracle => "oracle",
        super::Target::Tripwire { .. } => "tripwire",
    };
    choice.root.join("targets").join(format!("{name}.divergences.toml"))
}

fn is_for(scenario: &Scenario, rule: &GlobMatcher, session: &Session) -> bool {
    // Without a run, what an operation exercises is known for the first one only.
    let first = scenario.operations.first();
    scenario.about.rules.iter().any(|id| rule.is_match(id))
        || first.is_some_and(|operation| {
            let home = filled(&scenario.home, &session.markers);
            exercised(session.edition, &home, &home, operation, &session.markers)
                .iter()
                .any(|id| rule.is_match(id))
        })
}

fn header(plan: &Plan, session: &Session, scenarios: usize) -> Header {
    Header {
        schema: Header::SCHEMA,
        forkproof: env!("CARGO_PKG_VERSION").to_owned(),
        target: plan.choice.target.to_string(),
        version: session.version.clone(),
        pinned: session.pinned,
        edition: session.edition.name.to_owned(),
        extrapolated: session.extrapolated,
        expect: session.expect,
        seed: plan.seed,
        suites: plan.suites.iter().map(|suite| suite.name().to_owned()).collect(),
        scenarios,
        namespace: plan.choice.options.namespace,
        on_path: session.other_on_path(),
        jobs: plan.choice.options.jobs,
        host: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
    }
}

/// Scenarios that wait, and those that run.
struct Queue {
    waiting: VecDeque<Scenario>,
    running: BTreeMap<u64, Running>,
    next: u64,
}

struct Running {
    scenario: Scenario,
    since: Instant,
    /// Judgements of earlier runs of it that disagreed.
    earlier: Vec<(Judgement, Vec<Observed>)>,
}

impl Queue {
    fn new(scenarios: Vec<Scenario>) -> Queue {
        Queue { waiting: scenarios.into(), running: BTreeMap::new(), next: 0 }
    }

    fn fill(&mut self, session: &mut Session, in_flight: usize) {
        while self.running.len() < in_flight
            && let Some(scenario) = self.waiting.pop_front()
        {
            let running = Running { scenario, since: Instant::now(), earlier: Vec::new() };
            self.start(running, session, false);
        }
    }

    fn start(&mut self, running: Running, session: &mut Session, alone: bool) {
        session.submit(self.next, &running.scenario, alone);
        self.running.insert(self.next, running);
        self.next += 1;
    }

    /// The line of a scenario that has ended; none if it is run again.
    fn done(
        &mut self,
        id: u64,
        ending: crate::Ending,
        session: &mut Session,
        divergences: &mut Divergences,
    ) -> Option<Line> {
        let mut running = self.running.remove(&id)?;
        let (mut judgement, raw) = match Attempt::of(ending, &running.scenario, session) {
            Attempt::Judged(judgement, raw) => (judgement, raw),
            Attempt::TargetFault(why) => return Some(running.fault(Verdict::TargetFault, why)),
            Attempt::HarnessFault(why) => return Some(running.fault(Verdict::HarnessFault, why)),
            Attempt::Stopped => return None,
        };
        let known = divergences.explain(&running.scenario.name, &mut judgement);
        let first = running.earlier.first().map(|(first, _)| first.differences.clone());
        match (judgement.verdict, first) {
            (_, Some(first)) if first != judgement.differences => {
                let (mut judgement, raw) = running.earlier.remove(0);
                judgement.verdict = Verdict::Unstable;
                Some(running.line(judgement, BTreeSet::new(), Some(raw)))
            }
            (Verdict::Divergent, _)
                if running.earlier.len() + 1 < RUNS && !session.is_tripwire() =>
            {
                running.earlier.push((judgement, raw));
                self.start(running, session, true);
                None
            }
            (Verdict::Conformant, _) => Some(running.line(judgement, known, None)),
            _ => Some(running.line(judgement, known, Some(raw))),
        }
    }
}

impl Running {
    fn line(
        self,
        judgement: Judgement,
        known: BTreeSet<String>,
        raw: Option<Vec<Observed>>,
    ) -> Line {
        let mut ops = BTreeMap::new();
        if let Some(program) = &self.scenario.about.program {
            program.count(&mut ops);
        }
        Line {
            id: self.scenario.id(),
            name: self.scenario.name,
            verdict: judgement.verdict,
            fault: None,
            differences: judgement.differences,
            known,
            defects: judgement.defects,
            outcomes: judgement.outcomes,
            rules: judgement.rules.into_iter().map(str::to_owned).collect(),
            ops: ops.into_iter().map(|(op, count)| (op.to_owned(), count)).collect(),
            ms: u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX),
            raw,
        }
    }

    fn fault(self, verdict: Verdict, why: String) -> Line {
        let judgement = Judgement {
            verdict,
            differences: Vec::new(),
            outcomes: Vec::new(),
            defects: BTreeSet::new(),
            rules: BTreeSet::new(),
        };
        Line { fault: Some(why), ..self.line(judgement, BTreeSet::new(), None) }
    }
}
