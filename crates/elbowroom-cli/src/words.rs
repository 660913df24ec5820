//! What is said to people, on stderr but for a line of result.
//!
//! A stderr that cannot be written to is not an error: there is nobody left to tell.

use std::io::{self, Write};

/// Why there is no result: one line per problem, and what to do about them.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// At least one.
    pub(crate) problems: Vec<String>,
    pub(crate) hint: String,
}

impl Refusal {
    /// The problems in one line.
    pub(crate) fn text(&self) -> String {
        self.problems.join("; ")
    }
}

pub(crate) fn refuse(refusal: &Refusal) {
    refusal.problems.iter().for_each(|problem| error(problem));
    hint(&refusal.hint);
}

pub(crate) fn error(text: &str) {
    say("error", text);
}

pub(crate) fn hint(text: &str) {
    say("hint", text);
}

pub(crate) fn note(text: &str) {
    say("note", text);
}

pub(crate) fn warning(text: &str) {
    say("warning", text);
}

/// A line on stderr.
pub(crate) fn say(what: &str, text: &str) {
    let _ = writeln!(io::stderr(), "{what}: {text}");
}

/// A line of result; a stdout that nobody reads is not an error.
pub(crate) fn say_out(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// A count and its noun: `1 frame`, `0 frames`, `98,000 triangles`.
pub(crate) fn count(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(n))
}

/// A number with commas between its thousands.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Six digits at most, and no zeros behind the point.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 || (1e-3..1e6).contains(&value.abs()) {
        let digits = if value.abs() >= 100.0 { 1 } else { 4 };
        let text = format!("{value:.digits$}");
        let text = if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.')
        } else {
            &text
        };
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    } else {
        format!("{value:.3e}")
    }
}

/// A name that cannot break the line or the terminal.
pub(crate) fn printable(name: &str) -> String {
    let spelled = |c: char| {
        if c.is_control() { c.escape_default().to_string() } else { c.to_string() }
    };
    name.chars().map(spelled).collect()
}

#[cfg(test)]
mod tests {
    use super::{count, short};

    #[test]
    fn numbers_are_short() {
        let given = [0.0, 30.0, 29.632_542_7, -0.000_04, 1234.56, 1e9, 1e-6, 120.0];
        let said = given.map(short);
        assert_eq!(
            said,
            ["0", "30", "29.6325", "-4.000e-5", "1234.6", "1.000e9", "1.000e-6", "120"]
        );
    }

    #[test]
    fn counts_read_well() {
        assert_eq!(count(0, "frame"), "0 frames");
        assert_eq!(count(1, "frame"), "1 frame");
        assert_eq!(count(999, "pair"), "999 pairs");
        assert_eq!(count(1_000_000, "pair"), "1,000,000 pairs");
    }
}
