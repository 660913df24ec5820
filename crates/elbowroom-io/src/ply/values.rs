//! The numbers of the tables, from text or from bytes of either order.

use crate::error::Fault;
use crate::text::{Word, Words, coordinate, counted, grouped, parse_f64, quote};

use super::header::{Element, Encoding, Kind};

pub(super) enum Values<'a> {
    Text { words: Words<'a>, size: usize },
    Binary { bytes: &'a [u8], at: usize, big: bool },
}

impl<'a> Values<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize, encoding: Encoding) -> Self {
        match encoding {
            Encoding::Text => {
                Self::Text { words: Words::new(bytes, at, bytes.len()), size: bytes.len() }
            }
            Encoding::Little | Encoding::Big => {
                Self::Binary { bytes, at, big: encoding == Encoding::Big }
            }
        }
    }

    /// Where the next value is looked for.
    pub(super) fn place(&self) -> usize {
        match self {
            // The word, not the white space before it, so that the line is right.
            Self::Text { words, .. } => {
                words.clone().next().map_or(words.offset(), |word| word.offset)
            }
            Self::Binary { at, .. } => *at,
        }
    }

    /// Refuses a table that cannot be there: each of its rows takes some bytes at least.
    pub(super) fn check_room(&self, element: &Element) -> Result<(), Fault> {
        let (row, left) = match self {
            // A digit and a blank a value.
            Self::Text { words, size } => {
                (2 * element.properties.len() as u64, (size - words.offset()) as u64 + 1)
            }
            Self::Binary { bytes, at, .. } => {
                let sizes = element.properties.iter().map(|p| p.list.unwrap_or(p.kind).size());
                (sizes.sum(), (bytes.len() - at) as u64)
            }
        };
        if element.count.checked_mul(row).is_some_and(|needed| needed <= left) {
            return Ok(());
        }
        let message = format!(
            "the header promises {} of the element {}, {} at least a piece, but {} are left; the file is truncated or its count is wrong",
            grouped(element.count),
            quote(&element.name),
            counted(row as usize, "byte", "bytes"),
            counted(left as usize, "byte", "bytes"),
        );
        Err(Fault::at(self.place(), message))
    }

    pub(super) fn check_end(&self) -> Result<(), Fault> {
        let left = match self {
            Self::Text { words, .. } => words.clone().next().is_some(),
            Self::Binary { bytes, at, .. } => !bytes[*at..].trim_ascii().is_empty(),
        };
        if !left {
            return Ok(());
        }
        let message =
            "more values than the header announces; a count or a list of properties in it is wrong";
        Err(Fault::at(self.place(), message))
    }

    pub(super) fn coordinate(
        &mut self,
        kind: Kind,
        axis: usize,
        vertex: u64,
    ) -> Result<f64, Fault> {
        match self {
            Self::Text { .. } => coordinate(self.word()?),
            Self::Binary { at, .. } => {
                let place = *at;
                let value = self.number(kind)?;
                if value.is_finite() {
                    return Ok(value);
                }
                let axis = ["x", "y", "z"][axis];
                let message = format!(
                    "{axis} of vertex {vertex} is {value}; give the vertex a place, or remove it and its faces"
                );
                Err(Fault::at(place, message))
            }
        }
    }

    /// The count in front of a list.
    pub(super) fn count(&mut self, kind: Kind) -> Result<u64, Fault> {
        let (place, value) = self.whole(kind)?;
        u64::try_from(value)
            .map_err(|_| Fault::at(place, format!("a list of {value} values; the count is wrong")))
    }

    /// A corner of a face, below the number of vertices.
    pub(super) fn index(&mut self, kind: Kind, vertices: u64) -> Result<u32, Fault> {
        let (place, value) = self.whole(kind)?;
        in_range(value, vertices).ok_or_else(|| out_of_range(place, value, vertices))
    }

    /// A corner of a strip, or `None` where the strip is cut.
    pub(super) fn index_or_cut(&mut self, kind: Kind, vertices: u64) -> Result<Option<u32>, Fault> {
        match self.whole(kind)? {
            (_, -1) => Ok(None),
            (place, value) => in_range(value, vertices)
                .map(Some)
                .ok_or_else(|| out_of_range(place, value, vertices)),
        }
    }

    pub(super) fn skip(&mut self, kind: Kind, count: u64) -> Result<(), Fault> {
        match self {
            Self::Text { .. } => {
                for _ in 0..count {
                    self.word()?;
                }
                Ok(())
            }
            Self::Binary { bytes, at, .. } => {
                let length = kind.size().saturating_mul(count);
                if length > (bytes.len() - *at) as u64 {
                    return Err(cut_short(bytes.len()));
                }
                *at += length as usize;
                Ok(())
            }
        }
    }

    /// A whole number, of whatever type it is, and its place.
    fn whole(&mut self, kind: Kind) -> Result<(usize, i64), Fault> {
        let Self::Binary { at: place, .. } = *self else {
            let word = self.word()?;
            let value = std::str::from_utf8(word.bytes).ok().and_then(|digits| digits.parse().ok());
            return value.map(|value| (word.offset, value)).ok_or_else(|| {
                let word_shown = quote(word.bytes);
                let message =
                    format!("{word_shown} is not a whole number, as a count or an index must be");
                Fault::at(word.offset, message)
            });
        };
        let value = self.number(kind)?;
        // Any type that holds 32 bits is exact in f64; a float column may hold anything.
        if value.trunc() == value && value.abs() < 1e15 {
            Ok((place, value as i64))
        } else {
            Err(Fault::at(place, format!("{value} is not a whole number, as an index must be")))
        }
    }

    fn word(&mut self) -> Result<Word<'a>, Fault> {
        match self {
            Self::Text { words, size } => words.next().ok_or_else(|| cut_short(*size)),
            Self::Binary { at, .. } => Err(cut_short(*at)),
        }
    }

    fn number(&mut self, kind: Kind) -> Result<f64, Fault> {
        let (bytes, at, big) = match self {
            Self::Text { .. } => {
                let word = self.word()?;
                return parse_f64(word.bytes).ok_or_else(|| {
                    Fault::at(word.offset, format!("{} is not a number", quote(word.bytes)))
                });
            }
            Self::Binary { bytes, at, big } => (bytes, at, *big),
        };
        let size = kind.size() as usize;
        let Some(raw) = bytes.get(*at..*at + size) else {
            return Err(cut_short(bytes.len()));
        };
        *at += size;
        let mut le = [0; 8];
        le[..size].copy_from_slice(raw);
        if big {
            le[..size].reverse();
        }
        let [a, b, c, d, ..] = le;
        Ok(match kind {
            Kind::I8 => f64::from(i8::from_le_bytes([a])),
            Kind::U8 => f64::from(a),
            Kind::I16 => f64::from(i16::from_le_bytes([a, b])),
            Kind::U16 => f64::from(u16::from_le_bytes([a, b])),
            Kind::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Kind::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Kind::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Kind::F64 => f64::from_le_bytes(le),
        })
    }
}

fn in_range(value: i64, vertices: u64) -> Option<u32> {
    let index = u32::try_from(value).ok()?;
    (u64::from(index) < vertices).then_some(index)
}

#[cold]
fn out_of_range(place: usize, value: i64, vertices: u64) -> Fault {
    let known = counted(vertices as usize, "vertex", "vertices");
    Fault::at(place, format!("face index {value} names no vertex; the file has {known}, from 0"))
}

#[cold]
fn cut_short(size: usize) -> Fault {
    Fault::at(
        size,
        "the file ends in the middle of a table; it is truncated or a count in its header is wrong",
    )
}
