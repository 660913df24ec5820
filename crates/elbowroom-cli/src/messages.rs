//! What is said to people, on stderr but for a line of result.
//!
//! A stderr that cannot be written to is not an error: there is no one left to tell.

use std::io::{self, Write};

use crate::terminal;

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

/// A line on stderr. It may hold names from anywhere.
pub(crate) fn say(what: &str, text: &str) {
    if !terminal::say(what, text) {
        let _ = writeln!(io::stderr(), "{what}: {}", printable(text));
    }
}

/// Lines of result; a stdout that is not read is not an error.
pub(crate) fn say_out(lines: &str) {
    let mut out = terminal::out();
    for line in lines.split('\n') {
        let _ = writeln!(out, "{}", printable(line));
    }
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

/// Whether a character does something to a terminal or a line besides standing there: controls
/// (escape sequences begin with one), separators of lines, and marks that turn or hide what
/// follows.
pub(crate) fn is_hidden(c: char) -> bool {
    let is_mark = matches!(
        c,
        '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    );
    c.is_control() || is_mark
}

/// A name that cannot break the line or the terminal.
pub(crate) fn printable(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        if is_hidden(c) { text.extend(c.escape_default()) } else { text.push(c) }
    }
    text
}

/// A printable name that leaves room for others: of a very long one the beginning and the end.
pub(crate) fn fitted(name: &str) -> String {
    const MOST: usize = 60;
    let name = printable(name);
    let count = name.chars().count();
    if count <= MOST {
        return name;
    }
    let start = name.chars().take(MOST / 2 - 1);
    start.chain(['…']).chain(name.chars().skip(count - MOST / 2)).collect()
}

/// Two objects meet in so much that there is no memory for it.
pub(crate) fn no_room(frame: Option<u32>, pair: Option<[&str; 2]>) -> Refusal {
    let frame = frame.map(|frame| format!("frame {frame}: ")).unwrap_or_default();
    let who = match pair {
        Some([a, b]) if a == b => format!("{} meets itself", printable(a)),
        Some([a, b]) => format!("{} and {} meet", printable(a), printable(b)),
        None => "objects are near each other".to_owned(),
    };
    Refusal {
        problems: vec![format!("{frame}{who} in more pairs than can be held in memory")],
        hint: "check fewer objects or parts at once, or leave out those of --solid, --depth, --where, --triangles, --clearance and --self that you do not need"
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{count, fitted, printable, short};

    #[test]
    fn names_are_only_names() {
        assert_eq!(printable("a\nb\u{1b}[31m\u{9b}2J"), "a\\nb\\u{1b}[31m\\u{9b}2J");
        assert_eq!(
            printable("x\u{202e}gpj.exe\u{2066}\u{2028}"),
            "x\\u{202e}gpj.exe\\u{2066}\\u{2028}"
        );
        assert_eq!(printable("Zoë – 体 👩‍🚀"), "Zoë – 体 👩‍🚀");
        let long = fitted(&format!("{}end", "é".repeat(9000)));
        assert!(
            long.chars().count() == 60 && long.ends_with("end") && long.contains('…'),
            "{long}"
        );
    }

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
