//! What occurs in a program.

use std::collections::BTreeSet;

use super::Program;

impl Program {
    /// Names of everything that occurs in it.
    pub fn kinds(&self) -> BTreeSet<&'static str> {
        let mut kinds = BTreeSet::from([self.spelling.name()]);
        kinds.extend(self.ops.iter().map(super::Op::name));
        kinds.extend(self.damage.iter().map(crate::Damage::name));
        kinds
    }
}
