//! One of the places where cases run, one after the other.

use std::rc::Rc;

use super::operation;
use super::plant::plant;
use super::site::Site;
use crate::fault::{Deadline, Fault};
use crate::launch::Launch;
use crate::model::Model;
use crate::protocol::Setup;
use crate::{Case, Ending};

/// A model server and, most of the time, a home with what runs on it.
#[derive(Debug)]
pub(super) struct Slot {
    setup: Rc<Setup>,
    launch: Launch,
    index: usize,
    made: usize,
    model: Model,
    site: Option<Site>,
}

impl Slot {
    pub(super) fn new(setup: Rc<Setup>, index: usize, model: Model) -> Slot {
        let launch = Launch::new(&setup);
        Slot { setup, launch, index, made: 0, model, site: None }
    }

    /// Whether `case` can run without a fresh home.
    pub(super) fn accepts(&self, case: &Case) -> bool {
        self.site.as_ref().is_none_or(|site| site.accepts(case, self.setup.recycle_after))
    }

    /// Runs one case, within the deadline.
    pub(super) async fn run(&mut self, case: &Case) -> Ending {
        if !self.accepts(case) {
            self.discard().await;
        }
        let ending = match self.attempt(case).await {
            Ok(ending) => ending,
            Err(fault) => {
                self.discard().await;
                fault.into()
            }
        };
        if case.alone {
            self.discard().await;
        }
        ending
    }

    /// Gives up the home and what runs on it.
    pub(super) async fn discard(&mut self) {
        if let Some(site) = self.site.take() {
            site.remove().await;
        }
    }

    /// Requests so far that no model would get.
    pub(super) fn strays(&self) -> u64 {
        self.model.strays()
    }

    async fn attempt(&mut self, case: &Case) -> Result<Ending, Fault> {
        let deadline = Deadline::after(self.setup.deadline);
        let site = match &mut self.site {
            Some(site) => site,
            empty => {
                self.made += 1;
                self.model.begin();
                let name = format!("slot-{}/{}", self.index, self.made);
                let site = Site::create(&self.setup.root.join(name), self.setup.program.family)
                    .map_err(|error| Fault::ours("make a home", error))?;
                empty.insert(site)
            }
        };
        site.admit(case);
        plant(&site.place.root(), &site.names, &case.files)?;
        let mut own = case.files.keys().cloned().collect();
        let mut observed = Vec::new();
        for operation in &case.operations {
            let (launch, model) = (&self.launch, &self.model);
            let seen =
                operation::perform(site, launch, model, deadline, operation, &mut own).await?;
            observed.push(seen);
        }
        Ok(Ending::Observed(observed))
    }
}
