//! What is wrong with a file, where, and what to do.
//!
//! Inside a reader a [`Fault`] carries a byte offset only; the line is counted once, when the fault
//! leaves the reader, so that good files pay nothing for it.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why bytes could not be read as a mesh: the place and the problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    place: Place,
    message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Whole,
    Line(usize),
    Byte(usize),
    Triangle { triangle: usize, byte: usize },
}

impl ParseError {
    /// The line of the problem, from 1, in a text format.
    pub fn line(&self) -> Option<usize> {
        match self.place {
            Place::Line(line) => Some(line),
            _ => None,
        }
    }

    /// The triangle of the problem, from 0, in a binary format.
    pub fn triangle(&self) -> Option<usize> {
        match self.place {
            Place::Triangle { triangle, .. } => Some(triangle),
            _ => None,
        }
    }

    /// The byte of the problem, from 0, in a binary format.
    pub fn byte(&self) -> Option<usize> {
        match self.place {
            Place::Byte(byte) | Place::Triangle { byte, .. } => Some(byte),
            _ => None,
        }
    }

    /// What is wrong and what to do, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Whole => {}
            Place::Line(line) => write!(f, "line {line}: ")?,
            Place::Byte(byte) => write!(f, "byte {byte}: ")?,
            Place::Triangle { triangle, byte } => write!(f, "triangle {triangle} (byte {byte}): ")?,
        }
        f.write_str(&self.message)
    }
}

impl Error for ParseError {}

/// Why a mesh file could not be read: the file, the place in it and the problem.
#[derive(Debug)]
pub struct ReadError {
    path: PathBuf,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    File { message: String, source: Option<std::io::Error> },
    Content(ParseError),
}

impl ReadError {
    /// The file itself is the problem: it is missing, a directory, of an unknown kind.
    pub fn file(path: &Path, message: impl Into<String>) -> Self {
        let cause = Cause::File { message: message.into(), source: None };
        Self { path: path.to_owned(), cause }
    }

    /// The system refused to read it.
    pub(crate) fn io(path: &Path, message: impl Into<String>, source: std::io::Error) -> Self {
        let cause = Cause::File { message: message.into(), source: Some(source) };
        Self { path: path.to_owned(), cause }
    }

    /// What is in it is the problem.
    pub(crate) fn content(path: &Path, error: ParseError) -> Self {
        Self { path: path.to_owned(), cause: Cause::Content(error) }
    }

    /// The file, as it was asked for.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The line of the problem, from 1, in a text format.
    pub fn line(&self) -> Option<usize> {
        self.parse_error().and_then(ParseError::line)
    }

    /// The triangle of the problem, from 0, in a binary format.
    pub fn triangle(&self) -> Option<usize> {
        self.parse_error().and_then(ParseError::triangle)
    }

    /// The byte of the problem, from 0, in a binary format; of the unpacked file where it is
    /// packed.
    pub fn byte(&self) -> Option<usize> {
        self.parse_error().and_then(ParseError::byte)
    }

    /// What is wrong and what to do, without file and place.
    pub fn message(&self) -> &str {
        match &self.cause {
            Cause::File { message, .. } => message,
            Cause::Content(error) => error.message(),
        }
    }

    fn parse_error(&self) -> Option<&ParseError> {
        match &self.cause {
            Cause::Content(error) => Some(error),
            Cause::File { .. } => None,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.cause {
            Cause::File { message, .. } => write!(f, "{path}: {message}"),
            Cause::Content(error) => match error.line() {
                // The form that editors and terminals can follow.
                Some(line) => write!(f, "{path}:{line}: {}", error.message),
                None => write!(f, "{path}: {error}"),
            },
        }
    }
}

impl Error for ReadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.cause {
            Cause::File { source, .. } => source.as_ref().map(|source| source as _),
            Cause::Content(error) => Some(error),
        }
    }
}

/// A problem inside a reader, at a byte of the text or of the file as a whole.
#[derive(Debug)]
pub(crate) struct Fault {
    offset: Option<usize>,
    message: String,
}

impl Fault {
    pub(crate) fn at(offset: usize, message: impl Into<String>) -> Self {
        Self { offset: Some(offset), message: message.into() }
    }

    pub(crate) fn whole(message: impl Into<String>) -> Self {
        Self { offset: None, message: message.into() }
    }

    /// Turns the offset into a line of `text`.
    pub(crate) fn in_text(self, text: &[u8]) -> ParseError {
        let place = self.offset.map_or(Place::Whole, |offset| Place::Line(line_at(text, offset)));
        ParseError { place, message: self.message }
    }

    /// Keeps the offset as it is, for a binary format.
    pub(crate) fn in_bytes(self) -> ParseError {
        let place = self.offset.map_or(Place::Whole, Place::Byte);
        ParseError { place, message: self.message }
    }

    /// Names the triangle that the offset lies in.
    pub(crate) fn in_triangle(self, triangle: usize) -> ParseError {
        let place = self.offset.map_or(Place::Whole, |byte| Place::Triangle { triangle, byte });
        ParseError { place, message: self.message }
    }
}

/// The line, from 1, that the byte at `offset` stands in.
pub(crate) fn line_at(text: &[u8], offset: usize) -> usize {
    let before = &text[..offset.min(text.len())];
    let ends = before
        .iter()
        .enumerate()
        .filter(|&(i, &b)| b == b'\n' || (b == b'\r' && text.get(i + 1) != Some(&b'\n')));
    1 + ends.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways() {
        let text = b"a\nb\r\nc\rd";
        let lines: Vec<_> = b"abcd"
            .iter()
            .map(|b| line_at(text, text.iter().position(|x| x == b).unwrap()))
            .collect();
        assert_eq!(lines, [1, 2, 3, 4]);
        assert_eq!(line_at(text, 1000), 4);
    }
}
