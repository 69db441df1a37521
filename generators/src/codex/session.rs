//! The files of a program's session, and what is asked for.

use forkproof_oracle::{Entry, Home, Operation};

use super::{Op, Program, render};
use crate::scenario::{MAX_RESUMES, digits};

/// The session of a program, beside one that the resume must leave alone, and its resumes by id.
pub(crate) fn session(program: &Program) -> (Home, Vec<Operation>) {
    let thread = thread_of(program, "");
    let mut home = render(program, &thread);
    let bystander = Program::new(program.mode, vec![Op::Start, Op::User]);
    home.extend(render(&bystander, &thread_of(program, "bystander")));
    let resumes = program.resumes.clamp(1, MAX_RESUMES);
    (home, vec![Operation::resume(thread, Entry::Id); resumes.into()])
}

/// A thread id that depends on the program alone, so that one program is one scenario.
fn thread_of(program: &Program, role: &str) -> String {
    let digits = digits(&(program, role));
    format!("01a20000-{}-7{}-8{}-{}", &digits[..4], &digits[4..7], &digits[7..10], &digits[10..22])
}
