//! A container of named arrays, as docs/report-data.md has it: a directory in JSON, then the numbers, packed and in base64.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use glam::DVec3;
use serde::Serialize;

/// Where an array is.
#[derive(Serialize)]
pub(super) struct Array {
    r#type: &'static str,
    at: usize,
    length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<usize>,
}

/// How numbers are points: `min + step · q`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Box3 {
    min: [f64; 3],
    step: [f64; 3],
}

/// Arrays that are being put together.
#[derive(Default)]
pub(super) struct Arrays {
    entries: BTreeMap<String, Array>,
    data: Vec<u8>,
}

impl Arrays {
    /// With a delta, each number from there on is stored as the difference from the one so many places before.
    pub(super) fn u16(&mut self, name: &str, numbers: &[u16], delta: Option<usize>) {
        let delta = delta.filter(|&delta| delta < numbers.len());
        let stored = |(index, &number): (usize, &u16)| match delta {
            Some(delta) if index >= delta => number.wrapping_sub(numbers[index - delta]),
            _ => number,
        };
        let bytes = numbers.iter().enumerate().map(stored).flat_map(u16::to_le_bytes);
        let at = self.data.len();
        self.data.extend(bytes);
        self.close(name, Array { r#type: "u16", at, length: numbers.len(), delta });
    }

    pub(super) fn u32(&mut self, name: &str, numbers: &[u32]) {
        let at = self.data.len();
        self.data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self.close(name, Array { r#type: "u32", at, length: numbers.len(), delta: None });
    }

    fn close(&mut self, name: &str, entry: Array) {
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        self.entries.insert(name.to_owned(), entry);
    }

    pub(super) fn done(self) -> (BTreeMap<String, Array>, Vec<u8>) {
        (self.entries, self.data)
    }
}

/// Points as numbers on a grid around them.
pub(super) fn grid(frames: &[&[DVec3]]) -> (Box3, Vec<u16>) {
    let all = || frames.iter().flat_map(|points| points.iter().copied());
    let low = all().fold(DVec3::INFINITY, DVec3::min);
    let high = all().fold(DVec3::NEG_INFINITY, DVec3::max);
    let step = (high - low) / 65_535.0;
    let number = |value: f64, low: f64, step: f64| {
        let steps = if step > 0.0 { ((value - low) / step).round() } else { 0.0 };
        #[expect(clippy::cast_sign_loss, reason = "it is not below 0")]
        let steps = steps.clamp(0.0, 65_535.0) as u16;
        steps
    };
    let numbers =
        all().flat_map(|point| [0, 1, 2].map(|axis| number(point[axis], low[axis], step[axis])));
    let numbers = numbers.collect();
    (Box3 { min: low.to_array(), step: step.to_array() }, numbers)
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

/// As letters that a page can hold.
pub(crate) fn base64(bytes: &[u8]) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let mut number = 0;
        for place in 0..3 {
            number = number << 8 | u32::from(three.get(place).copied().unwrap_or(0));
        }
        for place in 0..4 {
            let letter = LETTERS[(number >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() { letter } else { b'=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_as_others_read_it() {
        let text = |bytes: &[u8]| String::from_utf8(base64(bytes)).expect("letters");
        let said = [&b""[..], b"f", b"fo", b"foo", b"foob", b"\xff\xfe\xfd"].map(text);
        assert_eq!(said, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "//79"]);
    }

    #[test]
    fn points_are_within_half_a_step() {
        let points: Vec<DVec3> =
            (0..50).map(|i| DVec3::new(f64::from(i * i % 17), 3.0, f64::from(i) * 0.1)).collect();
        let (grid, numbers) = super::grid(&[&points[..20], &points[20..]]);
        for (index, point) in points.iter().enumerate() {
            for axis in 0..3 {
                let back = grid.min[axis] + grid.step[axis] * f64::from(numbers[3 * index + axis]);
                assert!((back - point[axis]).abs() <= 0.5001 * grid.step[axis], "{index}");
            }
        }
        let mut arrays = Arrays::default();
        arrays.u16("a", &[5, 7, 4], Some(1));
        arrays.u32("b", &[9]);
        let (entries, data) = arrays.done();
        assert_eq!(data, [5, 0, 2, 0, 253, 255, 0, 0, 9, 0, 0, 0]);
        assert_eq!((entries["b"].at, entries["a"].delta), (8, Some(1)));
    }
}
