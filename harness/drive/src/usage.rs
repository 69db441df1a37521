//! What this process has used.

use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};

/// Processor time of this process so far.
pub(crate) fn own_cpu() -> Duration {
    getrusage(UsageWho::RUSAGE_SELF).map_or(Duration::ZERO, |usage| {
        [usage.user_time(), usage.system_time()]
            .into_iter()
            .map(|time| {
                let micros = time.tv_sec() * 1_000_000 + time.tv_usec();
                Duration::from_micros(u64::try_from(micros).unwrap_or(0))
            })
            .sum()
    })
}
