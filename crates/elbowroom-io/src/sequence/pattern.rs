//! Patterns for numbered files: `name.####.obj`, `name.%04d.ply`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::ReadError;

/// A file name with a number in it.
struct Pattern {
    before: String,
    after: String,
    /// How many digits the number has at least; 1 for any.
    digits: usize,
}

/// Whether a path is a pattern for numbered files, and names no file itself.
pub fn is_pattern(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).and_then(Pattern::of).is_some()
        && !path.is_file()
}

impl Pattern {
    fn of(name: &str) -> Option<Self> {
        let (start, length, digits) = match name.find('#') {
            Some(start) => {
                let length = name[start..].bytes().take_while(|&byte| byte == b'#').count();
                (start, length, length)
            }
            None => Self::printf(name)?,
        };
        let (before, after) = (name[..start].to_owned(), name[start + length..].to_owned());
        let another = after.contains('#') || after.contains('%');
        (!another && (1..=19).contains(&digits)).then_some(Self { before, after, digits })
    }

    /// `%d` and `%04d`: where it is, how long it is, how many digits it means.
    fn printf(name: &str) -> Option<(usize, usize, usize)> {
        let start = name.find('%')?;
        let digits: String = name[start + 1..].chars().take_while(char::is_ascii_digit).collect();
        name[start + 1 + digits.len()..].starts_with('d').then_some(())?;
        let wanted = if digits.is_empty() { 1 } else { digits.parse().ok()? };
        Some((start, digits.len() + 2, wanted))
    }

    /// The number in a name that fits.
    fn number(&self, name: &str) -> Option<u64> {
        let digits = name.strip_prefix(self.before.as_str())?.strip_suffix(self.after.as_str())?;
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // More digits than asked for are a number that has grown out of its width, not one with
        // more zeros.
        let fits = digits.len() == self.digits
            || (digits.len() > self.digits && (self.digits == 1 || !digits.starts_with('0')));
        (plain && fits).then(|| digits.parse().ok())?
    }
}

/// The files that fit a pattern, by number.
pub(super) fn files(path: &Path) -> Result<Vec<(u64, PathBuf)>, ReadError> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let pattern = Pattern::of(name).ok_or_else(|| {
        ReadError::file(
            path,
            "is no pattern for numbered files; write one like cloth.####.obj or cloth.%04d.ply",
        )
    })?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let unreadable = |error: std::io::Error| {
        ReadError::io(
            path,
            format!("the folder {} cannot be read: {error}", folder.display()),
            error,
        )
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        if let Some(number) = name.to_str().and_then(|name| pattern.number(name)) {
            files.push((number, folder.join(name)));
        }
    }
    files.sort();
    // Frames are read while outputs are written, so all of them count as read from here on.
    for (_, path) in &files {
        crate::opened::note(path);
    }
    if files.is_empty() {
        return Err(ReadError::file(
            path,
            "no file fits this pattern; check the folder and the number of # signs",
        ));
    }
    if let Some(twice) = files.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let [a, b] = [&twice[0].1, &twice[1].1]
            .map(|path| path.file_name().unwrap_or_default().to_string_lossy());
        return Err(ReadError::file(
            path,
            format!(
                "{a} and {b} have the same number; remove one, or write as many # as there are digits"
            ),
        ));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_and_their_numbers() {
        let number = |pattern: &str, name: &str| Pattern::of(pattern).and_then(|p| p.number(name));
        assert_eq!(number("a.####.obj", "a.0012.obj"), Some(12));
        assert_eq!(number("a.%04d.obj", "a.0012.obj"), Some(12));
        assert_eq!(number("a.####.obj", "a.12345.obj"), Some(12345));
        assert_eq!(number("a.####.obj", "a.00123.obj"), None);
        assert_eq!(number("a.####.obj", "a.12.obj"), None);
        assert_eq!(number("a.#.obj", "a.7.obj"), Some(7));
        assert_eq!(number("a_%d.obj.gz", "a_0077.obj.gz"), Some(77));
        assert_eq!(number("####.obj", "0001.obj"), Some(1));
        assert_eq!(number("a.####.obj", "a.00x1.obj"), None);
        assert_eq!(number("a.#.obj", "a.99999999999999999999999.obj"), None);
        for no_pattern in ["a.obj", "a.#.#.obj", "a%20d.x%d.obj", "a%s.obj", "100%"] {
            assert!(Pattern::of(no_pattern).is_none(), "{no_pattern}");
        }
    }
}
