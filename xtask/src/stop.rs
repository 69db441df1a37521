//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

use forkproof_drive::Failure;

static STOP: AtomicBool = AtomicBool::new(false);

/// A flag that Ctrl-C and a request to terminate set.
pub(crate) fn on_signal() -> Result<&'static AtomicBool, Failure> {
    ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed))
        .map_err(|error| Failure::Harness(format!("cannot listen to signals: {error}")))?;
    Ok(&STOP)
}

/// Whether somebody asked to stop.
pub(crate) fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}
