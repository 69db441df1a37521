//! Times as entries have them.

/// Milliseconds of a minute.
pub(super) const MINUTE: i64 = 60_000;

/// Milliseconds between the start of the day and the first entry.
const START: i64 = 600 * MINUTE;

/// The time `ms` milliseconds after the first entry could have been written.
pub(super) fn time(ms: i64) -> String {
    format!("2026-01-01T{}Z", clock(ms))
}

/// The same without milliseconds.
pub(super) fn short(ms: i64) -> String {
    format!("2026-01-01T{}Z", &clock(ms)[..8])
}

/// The same as a zone two hours ahead writes it.
pub(super) fn zoned(ms: i64) -> String {
    format!("2026-01-01T{}+02:00", clock(ms + 120 * MINUTE))
}

fn clock(ms: i64) -> String {
    let ms = (START + ms).rem_euclid(24 * 60 * MINUTE);
    let (minutes, ms) = (ms / MINUTE, ms % MINUTE);
    format!("{:02}:{:02}:{:02}.{:03}", minutes / 60, minutes % 60, ms / 1000, ms % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_one_day() {
        assert_eq!(time(0), "2026-01-01T10:00:00.000Z");
        assert_eq!(time(MINUTE + 5_001), "2026-01-01T10:01:05.001Z");
        assert_eq!(time(-1000), "2026-01-01T09:59:59.000Z");
        assert_eq!(short(0), "2026-01-01T10:00:00Z");
        assert_eq!(zoned(0), "2026-01-01T12:00:00.000+02:00");
    }
}
