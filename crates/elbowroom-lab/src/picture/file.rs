//! A canvas as a PNG file.
//!
//! Rows are filtered, each by the filter that leaves the smallest numbers, and deflated by `miniz_oxide` at one level. The encoder's own way goes
//! through a deflate that other crates of a build may swap for a faster one, whose bytes are others; so only header and chunks are its work.

use miniz_oxide::deflate::compress_to_vec_zlib;
use png::{BitDepth, ColorType, Encoder, EncodingError, chunk};

/// Bytes a pixel.
const PIXEL: usize = 4;

/// Writes pixels of red, green, blue and cover.
pub(super) fn png(size: [u32; 2], pixels: &[u8]) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, size[0], size[1]);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    let filtered = filtered(pixels, PIXEL * size[0] as usize);
    writer.write_chunk(chunk::IDAT, &compress_to_vec_zlib(&filtered, 9))?;
    writer.finish()?;
    Ok(bytes)
}

/// Rows, each with its filter before it.
fn filtered(pixels: &[u8], width: usize) -> Vec<u8> {
    let mut all = Vec::with_capacity(pixels.len() + pixels.len() / width.max(1));
    let blank = vec![0; width];
    let mut above = &blank[..];
    for row in pixels.chunks_exact(width) {
        let tried = (0..5_u8).map(|filter| (filter, apply(filter, row, above)));
        // As signed numbers; the first of equals.
        let size = |row: &[u8]| -> u64 {
            row.iter().map(|&byte| u64::from(byte.cast_signed().unsigned_abs())).sum()
        };
        if let Some((filter, row)) = tried.min_by_key(|(_, row)| size(row)) {
            all.push(filter);
            all.extend(row);
        }
        above = row;
    }
    all
}

fn apply(filter: u8, row: &[u8], above: &[u8]) -> Vec<u8> {
    let before = |row: &[u8], i: usize| i.checked_sub(PIXEL).map_or(0, |i| row[i]);
    let guess = |i: usize| {
        let (left, up, corner) = (before(row, i), above[i], before(above, i));
        match filter {
            0 => 0,
            1 => left,
            2 => up,
            3 => u8::midpoint(left, up),
            _ => paeth(left, up, corner),
        }
    };
    (0..row.len()).map(|i| row[i].wrapping_sub(guess(i))).collect()
}

/// Of three neighbours, that which is nearest to where they lead.
fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, up, corner].map(i16::from);
    let lead = a + b - c;
    let [from_a, from_b, from_c] = [a, b, c].map(|n| (lead - n).abs());
    if from_a <= from_b && from_a <= from_c {
        left
    } else if from_b <= from_c {
        up
    } else {
        corner
    }
}
