//! The header: which tables follow, and what stands in their columns.

use crate::error::Fault;
use crate::text::{Word, Words, counted, line_length, quote};

/// How the tables are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    Little,
    Big,
}

/// The type of a number.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    pub(super) fn size(self) -> u64 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }
}

/// A column: one number, or a list with the type of its count.
pub(super) struct Property {
    pub(super) name: Vec<u8>,
    pub(super) kind: Kind,
    pub(super) list: Option<Kind>,
}

/// A table.
pub(super) struct Element {
    pub(super) name: Vec<u8>,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
    /// Where the header announces it.
    pub(super) offset: usize,
}

impl Element {
    /// The first column that has one of the names.
    pub(super) fn find(&self, names: &[&[u8]]) -> Option<usize> {
        self.properties.iter().position(|property| names.contains(&&*property.name))
    }
}

pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// The first byte of the tables.
    pub(super) body: usize,
}

/// Reads the lines from `ply` to `end_header`.
pub(super) fn read(bytes: &[u8]) -> Result<Header, Fault> {
    if bytes.is_empty() {
        return Err(Fault::whole("the file is empty; export the mesh again"));
    }
    let first = line_length(&bytes[..bytes.len().min(80)]);
    if bytes[..first].trim_ascii() != b"ply" {
        return Err(Fault::at(0, "not a PLY file: the first line must be \"ply\""));
    }
    let mut encoding = None;
    let mut elements = Vec::new();
    let mut at = next_line(bytes, first);
    while at < bytes.len() {
        let end = at + line_length(&bytes[at..]);
        let mut words = Words::new(bytes, at, end);
        at = next_line(bytes, end);
        let Some(keyword) = words.next() else { continue };
        match keyword.bytes {
            b"comment" | b"obj_info" => {}
            b"format" => encoding = Some(format(keyword, words)?),
            b"element" => elements.push(element(keyword, words)?),
            b"property" => {
                let property = property(keyword, words)?;
                let last = elements.last_mut().ok_or_else(|| {
                    Fault::at(keyword.offset, "property before any element; name the element first")
                })?;
                last.properties.push(property);
            }
            b"end_header" => {
                let encoding = encoding.ok_or_else(|| {
                    Fault::at(
                        keyword.offset,
                        "the header has no format line; write \"format ascii 1.0\", or binary_little_endian",
                    )
                })?;
                return Ok(Header { encoding, elements, body: at.min(bytes.len()) });
            }
            _ => {
                let message = format!(
                    "{} in the header is not known; it should be element, property, comment or end_header",
                    quote(keyword.bytes)
                );
                return Err(Fault::at(keyword.offset, message));
            }
        }
    }
    Err(Fault::at(bytes.len(), "the file ends before \"end_header\"; it is truncated"))
}

/// Where the line behind the line end at `end` begins. A lone CR ends a line; the byte behind it
/// may be data.
fn next_line(bytes: &[u8], end: usize) -> usize {
    if bytes[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 }
}

fn format(keyword: Word<'_>, mut words: Words<'_>) -> Result<Encoding, Fault> {
    match words.next().map(|word| word.bytes) {
        Some(b"ascii") => Ok(Encoding::Text),
        Some(b"binary_little_endian") => Ok(Encoding::Little),
        Some(b"binary_big_endian") => Ok(Encoding::Big),
        other => {
            let message = format!(
                "format {} is not known; it should be ascii, binary_little_endian or binary_big_endian",
                quote(other.unwrap_or_default())
            );
            Err(Fault::at(keyword.offset, message))
        }
    }
}

fn element(keyword: Word<'_>, mut words: Words<'_>) -> Result<Element, Fault> {
    let (name, count) = (words.next(), words.next());
    let digits = count.and_then(|word| std::str::from_utf8(word.bytes).ok());
    match (name, digits.and_then(|digits| digits.parse().ok())) {
        (Some(name), Some(count)) => Ok(Element {
            name: name.bytes.to_vec(),
            count,
            properties: Vec::new(),
            offset: keyword.offset,
        }),
        _ => Err(Fault::at(
            keyword.offset,
            "an element needs a name and a count, like \"element vertex 8\"",
        )),
    }
}

fn property(keyword: Word<'_>, mut words: Words<'_>) -> Result<Property, Fault> {
    let mut fields = [b"".as_slice(); 4];
    let mut given = 0;
    for (field, word) in fields.iter_mut().zip(words.by_ref()) {
        *field = word.bytes;
        given += 1;
    }
    let (kind, list, name) = match fields {
        [b"list", count, kind, name] if given == 4 => (kind, Some(count), name),
        [kind, name, _, _] if given == 2 => (kind, None, name),
        _ => {
            let message = format!(
                "property of {}; it should be \"property TYPE NAME\" or \"property list TYPE TYPE NAME\"",
                counted(given, "word", "words")
            );
            return Err(Fault::at(keyword.offset, message));
        }
    };
    let known = |name: &[u8]| {
        Kind::named(name).ok_or_else(|| {
            let message = format!(
                "type {} is not known; it should be one of char, uchar, short, ushort, int, uint, float, double",
                quote(name)
            );
            Fault::at(keyword.offset, message)
        })
    };
    let list = list.map(known).transpose()?;
    if matches!(list, Some(Kind::F32 | Kind::F64)) {
        return Err(Fault::at(keyword.offset, "the count of a list must be a whole number type"));
    }
    Ok(Property { name: name.to_vec(), kind: known(kind)?, list })
}
