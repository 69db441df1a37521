//! Timestamps as the program reads them.

/// Milliseconds since 1970 of a date text, `None` if it is none that is modelled: a year, month or
/// day, with or without a time and a zone; UTC where none is given (CC-REC-10).
///
/// The program takes a good many texts more; which, differs from engine to engine.
pub(super) fn milliseconds(text: &str) -> Option<i64> {
    let mut rest = Text(text);
    let year = match rest.sign() {
        Some(sign) => sign * rest.digits(6)?,
        None => rest.digits(4)?,
    };
    let (mut month, mut day) = (1, 1);
    if rest.eat("-") {
        month = rest.digits(2)?;
        if rest.eat("-") {
            day = rest.digits(2)?;
        }
    }
    let mut time = 0;
    if rest.eat("T") || rest.eat("t") || rest.eat(" ") {
        time = time_of_day(&mut rest)?;
        time -= zone(&mut rest)?;
    }
    let fits = (1..=12).contains(&month) && (1..=31).contains(&day) && rest.0.is_empty();
    fits.then(|| (days(year, month) + day - 1) * 86_400_000 + time)
}

struct Text<'t>(&'t str);

impl Text<'_> {
    fn eat(&mut self, word: &str) -> bool {
        let rest = self.0.strip_prefix(word);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn sign(&mut self) -> Option<i64> {
        if self.eat("+") {
            return Some(1);
        }
        self.eat("-").then_some(-1)
    }

    fn digits(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.0 = rest;
        digits.parse().ok()
    }
}

fn time_of_day(rest: &mut Text<'_>) -> Option<i64> {
    let hours = rest.digits(2)?;
    let minutes = rest.eat(":").then(|| rest.digits(2))??;
    let (mut seconds, mut fraction) = (0, 0);
    if rest.eat(":") {
        seconds = rest.digits(2)?;
        if rest.eat(".") {
            let end = rest.0.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.0.len());
            let (digits, after) = rest.0.split_at(end);
            if digits.is_empty() {
                return None;
            }
            rest.0 = after;
            // Digits beyond the third are cut off.
            fraction = format!("{digits}00").get(..3)?.parse().ok()?;
        }
    }
    let fits =
        minutes < 60 && seconds < 60 && (hours < 24 || (hours, minutes, seconds) == (24, 0, 0));
    fits.then_some(((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction)
}

/// How far a zone is ahead of UTC.
fn zone(rest: &mut Text<'_>) -> Option<i64> {
    if rest.eat("Z") || rest.eat("z") || rest.0.is_empty() {
        return Some(0);
    }
    let sign = rest.sign()?;
    let hours = rest.digits(2)?;
    rest.eat(":");
    let minutes = rest.digits(2)?;
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60_000)
}

/// Days from 1970 to the first of a month, by eras of 400 years that begin in March.
fn days(year: i64, month: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn times_are_read_with_and_without_zone_and_fraction() {
        for (text, expected) in [
            ("1970-01-01T00:00:00.000Z", 0),
            ("1970-01-01", 0),
            ("1970", 0),
            ("2026-01-01T00:01:00Z", 1_767_225_660_000),
            ("2026-01-01T01:01+01:00", 1_767_225_660_000),
            ("2026-01-01T00:01:00.1239Z", 1_767_225_660_123),
            ("2026-01-01t00:01:00.5z", 1_767_225_660_500),
            ("2026-02-31T00:00:00Z", 1_772_496_000_000),
            ("1970-01-01T24:00:00Z", 86_400_000),
        ] {
            assert_eq!(milliseconds(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in
            ["", "x", "2026-13-01", "2026-01-32", "2026-01-01T24:01Z", "2026-01-01T00:00:00.Z", "é"]
        {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }
}
