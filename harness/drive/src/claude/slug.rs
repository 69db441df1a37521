//! The name of a project folder.

use std::path::Path;

/// The longest name that is the path itself.
const LONGEST: usize = 200;

/// The folder in which the program keeps the sessions of a working folder, whose real path this is
/// (CC-FILE-02).
pub(crate) fn slug(path: &Path) -> String {
    let units: Vec<u16> = path.to_string_lossy().encode_utf16().collect();
    let plain = |unit: &u16| match u8::try_from(*unit).map(char::from) {
        Ok(c) if c.is_ascii_alphanumeric() => c,
        _ => '-',
    };
    let mut name: String = units.iter().map(plain).collect();
    if name.len() > LONGEST {
        name.truncate(LONGEST);
        name.push('-');
        name += &base_36(hash(&units).unsigned_abs());
    }
    name
}

fn hash(units: &[u16]) -> i32 {
    units.iter().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(*unit)))
}

fn base_36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::slug;

    #[test]
    fn every_unit_but_letters_and_digits_becomes_a_dash() {
        assert_eq!(slug(Path::new("/a/b.c_d")), "-a-b-c-d");
        assert_eq!(slug(Path::new("/é/😀")), "-----");
    }

    #[test]
    fn a_long_path_ends_in_its_hash() {
        let exact = format!("/{}", "a".repeat(199));
        assert_eq!(slug(Path::new(&exact)).len(), 200);
        let longer = slug(Path::new(&format!("{exact}b")));
        let (start, hash) = longer.split_at(200);
        assert_eq!(start, slug(Path::new(&exact)));
        assert!(hash.starts_with('-') && hash.len() > 2, "{hash}");
    }
}
