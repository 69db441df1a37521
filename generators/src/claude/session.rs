//! The files of a program's session, and what is asked for.

use forkproof_oracle::{Entry, Home, Operation};

use super::render::path;
use super::{Op, Program, render};
use crate::scenario::{MAX_RESUMES, digits};

/// The session of a program, beside one that the resume must leave alone, and its resumes.
pub(crate) fn session(program: &Program) -> (Home, Vec<Operation>) {
    let session = id_of(program, "");
    let mut home = render(program, &session);
    let turn = Op::Turn { calls: 0, attached: 0, thinks: false, noted: true };
    home.extend(render(&Program::new(vec![turn]), &id_of(program, "bystander")));
    let entry = if program.by_path { Entry::Path(path(&session)) } else { Entry::Id };
    let resumes = program.resumes.clamp(1, MAX_RESUMES);
    (home, vec![Operation::resume(session, entry); resumes.into()])
}

/// A session id that depends on the program alone, so that one program is one scenario.
fn id_of(program: &Program, role: &str) -> String {
    let digits = digits(&(program, role));
    format!("c1a0de00-{}-4{}-8{}-{}", &digits[..4], &digits[4..7], &digits[7..10], &digits[10..22])
}
