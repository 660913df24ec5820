//! How JSON is laid out: a line for each thing in a list, so that the text is fit for `grep` and
//! `diff`; and for a terminal, whatever names it holds.

use std::io::{self, Write};

use serde_json::ser::Formatter;

use crate::messages::is_hidden;

/// Breaks lines inside the two outer levels only.
#[derive(Default)]
pub(crate) struct Shallow {
    depth: usize,
    /// Whether the innermost list or object has something in it.
    filled: bool,
}

impl Shallow {
    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: u8) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        out.write_all(&[bracket])
    }

    fn item<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        match self.depth {
            0..=2 => self.new_line(out),
            _ if first => Ok(()),
            _ => out.write_all(b" "),
        }
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: u8) -> io::Result<()> {
        self.depth -= 1;
        if self.filled && self.depth < 2 {
            self.new_line(out)?;
        }
        self.filled = true;
        out.write_all(&[bracket])
    }

    fn new_line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

/// JSON on one line.
pub(crate) struct Flat;

impl Formatter for Flat {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        write_safely(out, text)
    }
}

/// Writes a piece of a string; what would do something to a terminal as an escape, which means
/// the same to every reader.
fn write_safely<W: ?Sized + Write>(out: &mut W, text: &str) -> io::Result<()> {
    let mut rest = text;
    while let Some(at) = rest.find(is_hidden) {
        let (plain, hidden) = rest.split_at(at);
        out.write_all(plain.as_bytes())?;
        let mut left = hidden.chars();
        if let Some(c) = left.next() {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        rest = left.as_str();
    }
    out.write_all(rest.as_bytes())
}

impl Formatter for Shallow {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        write_safely(out, text)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b'[')
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b']')
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b'{')
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b'}')
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::{Serializer, json};

    use super::Shallow;

    #[test]
    fn lines_break_on_the_outer_levels_only() {
        let value = json!({"a": [], "b": [{"c": [[1, 2], [3, 4]]}, {}], "d": 0.1});
        let mut text = Vec::new();
        let mut serializer = Serializer::with_formatter(&mut text, Shallow::default());
        value.serialize(&mut serializer).unwrap();
        let text = String::from_utf8(text).unwrap();
        let expected = r#"{
  "a": [],
  "b": [
    {"c": [[1, 2], [3, 4]]},
    {}
  ],
  "d": 0.1
}"#;
        assert_eq!(text, expected);
    }
}
