//! `cargo fuzz run reconstruct`; without the engine, runs the files that it is given.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| forkproof_fuzz::reconstruct(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    for path in std::env::args_os().skip(1) {
        forkproof_fuzz::reconstruct(&std::fs::read(path)?);
    }
    Ok(())
}
