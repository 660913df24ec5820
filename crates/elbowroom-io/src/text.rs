//! Words and numbers in a text file, with their places.
//!
//! Text is taken as bytes: comments and names may be in any encoding, and only the words that must
//! be numbers are parsed. A line ends with LF, CR LF or a lone CR.

use crate::error::Fault;

/// A run of bytes without white space, and where it begins.
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    pub(crate) offset: usize,
    pub(crate) bytes: &'a [u8],
}

/// The words of `text[at..end]`.
#[derive(Clone)]
pub(crate) struct Words<'a> {
    text: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Words<'a> {
    pub(crate) fn new(text: &'a [u8], at: usize, end: usize) -> Self {
        Self { text, at, end }
    }

    /// Where the next word is looked for: just behind the last one.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Takes what is left of the line that the last word stands in, without white space around it.
    pub(crate) fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = &self.text[self.at..self.end];
        let length = line_length(rest);
        self.at += length;
        rest[..length].trim_ascii()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let rest = &self.text[self.at..self.end];
        let start = rest.iter().position(|&b| !is_blank(b))?;
        let length = rest[start..].iter().position(|&b| is_blank(b)).unwrap_or(rest.len() - start);
        let offset = self.at + start;
        self.at = offset + length;
        Some(Word { offset, bytes: &rest[start..start + length] })
    }
}

/// How many bytes the mark takes that some editors put before UTF-8.
pub(crate) fn byte_order_mark(text: &[u8]) -> usize {
    if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// White space: one comparison in the common case, since nearly all bytes of a mesh are above it.
fn is_blank(byte: u8) -> bool {
    byte <= b' ' && matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// The bytes before the first line end.
pub(crate) fn line_length(text: &[u8]) -> usize {
    text.iter().position(|&b| is_line_end(b)).unwrap_or(text.len())
}

pub(crate) fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// Reads a coordinate: a finite decimal number, rounded once to the nearest f64.
pub(crate) fn coordinate(word: Word<'_>) -> Result<f64, Fault> {
    match parse_f64(word.bytes) {
        Some(value) if value.is_finite() => Ok(value),
        other => Err(bad_coordinate(word, other.is_some())),
    }
}

/// Reads whatever std takes for a number: `nan` and `inf` among them, no hexadecimal.
pub(crate) fn parse_f64(bytes: &[u8]) -> Option<f64> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

#[cold]
fn bad_coordinate(word: Word<'_>, parsed: bool) -> Fault {
    let quoted = quote(word.bytes);
    let message = if parsed && word.bytes.iter().any(u8::is_ascii_digit) {
        format!(
            "vertex coordinate {quoted} is too large for a 64-bit number, which ends near 1.8e308; scale the mesh down"
        )
    } else if parsed {
        format!(
            "vertex coordinate {quoted} is not finite; give the vertex a place, or remove it and its faces"
        )
    } else if word.bytes.contains(&b',') {
        format!(
            "vertex coordinate {quoted} is not a number; write a decimal point, and blanks between numbers"
        )
    } else {
        format!(
            "vertex coordinate {quoted} is not a number; write it in decimals, like -1.5 or 2e-3"
        )
    };
    Fault::at(word.offset, message)
}

/// A word in quotation marks for a message, cut where it is long.
pub(crate) fn quote(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]);
    let dots = if bytes.len() > SHOWN { "…" } else { "" };
    format!("\"{}{dots}\"", shown.escape_debug())
}

/// A count for people: 4,000,000,000.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `count` and a noun: "1 vertex", "1,200 vertices".
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_three() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (4_000_000_000, "4,000,000,000")];
        for (count, text) in cases {
            assert_eq!(grouped(count), text);
        }
        assert_eq!(counted(1, "vertex", "vertices"), "1 vertex");
    }

    #[test]
    fn a_long_word_is_cut_in_messages() {
        let quoted = quote(&[b'7'; 1000]);
        assert_eq!(quoted.chars().count(), 43);
        assert_eq!(quote(b"\xff\n"), "\"\u{fffd}\\n\"");
    }
}
