//! The end of what a program has written, for messages.

/// Bytes that are kept.
const KEPT: usize = 4096;

/// The last bytes of an output.
#[derive(Debug, Default)]
pub(crate) struct Tail(Vec<u8>);

impl Tail {
    /// Adds what came.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
        let excess = self.0.len().saturating_sub(KEPT);
        self.0.drain(..excess);
    }

    /// The last line with something on it, led by `: `; nothing if there is none.
    pub(crate) fn note(&self) -> String {
        let text = String::from_utf8_lossy(&self.0);
        let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
        last.map(|line| format!(": {line}")).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Tail};

    #[test]
    fn the_last_line_is_noted_and_the_rest_forgotten() {
        let mut tail = Tail::default();
        assert_eq!(tail.note(), "");
        tail.push(b"first\nlast\n\n");
        assert_eq!(tail.note(), ": last");
        tail.push(&[b'x'; KEPT]);
        assert_eq!(tail.note().len(), KEPT + 2);
    }
}
