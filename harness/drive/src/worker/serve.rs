//! The life of a worker: setup, work until the input ends, usage.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::{JoinSet, LocalSet};

use super::queue::Queue;
use super::slot::Slot;
use super::{bare, version};
use crate::fault::Fault;
use crate::model::Model;
use crate::protocol::{Report, Request, Setup, receive, send};
use crate::{StartError, Usage, claude, codex};

/// Runs a worker on standard input and output.
pub(crate) fn run() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(refusal) => {
            report(&Report::Refused(refusal));
            ExitCode::FAILURE
        }
    }
}

/// Writes one report. Nobody is left to hear about a failure.
pub(crate) fn report(report: &Report) {
    let _ = send(&mut io::stdout().lock(), report);
}

fn start() -> Result<(), StartError> {
    let setup: Setup = receive(&mut io::stdin().lock())
        .map_err(|error| ours("read the setup", error))?
        .ok_or_else(|| StartError::Harness("the setup is missing".to_owned()))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| ours("start a runtime", error))?;
    LocalSet::new().block_on(&runtime, work(Rc::new(setup)))
}

async fn work(setup: Rc<Setup>) -> Result<(), StartError> {
    let version = version::ask(&setup).await?;
    let summary_prefix = match setup.teach {
        true => Some(codex::summary_prefix(&setup).await.map_err(StartError::from)?),
        false => None,
    };
    let queue = Rc::new(Queue::default());
    let mut slots = JoinSet::new();
    for index in 0..setup.jobs {
        let model = Model::start().await.map_err(|error| ours("start a model server", error))?;
        let slot = Slot::new(Rc::clone(&setup), index, model);
        slots.spawn_local(occupy(slot, Rc::clone(&queue)));
    }
    let mut requests = requests();
    report(&Report::Ready { version, summary_prefix });
    while let Some(request) = requests.recv().await {
        match request {
            Request::Case(case) => queue.push(case),
            Request::Bare(cases) => {
                let rate = bare::run(&setup, cases).await;
                report(&Report::Bare(rate.map_err(Fault::into_text)));
            }
            Request::Interrupt => {
                let table = claude::interruptions(&setup).await;
                report(&Report::Interrupted(table.map_err(Fault::into_text)));
            }
        }
    }
    queue.close();
    let stray_requests = slots.join_all().await.into_iter().sum();
    report(&Report::Stopped(Usage {
        target_cpu: cpu(UsageWho::RUSAGE_CHILDREN),
        worker_cpu: cpu(UsageWho::RUSAGE_SELF),
        stray_requests,
    }));
    Ok(())
}

/// Runs cases in one slot until the queue is closed; the stray requests it has seen.
async fn occupy(mut slot: Slot, queue: Rc<Queue>) -> u64 {
    while let Some(case) = queue.next(&slot).await {
        tokio::select! {
            biased;
            () = queue.closed() => break,
            ending = slot.run(&case) => report(&Report::Done { id: case.id, ending }),
        }
    }
    slot.discard().await;
    slot.strays()
}

/// The requests that come in; the end of the input ends them.
fn requests() -> UnboundedReceiver<Request> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        while let Ok(Some(request)) = receive(&mut io::stdin().lock()) {
            if sender.send(request).is_err() {
                break;
            }
        }
    });
    receiver
}

fn cpu(who: UsageWho) -> Duration {
    let seconds = |time: TimeVal| {
        Duration::from_secs(time.tv_sec().unsigned_abs())
            + Duration::from_micros(time.tv_usec().unsigned_abs())
    };
    getrusage(who)
        .map_or(Duration::ZERO, |usage| seconds(usage.user_time()) + seconds(usage.system_time()))
}

fn ours(what: &str, error: impl Display) -> StartError {
    StartError::Harness(format!("cannot {what}: {error}"))
}
