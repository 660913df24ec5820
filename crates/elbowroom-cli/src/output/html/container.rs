//! A container of named arrays, as docs/report-data.md has it: a directory in JSON, then the
//! numbers, packed and in base64.
//!
//! Arrays with the same numbers are stored once: people who look alike or do the same share them.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use crate::output::base64::base64;

/// Where an array is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Array {
    r#type: &'static str,
    at: usize,
    length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<usize>,
}

/// A kind of number that arrays are of.
pub(super) trait Number: Copy {
    const TYPE: &'static str;
    /// The difference, wrapping around; the number itself where differences are not exact.
    fn since(self, before: Self) -> Self;
    fn put(self, bytes: &mut Vec<u8>);
}

macro_rules! whole_number {
    ($($number:ty, $name:literal;)*) => {$(
        impl Number for $number {
            const TYPE: &'static str = $name;
            fn since(self, before: Self) -> Self {
                self.wrapping_sub(before)
            }
            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        }
    )*};
}

whole_number! { u8, "u8"; u16, "u16"; i16, "i16"; u32, "u32"; }

impl Number for f32 {
    const TYPE: &'static str = "f32";
    fn since(self, _: Self) -> Self {
        self
    }
    fn put(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_le_bytes());
    }
}

/// Arrays that are being put together.
#[derive(Default)]
pub(super) struct Arrays {
    entries: BTreeMap<String, Array>,
    /// Names by a hash of what is stored under them.
    known: HashMap<u64, Vec<String>>,
    data: Vec<u8>,
}

impl Arrays {
    /// Stores numbers, and says under which name. With a delta, each whole number from there on is
    /// stored as the difference from the number this many places before.
    pub(super) fn add<N: Number>(
        &mut self,
        name: String,
        numbers: &[N],
        delta: Option<usize>,
    ) -> String {
        let delta = delta.filter(|&delta| delta < numbers.len() && N::TYPE != "f32");
        let at = self.data.len();
        for (index, &number) in numbers.iter().enumerate() {
            match delta {
                Some(delta) if index >= delta => number.since(numbers[index - delta]),
                _ => number,
            }
            .put(&mut self.data);
        }
        let entry = Array { r#type: N::TYPE, at, length: numbers.len(), delta };
        self.close(name, entry)
    }

    fn close(&mut self, name: String, entry: Array) -> String {
        let mut hasher = DefaultHasher::new();
        self.data[entry.at..].hash(&mut hasher);
        let alike = self.known.entry(hasher.finish()).or_default();
        let bytes = self.data.len() - entry.at;
        let same = alike.iter().find(|name| {
            let other = self.entries[*name];
            Array { at: entry.at, ..other } == entry
                && self.data[other.at..other.at + bytes] == self.data[entry.at..]
        });
        if let Some(same) = same {
            self.data.truncate(entry.at);
            return same.clone();
        }
        alike.push(name.clone());
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        self.entries.insert(name.clone(), entry);
        name
    }

    /// How many bytes there are, before they are packed.
    pub(super) fn bytes(&self) -> usize {
        self.data.len()
    }

    pub(super) fn done(self) -> (BTreeMap<String, Array>, Vec<u8>) {
        (self.entries, self.data)
    }
}

/// The container: packed, and as text.
pub(super) fn packed(directory: &impl Serialize, data: &[u8]) -> Vec<u8> {
    let directory = serde_json::to_vec(directory).unwrap_or_default();
    let mut bytes = b"elbshot1".to_vec();
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(directory);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.extend(data);
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    // Memory takes what is written.
    let packed = packer.write_all(&bytes).and_then(|()| packer.finish());
    base64(&packed.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_numbers_are_stored_once() {
        let mut arrays = Arrays::default();
        assert_eq!(arrays.add("a".into(), &[5_u16, 7, 4], Some(1)), "a");
        assert_eq!(arrays.add("b".into(), &[9_u32], None), "b");
        assert_eq!(arrays.add("c".into(), &[5_u16, 7, 4], Some(1)), "a");
        // Equal bytes of another kind, or without differences, are another array.
        assert_eq!(arrays.add("d".into(), &[9_u16, 0], None), "d");
        assert_eq!(arrays.add("e".into(), &[5_u16, 2, 65533], None), "e");
        assert_eq!(arrays.add("f".into(), &[1.0_f32], Some(1)), "f");
        let (entries, data) = arrays.done();
        assert_eq!(data[..12], [5, 0, 2, 0, 253, 255, 0, 0, 9, 0, 0, 0]);
        assert_eq!((entries["b"].at, entries["a"].delta, entries["f"].delta), (8, Some(1), None));
        assert_eq!(entries.len(), 5);
    }
}
