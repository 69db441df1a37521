//! What is done to the order of lines.

use super::transcript::Transcript;

impl Transcript<'_> {
    /// Where the line stands that `back` lines came after.
    fn line(&self, back: u8) -> Option<usize> {
        let back = usize::from(back).checked_rem(self.lines.len())?;
        Some(self.lines.len() - 1 - back)
    }

    pub(super) fn lose(&mut self, line: u8) {
        if let Some(line) = self.line(line) {
            self.lines.remove(line);
        }
    }

    pub(super) fn shift(&mut self, line: u8, by: u8) {
        let Some(from) = self.line(line) else { return };
        let to = from - usize::from(by) % (from + 1);
        self.lines[to..=from].rotate_right(1);
    }

    /// Another order for each seed.
    pub(super) fn shuffle(&mut self, seed: u8) {
        let mut state = u32::from(seed).wrapping_mul(2_654_435_761).wrapping_add(1);
        for end in (1..self.lines.len()).rev() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            self.lines.swap(end, (state >> 16) as usize % (end + 1));
        }
    }
}
