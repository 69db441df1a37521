//! One operation, seen from all sides.

use std::collections::BTreeSet;

use forkproof_oracle::{Observed, Operation};

use super::Call;
use super::site::Site;
use crate::fault::{Deadline, Fault};
use crate::launch::Launch;
use crate::model::Model;

/// Carries out `operation`. `own` are the files of the case; new ones are added.
pub(super) async fn perform(
    site: &mut Site,
    launch: &Launch,
    model: &Model,
    deadline: Deadline,
    operation: &Operation,
    own: &mut BTreeSet<String>,
) -> Result<Observed, Fault> {
    let Site { place, names, mirror, engine, .. } = site;
    let call = Call { launch, place, names, model, deadline };
    let root = place.root();
    let look = |error| Fault::ours("read the session files", error);
    // The program writes at its start too; that is not the operation's doing.
    engine.prepare(&call, operation).await?;
    mirror.refresh(&root, names, own).map_err(look)?;
    let mut before = mirror.pick(&*own);

    let (reply, request) = engine.perform(&call, operation).await?;

    let changes = mirror.refresh(&root, names, own).map_err(look)?;
    let seen: BTreeSet<String> = own.iter().chain(changes.keys()).cloned().collect();
    let after = mirror.pick(&seen);
    for (path, file) in changes {
        match file {
            Some(file) => {
                before.entry(path).or_insert(file);
            }
            None => {
                own.insert(path);
            }
        }
    }
    let root = root.to_string_lossy().into_owned();
    Ok(Observed { root, before, after, reply, request })
}
