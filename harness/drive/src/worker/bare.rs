//! The same conversation with nothing around it: what the program itself can do at best.

use std::rc::Rc;
use std::time::Instant;

use tokio::task::JoinSet;

use super::engine::Engine;
use super::plant::plant;
use super::{Call, Names};
use crate::Case;
use crate::fault::{Deadline, Fault};
use crate::launch::{Launch, Place};
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
    let launch = Launch::new(&setup);
    let family = setup.program.family;
    let model = Model::start().await.map_err(|error| Fault::ours("start a model server", error))?;
    for (round, cases) in cases.chunks(setup.recycle_after).enumerate() {
        let ours = |error| Fault::ours("make a home", error);
        let folder = setup.root.join(format!("bare-{index}/{round}"));
        let place = Place::create(&folder, family).map_err(ours)?;
        let names = Names::new(&place).map_err(ours)?;
        let mut engine = Engine::new(family);
        for case in cases {
            let deadline = Deadline::after(setup.deadline);
            let call =
                Call { launch: &launch, place: &place, names: &names, model: &model, deadline };
            plant(&place.root(), &names, &case.files)?;
            for operation in &case.operations {
                engine.repeat(&call, operation).await?;
            }
        }
        engine.kill().await;
    }
    Ok(())
}
