//! The command line, as its users meet it: the built program, in a process of its own.

mod broken;
mod canary;
mod fuzz;
mod oracle;
mod readme;
mod real;
mod show;
mod shrink;
mod stop;
mod support;
mod tripwires;
mod usage;
