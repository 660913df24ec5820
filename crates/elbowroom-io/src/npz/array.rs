//! The header of an array: type, order and shape.

use std::io::Read;

use super::store::Entry;
use crate::error::Fault;
use crate::limits;
use crate::text::grouped;

/// The types of numbers that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

impl Number {
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// The number at a place of an array; indices beyond 2⁵³ lose their last bits, and are no
    /// vertices anyway.
    pub(super) fn value(self, bytes: &[u8], big: bool, index: usize) -> Option<f64> {
        let size = self.size();
        let start = index.checked_mul(size)?;
        let raw = bytes.get(start..start.checked_add(size)?)?;
        let mut le = [0; 8];
        le[..size].copy_from_slice(raw);
        if big {
            le[..size].reverse();
        }
        let [a, b, c, d, ..] = le;
        Some(match self {
            Self::I8 => f64::from(i8::from_le_bytes([a])),
            Self::U8 => f64::from(a),
            Self::I16 => f64::from(i16::from_le_bytes([a, b])),
            Self::U16 => f64::from(u16::from_le_bytes([a, b])),
            Self::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Self::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Self::F16 => half(u16::from_le_bytes([a, b])),
            Self::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Self::I64 => i64::from_le_bytes(le) as f64,
            Self::U64 => u64::from_le_bytes(le) as f64,
            Self::F64 => f64::from_le_bytes(le),
        })
    }

    /// From a type string like `<f4`; with whether the bytes are in the big order.
    fn parse(descr: &str) -> Option<(Self, bool)> {
        let (order, kind) = descr.split_at_checked(1)?;
        let big = match order {
            "<" | "|" | "=" => false,
            ">" => true,
            _ => return None,
        };
        let number = match kind {
            "i1" => Self::I8,
            "u1" => Self::U8,
            "i2" => Self::I16,
            "u2" => Self::U16,
            "i4" => Self::I32,
            "u4" => Self::U32,
            "i8" => Self::I64,
            "u8" => Self::U64,
            "f2" => Self::F16,
            "f4" => Self::F32,
            "f8" => Self::F64,
            _ => return None,
        };
        Some((number, big))
    }
}

#[derive(Debug)]
pub(super) struct Header {
    pub(super) number: Number,
    pub(super) big: bool,
    pub(super) fortran: bool,
    pub(super) shape: Vec<usize>,
    /// How many bytes stand before the numbers.
    pub(super) length: u64,
}

impl Header {
    pub(super) fn read(reader: &mut dyn Read, entry: &Entry) -> Result<Self, Fault> {
        let name = entry.array_name();
        let cut =
            || Fault::whole(format!("array {name} ends in its header; the file is truncated"));
        let mut take = |count: usize| {
            let mut bytes = vec![0; count];
            reader.read_exact(&mut bytes).map_err(|_| cut())?;
            Ok::<_, Fault>(bytes)
        };
        let start = take(8)?;
        if !start.starts_with(b"\x93NUMPY") {
            return Err(Fault::whole(format!("array {name} does not begin as an NPY file")));
        }
        let (bytes, before) = match start[6] {
            1 => (take(2)?, 10),
            2 | 3 => (take(4)?, 12),
            other => {
                return Err(Fault::whole(format!(
                    "array {name} is of NPY version {other}; 1, 2 and 3 are known"
                )));
            }
        };
        let length = bytes.iter().rev().fold(0_usize, |sum, &byte| sum << 8 | usize::from(byte));
        if length > limits::NPY_HEADER_BYTES {
            let length = grouped(length as u64);
            return Err(Fault::whole(format!(
                "the header of array {name} states a length of {length} bytes, which no array needs"
            )));
        }
        let text = take(length)?;
        let text = String::from_utf8_lossy(&text);
        let bad = |what: &str| {
            Fault::whole(format!(
                "the header of array {name} {what}; save plain numbers, not objects or records"
            ))
        };
        let field =
            |key: &str| text.split_once(&format!("'{key}':")).map(|(_, rest)| rest.trim_start());
        let descr = field("descr").and_then(|rest| rest.strip_prefix('\'')?.split('\'').next());
        let (number, big) =
            descr.and_then(Number::parse).ok_or_else(|| bad("has no type of plain numbers"))?;
        let fortran =
            field("fortran_order").ok_or_else(|| bad("has no order"))?.starts_with("True");
        let shape = field("shape").and_then(shape).ok_or_else(|| bad("has no shape"))?;
        Ok(Self { number, big, fortran, shape, length: (before + length) as u64 })
    }

    /// How many bytes the numbers take.
    pub(super) fn bytes(&self) -> Result<u64, Fault> {
        let sizes = self.shape.iter().copied().chain([self.number.size()]);
        sizes
            .map(|size| size as u64)
            .try_fold(1_u64, u64::checked_mul)
            .ok_or_else(|| Fault::whole("the shape of an array is larger than any memory"))
    }

    /// Compares the shape with what the archive holds.
    pub(super) fn check_size(&self, entry: &Entry) -> Result<(), Fault> {
        let needed = self.bytes()?.saturating_add(self.length);
        if needed == entry.size {
            return Ok(());
        }
        let shape = format!("{:?}", self.shape);
        Err(Fault::whole(format!(
            "array {} of the shape ({}) takes {} bytes, but the archive holds {}; the file is truncated or its header is wrong",
            entry.array_name(),
            shape.trim_matches(['[', ']']),
            grouped(needed),
            grouped(entry.size)
        )))
    }
}

/// The value of a 16-bit float (IEEE 754 binary16), which f64 holds exactly.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let fraction = f64::from(bits & 0x3ff);
    match i32::from(bits >> 10 & 0x1f) {
        0 => sign * fraction * 2_f64.powi(-24),
        0x1f if fraction == 0.0 => sign * f64::INFINITY,
        0x1f => f64::NAN,
        exponent => sign * (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    }
}

/// A tuple of whole numbers: `(3, 4, 3)`, `(3,)`, `()`.
fn shape(text: &str) -> Option<Vec<usize>> {
    let (inside, _) = text.strip_prefix('(')?.split_once(')')?;
    let sizes = inside.split(',').map(str::trim).filter(|size| !size.is_empty());
    let sizes: Vec<usize> = sizes.take(9).map(|size| size.parse().ok()).collect::<Option<_>>()?;
    (sizes.len() <= 8).then_some(sizes)
}
