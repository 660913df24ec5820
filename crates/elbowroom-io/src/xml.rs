//! XML as a tree, with the place of everything in it.
//!
//! Parsed by roxmltree, which nests without recursion and expands no entities unless asked to. A document type declaration is refused: the
//! files that we read never need one, and entities in it can grow a kilobyte to gigabytes.

use roxmltree::{Document, Error, Node, ParsingOptions};

use crate::error::Fault;
use crate::text::{parse_f64, quote};

/// The bytes as text, without the mark that some editors put in front.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Fault> {
    if bytes.is_empty() {
        return Err(Fault::whole("the file is empty; export it again"));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(Fault::at(0, "the text is UTF-16; save it as UTF-8"));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        Fault::at(error.valid_up_to(), "the text is not UTF-8 here; save the file as UTF-8")
    })
}

/// How many attributes one element may have.
const MAX_ATTRIBUTES: usize = 10_000;

/// The tree of a document.
pub(crate) fn parse(text: &str) -> Result<Document<'_>, Fault> {
    check_attributes(text)?;
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let offset = match error {
            Error::UnclosedRootNode | Error::UnexpectedEndOfStream => text.len(),
            _ => line_start(text, error.pos().row),
        };
        let message = match error {
            Error::DtdDetected => {
                "a <!DOCTYPE …> is refused, since entities in it can grow without end; remove it"
                    .to_owned()
            }
            error => format!("not well-formed XML ({error}); the file is damaged or not XML"),
        };
        Fault::at(offset, message)
    })
}

/// Refuses an element with very many attributes: each is compared with all before it, which takes a square of time.
fn check_attributes(text: &str) -> Result<(), Fault> {
    let mut count = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => count = 0,
            b'=' => count += 1,
            _ => {}
        }
        if count > MAX_ATTRIBUTES {
            return Err(Fault::at(
                at,
                format!("an element with more than {MAX_ATTRIBUTES} attributes"),
            ));
        }
    }
    Ok(())
}

/// Where line `row`, from 1, begins.
fn line_start(text: &str, row: u32) -> usize {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).nth((row as usize).saturating_sub(1)).unwrap_or(text.len())
}

/// Where an element begins.
pub(crate) fn place(node: Node<'_, '_>) -> usize {
    node.range().start
}

/// The child elements of that name, whatever their namespace.
pub(crate) fn children<'a, 'i>(
    node: Node<'a, 'i>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The first child element of that name.
pub(crate) fn child<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// An attribute that must be there.
pub(crate) fn required<'a>(node: Node<'a, '_>, name: &str) -> Result<&'a str, Fault> {
    node.attribute(name).ok_or_else(|| {
        let tag = node.tag_name().name();
        Fault::at(place(node), format!("<{tag}> without the attribute \"{name}\""))
    })
}

fn finite(node: Node<'_, '_>, name: &str, word: &str) -> Result<f64, Fault> {
    parse_f64(word.as_bytes()).filter(|value| value.is_finite()).ok_or_else(|| {
        let (tag, word) = (node.tag_name().name(), quote(word.as_bytes()));
        Fault::at(place(node), format!("{word} in \"{name}\" of <{tag}> is not a finite number"))
    })
}

/// Exactly `N` numbers of an attribute, if it is there.
pub(crate) fn exactly<const N: usize>(
    node: Node<'_, '_>,
    name: &str,
) -> Result<Option<[f64; N]>, Fault> {
    let Some(text) = node.attribute(name) else { return Ok(None) };
    let mut values = [0.0; N];
    let mut count = 0;
    for word in text.split_ascii_whitespace() {
        let value = finite(node, name, word)?;
        if let Some(slot) = values.get_mut(count) {
            *slot = value;
        }
        count += 1;
    }
    if count == N {
        return Ok(Some(values));
    }
    let tag = node.tag_name().name();
    Err(Fault::at(place(node), format!("\"{name}\" of <{tag}> has {count} numbers; it needs {N}")))
}

/// One number of an attribute, if it is there.
pub(crate) fn number(node: Node<'_, '_>, name: &str) -> Result<Option<f64>, Fault> {
    Ok(exactly::<1>(node, name)?.map(|[value]| value))
}
