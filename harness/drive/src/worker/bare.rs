//! The same conversation with nothing around it: what the program itself can do at best.

use std::rc::Rc;
use std::time::Instant;

use forkproof_oracle::{Operation, Reply};
use tokio::task::JoinSet;

use super::exchange::{probe, resume, thread_of};
use super::plant::plant;
use crate::Case;
use crate::codex::{Launch, Place, Process};
use crate::fault::{Deadline, Fault};
use crate::model::Model;
use crate::protocol::Setup;

/// Runs `cases` in as many processes as usual, started here; cases per second.
pub(super) async fn run(setup: &Rc<Setup>, cases: Vec<Case>) -> Result<f64, Fault> {
    let count = cases.len() as f64;
    let mut shares: Vec<Vec<Case>> = vec![Vec::new(); setup.jobs];
    for (index, case) in cases.into_iter().enumerate() {
        shares[index % setup.jobs].push(case);
    }
    let start = Instant::now();
    let mut loops = JoinSet::new();
    for (index, share) in shares.into_iter().enumerate() {
        loops.spawn_local(run_share(Rc::clone(setup), index, share));
    }
    for ended in loops.join_all().await {
        ended?;
    }
    Ok(count / start.elapsed().as_secs_f64())
}

async fn run_share(setup: Rc<Setup>, index: usize, cases: Vec<Case>) -> Result<(), Fault> {
    let launch = Launch { binary: setup.binary.clone(), namespace: setup.namespace };
    let model = Model::start().await.map_err(|error| Fault::ours("start a model server", error))?;
    for (round, cases) in cases.chunks(setup.recycle_after).enumerate() {
        let place = Place::create(&setup.root.join(format!("bare-{index}/{round}")))
            .map_err(|error| Fault::ours("make a home", error))?;
        let start = Deadline::after(setup.deadline);
        let mut process = Process::start(&launch, &place, model.port(), start).await?;
        for case in cases {
            run_case(&mut process, &place, case, Deadline::after(setup.deadline)).await?;
        }
        process.kill().await;
    }
    Ok(())
}

async fn run_case(
    process: &mut Process,
    place: &Place,
    case: &Case,
    deadline: Deadline,
) -> Result<(), Fault> {
    let root = place.codex();
    plant(&root, &case.files)?;
    for operation in &case.operations {
        let Operation::Resume { thread, entry, .. } = operation;
        process.forget();
        let reply = resume(process, thread, entry, &root, deadline).await?;
        if let Reply::Result(result) = reply {
            probe(process, thread_of(&result)?, deadline).await?;
        }
    }
    Ok(())
}
