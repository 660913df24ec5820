//! Buffer views that are compressed with meshopt (`EXT_meshopt_compression`, and
//! `KHR_meshopt_compression`, which adds version 1 of the attribute stream).
//!
//! Source: the specifications of the two extensions. Three kinds of streams: attributes (deltas of
//! bytes in groups of 16, each group of 0 to 8 bits), triangles (edges and vertices of late), and
//! index sequences (deltas to one of two baselines); and filters, which turn what was decoded into
//! quaternions, unit vectors or floats. Colours are left as they are: nothing here reads any.
//!
//! Invariants: the decoded size is compared with the encoded one before anything is allocated; no
//! byte outside of the stream is read; a stream that is too long or too short is refused.

use crate::error::Fault;
use crate::text::{grouped, quote};

use super::schema::Meshopt;

/// The bytes of vertices that are decoded at once, at most.
const BLOCK_BYTES: usize = 8192;

/// The vertices that are decoded at once, at most.
const BLOCK: usize = 256;

/// Bytes are encoded in groups of this length.
const GROUP: usize = 16;

/// What is wrong with a stream.
type Wrong = &'static str;

const TRUNCATED: Wrong = "is truncated";
const LEFTOVER: Wrong = "goes on behind its last element";
const UNKNOWN: Wrong = "is of a version that is not known";

/// The decoded bytes of a view: `count` elements of `stride` bytes.
///
/// # Errors
/// What is wrong with the stream, or with what the view says of it.
pub(super) fn decode(view: &Meshopt, stream: &[u8], place: &str) -> Result<Vec<u8>, Fault> {
    let wrong = |problem: &str| {
        Fault::whole(format!("{place}: its meshopt stream {problem}; export the file again"))
    };
    let (count, stride) = (view.count, view.byte_stride);
    let fewest = fewest_bytes(view).ok_or_else(|| {
        let (mode, stride) = (quote(view.mode.as_bytes()), grouped(stride as u64));
        Fault::whole(format!(
            "{place} is compressed in the mode {mode} with elements of {stride} bytes, which meshopt does not have; export the file again"
        ))
    })?;
    if stream.len() < fewest {
        return Err(wrong(TRUNCATED));
    }
    let mut out = vec![0; count * stride];
    match view.mode.as_str() {
        "ATTRIBUTES" => attributes(stream, stride, &mut out),
        "TRIANGLES" => triangles(stream, count, &mut |at, index| put(&mut out, at, stride, index)),
        _ => sequence(stream, count, &mut |at, index| put(&mut out, at, stride, index)),
    }
    .map_err(wrong)?;
    let is_plain = view.mode != "ATTRIBUTES";
    match (view.filter.as_deref(), stride) {
        (None | Some("NONE"), _) | (Some("COLOR"), 4 | 8) => {}
        (Some("OCTAHEDRAL"), 4) if !is_plain => octahedral::<1>(&mut out),
        (Some("OCTAHEDRAL"), 8) if !is_plain => octahedral::<2>(&mut out),
        (Some("QUATERNION"), 8) if !is_plain => quaternions(&mut out),
        (Some("EXPONENTIAL"), _) if !is_plain => floats(&mut out),
        (Some(other), _) => {
            let filter = quote(other.as_bytes());
            return Err(Fault::whole(format!(
                "{place} is compressed with the filter {filter}, which does not fit its elements of {stride} bytes; export the file again"
            )));
        }
    }
    Ok(out)
}

/// The fewest bytes that a stream of the view's elements can take; `None` if there is none such.
fn fewest_bytes(view: &Meshopt) -> Option<usize> {
    let (count, stride) = (view.count, view.byte_stride);
    match view.mode.as_str() {
        "ATTRIBUTES" if stride.is_multiple_of(4) && (4..=256).contains(&stride) => {
            Some(count.div_ceil(BLOCK).saturating_mul(stride / 4).saturating_add(1 + stride))
        }
        "TRIANGLES" if matches!(stride, 2 | 4) && count.is_multiple_of(3) => {
            Some((count / 3).saturating_add(17))
        }
        "INDICES" if matches!(stride, 2 | 4) => Some(count.saturating_add(5)),
        _ => None,
    }
}

/// Writes an index of two or four bytes.
fn put(out: &mut [u8], at: usize, stride: usize, index: u32) {
    let bytes = index.to_le_bytes();
    out[at * stride..(at + 1) * stride].copy_from_slice(&bytes[..stride]);
}

/// A stream that is read from its front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Wrong> {
        let (own, rest) = self.0.split_at_checked(count).ok_or(TRUNCATED)?;
        self.0 = rest;
        Ok(own)
    }

    fn byte(&mut self) -> Result<u8, Wrong> {
        Ok(self.take(1)?[0])
    }

    /// A number of up to five bytes of seven bits, the lowest first.
    fn number(&mut self) -> Result<u32, Wrong> {
        let mut number = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= u32::from(byte & 127) << shift;
            if byte < 128 {
                break;
            }
        }
        Ok(number)
    }
}

/// A difference whose lowest bit is its sign.
fn signed(v: u32) -> u32 {
    (v >> 1) ^ 0_u32.wrapping_sub(v & 1)
}

/// Vertices of `stride` bytes: blocks of differences, then the vertex before the first at the end.
fn attributes(stream: &[u8], stride: usize, out: &mut [u8]) -> Result<(), Wrong> {
    let (&header, stream) = stream.split_first().ok_or(TRUNCATED)?;
    let version = header & 15;
    if header & 0xf0 != 0xa0 || version > 1 {
        return Err(UNKNOWN);
    }
    // Behind the vertex stand the kinds of its channels of four bytes.
    let kinds = if version == 0 { 0 } else { stride / 4 };
    let padded = (stride + kinds).max(if version == 0 { 32 } else { 24 });
    let body = stream.len().checked_sub(padded).ok_or(TRUNCATED)?;
    let (last, kinds) = stream[stream.len() - stride - kinds..].split_at(stride);
    let mut block = Block { stride, last: last.to_vec(), kinds, version };
    let mut reader = Reader(&stream[..body]);
    let length = ((BLOCK_BYTES / stride) & !(GROUP - 1)).min(BLOCK);
    for vertices in out.chunks_mut(length * stride) {
        block.decode(&mut reader, vertices)?;
    }
    if reader.0.is_empty() { Ok(()) } else { Err(LEFTOVER) }
}

/// What the blocks of a stream share.
struct Block<'a> {
    stride: usize,
    /// The vertex before the next.
    last: Vec<u8>,
    kinds: &'a [u8],
    version: u8,
}

impl Block<'_> {
    fn decode(&mut self, reader: &mut Reader<'_>, vertices: &mut [u8]) -> Result<(), Wrong> {
        let count = vertices.len() / self.stride;
        let controls = reader.take(if self.version == 0 { 0 } else { self.stride / 4 })?;
        // The differences of four bytes of all vertices, byte by byte.
        let mut planes = [[0; BLOCK]; 4];
        for channel in 0..self.stride / 4 {
            for (j, plane) in planes.iter_mut().enumerate() {
                let bits: [u32; 4] = match controls.get(channel).map(|c| c >> (2 * j) & 3) {
                    None => [0, 2, 4, 8],
                    Some(0) => [0, 1, 2, 4],
                    Some(1) => [1, 2, 4, 8],
                    Some(2) => {
                        plane[..count].fill(0);
                        continue;
                    }
                    Some(_) => {
                        plane[..count].copy_from_slice(reader.take(count)?);
                        continue;
                    }
                };
                bytes(reader, &mut plane[..count.next_multiple_of(GROUP)], bits)?;
            }
            let kind = self.kinds.get(channel).copied().unwrap_or(0);
            self.sum(&planes, kind, 4 * channel, vertices)?;
        }
        self.last.copy_from_slice(&vertices[vertices.len() - self.stride..]);
        Ok(())
    }

    /// Adds the differences of four bytes up, from the vertex before on.
    fn sum(
        &self,
        planes: &[[u8; BLOCK]; 4],
        kind: u8,
        at: usize,
        vertices: &mut [u8],
    ) -> Result<(), Wrong> {
        let own = at..at + 4;
        let mut last = self.last[own.clone()].first_chunk::<4>().map_or([0; 4], |b| *b);
        let turn = u32::from(kind >> 4);
        for (i, vertex) in vertices.chunks_exact_mut(self.stride).enumerate() {
            let d: [u8; 4] = [planes[0][i], planes[1][i], planes[2][i], planes[3][i]];
            last = match kind & 3 {
                0 => std::array::from_fn(|j| last[j].wrapping_add(signed(u32::from(d[j])) as u8)),
                1 => {
                    let half = |low: usize| {
                        let of = |b: [u8; 4]| u16::from_le_bytes([b[low], b[low + 1]]);
                        of(last).wrapping_add(signed(u32::from(of(d))) as u16).to_le_bytes()
                    };
                    let [[a, b], [c, d]] = [half(0), half(2)];
                    [a, b, c, d]
                }
                2 => (u32::from_le_bytes(d).rotate_right(turn) ^ u32::from_le_bytes(last))
                    .to_le_bytes(),
                _ => return Err("has a channel of a kind that is not known"),
            };
            vertex[own.clone()].copy_from_slice(&last);
        }
        Ok(())
    }
}

/// Groups of 16 bytes, each of as many bits as two bits before all groups choose of `widths`.
fn bytes(reader: &mut Reader<'_>, out: &mut [u8], widths: [u32; 4]) -> Result<(), Wrong> {
    let headers = reader.take((out.len() / GROUP).div_ceil(4))?;
    for (at, group) in out.chunks_exact_mut(GROUP).enumerate() {
        let width = widths[usize::from(headers[at / 4] >> (2 * (at % 4)) & 3)];
        match width {
            0 => group.fill(0),
            8 => group.copy_from_slice(reader.take(GROUP)?),
            _ => {
                let packed = reader.take(2 * width as usize)?;
                let per_byte = 8 / width as usize;
                let all = (1_u8 << width) - 1;
                for (i, value) in group.iter_mut().enumerate() {
                    let within = (i % per_byte) as u32;
                    // Single bits begin with the lowest, others with the highest.
                    let shift = if width == 1 { within } else { 8 - width * (within + 1) };
                    *value = packed[i / per_byte] >> shift & all;
                    // All bits set means that the byte follows.
                    if *value == all {
                        *value = reader.byte()?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// The last 16 of something; a place is counted back from the next.
struct Recent<T> {
    of: [T; 16],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn new(fill: T) -> Self {
        Self { of: [fill; 16], next: 0 }
    }

    fn back(&self, places: u8) -> T {
        self.of[self.next.wrapping_sub(usize::from(places)) & 15]
    }

    fn push(&mut self, item: T) {
        self.of[self.next & 15] = item;
        self.next = self.next.wrapping_add(1);
    }
}

/// Indices of triangles: a byte for each triangle, then what these do not say, then a table.
struct Triangles<'a> {
    reader: Reader<'a>,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The lowest index that was not used yet.
    next: u32,
    /// The last index that was written as a difference.
    last: u32,
}

fn triangles(stream: &[u8], count: usize, put: &mut dyn FnMut(usize, u32)) -> Result<(), Wrong> {
    let (&header, stream) = stream.split_first().ok_or(TRUNCATED)?;
    if header & 0xf0 != 0xe0 || header & 15 > 1 {
        return Err(UNKNOWN);
    }
    let (codes, rest) = stream.split_at_checked(count / 3).ok_or(TRUNCATED)?;
    let data = rest.len().checked_sub(16).ok_or(TRUNCATED)?;
    let (data, table) = rest.split_at(data);
    let mut state = Triangles {
        reader: Reader(data),
        edges: Recent::new([u32::MAX; 2]),
        vertices: Recent::new(u32::MAX),
        next: 0,
        last: 0,
    };
    // Version 1 has two codes for the neighbours of the last index.
    let first_free = if header == 0xe0 { 15 } else { 13 };
    for (at, &code) in codes.iter().enumerate() {
        let corners = match code {
            0..0xf0 => state.on_edge(code, first_free)?,
            0xf0..0xfe => state.apart(0, table[usize::from(code & 15)], false)?,
            _ => {
                let of_others = state.reader.byte()?;
                state.apart(if code == 0xfe { 0 } else { 15 }, of_others, true)?
            }
        };
        for (i, corner) in corners.into_iter().enumerate() {
            put(3 * at + i, corner);
        }
    }
    if state.reader.0.is_empty() { Ok(()) } else { Err(LEFTOVER) }
}

impl Triangles<'_> {
    fn unused(&mut self) -> u32 {
        let index = self.next;
        self.next = index.wrapping_add(1);
        index
    }

    fn difference(&mut self) -> Result<u32, Wrong> {
        self.last = self.last.wrapping_add(signed(self.reader.number()?));
        Ok(self.last)
    }

    /// A triangle on an edge of late.
    fn on_edge(&mut self, code: u8, first_free: u8) -> Result<[u32; 3], Wrong> {
        let [a, b] = self.edges.back((code >> 4) + 1);
        let of_third = code & 15;
        let c = match of_third {
            0 => self.unused(),
            _ if of_third < first_free => self.vertices.back(of_third + 1),
            15 => self.difference()?,
            _ => {
                let step = if of_third == 13 { u32::MAX } else { 1 };
                self.last = self.last.wrapping_add(step);
                self.last
            }
        };
        if of_third == 0 || of_third >= first_free {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// A triangle on no edge of late; the codes of its corners are 0 for an unused vertex, 15 for a
    /// difference, or how far back the vertex is. In the table 15 is a place as others.
    fn apart(&mut self, first: u8, others: u8, is_free: bool) -> Result<[u32; 3], Wrong> {
        let codes = [first, others >> 4, others & 15];
        // Zeros that are not from the table begin at 0 again.
        if is_free && others == 0 {
            self.next = 0;
        }
        let is_difference = |code: u8| is_free && code == 15;
        let mut corners = [0; 3];
        for (corner, &code) in corners.iter_mut().zip(&codes) {
            *corner = match code {
                0 => self.unused(),
                _ if is_difference(code) => 0,
                _ => self.vertices.back(code),
            };
        }
        for (corner, &code) in corners.iter_mut().zip(&codes) {
            if is_difference(code) {
                *corner = self.difference()?;
            }
        }
        for (&corner, &code) in corners.iter().zip(&codes) {
            if code == 0 || is_difference(code) {
                self.vertices.push(corner);
            }
        }
        let [a, b, c] = corners;
        for edge in [[b, a], [c, b], [a, c]] {
            self.edges.push(edge);
        }
        Ok(corners)
    }
}

/// Indices, each as the difference to one of two before it.
fn sequence(stream: &[u8], count: usize, put: &mut dyn FnMut(usize, u32)) -> Result<(), Wrong> {
    let (&header, stream) = stream.split_first().ok_or(TRUNCATED)?;
    if header & 0xf0 != 0xd0 || header & 15 > 1 {
        return Err(UNKNOWN);
    }
    let data = stream.len().checked_sub(4).ok_or(TRUNCATED)?;
    let mut reader = Reader(&stream[..data]);
    let mut last = [0_u32; 2];
    for at in 0..count {
        let number = reader.number()?;
        let last = &mut last[(number & 1) as usize];
        *last = last.wrapping_add(signed(number >> 1));
        put(at, *last);
    }
    if reader.0.is_empty() { Ok(()) } else { Err(LEFTOVER) }
}

/// A rounded number, halves away from zero.
fn rounded(x: f32) -> f32 {
    (x + if x >= 0.0 { 0.5 } else { -0.5 }).trunc()
}

/// Signed integers of `N` bytes.
fn integers<const N: usize>(element: &[u8]) -> [i32; 4] {
    std::array::from_fn(|i| match N {
        1 => i32::from(element[i].cast_signed()),
        _ => i32::from(i16::from_le_bytes([element[2 * i], element[2 * i + 1]])),
    })
}

fn put_integers<const N: usize>(element: &mut [u8], values: [i32; 4]) {
    for (bytes, value) in element.chunks_exact_mut(N).zip(values) {
        bytes.copy_from_slice(&value.to_le_bytes()[..N]);
    }
}

/// Unit vectors from their places on an octahedron; the fourth number stays.
fn octahedral<const N: usize>(out: &mut [u8]) {
    let most = if N == 1 { 127.0 } else { 32767.0 };
    for element in out.chunks_exact_mut(4 * N) {
        let [x, y, one, w] = integers::<N>(element);
        let (mut x, mut y) = (x as f32, y as f32);
        let z = one as f32 - x.abs() - y.abs();
        let fold = z.min(0.0);
        x += if x >= 0.0 { fold } else { -fold };
        y += if y >= 0.0 { fold } else { -fold };
        let scale = most / (x * x + y * y + z * z).sqrt();
        let whole = |v: f32| rounded(v * scale) as i32;
        put_integers::<N>(element, [whole(x), whole(y), whole(z), w]);
    }
}

/// Quaternions from three of their numbers; the fourth says which is left out, and the scale.
fn quaternions(out: &mut [u8]) {
    for element in out.chunks_exact_mut(8) {
        let [x, y, z, w] = integers::<2>(element);
        let scale = std::f32::consts::FRAC_1_SQRT_2 / (w | 3) as f32;
        let three = [x, y, z].map(|v| v as f32 * scale);
        let square: f32 = 1.0 - three[0] * three[0] - three[1] * three[1] - three[2] * three[2];
        let fourth = square.max(0.0).sqrt();
        let mut values = [0; 4];
        let left_out = (w & 3).unsigned_abs() as usize;
        values[left_out] = rounded(fourth * 32767.0) as i32;
        for (i, v) in three.into_iter().enumerate() {
            values[(left_out + i + 1) & 3] = rounded(v * 32767.0) as i32;
        }
        put_integers::<2>(element, values);
    }
}

/// Floats from a mantissa of 24 bits and an exponent of 8.
fn floats(out: &mut [u8]) {
    for element in out.chunks_exact_mut(4) {
        let bits = element.first_chunk::<4>().map_or(0, |b| i32::from_le_bytes(*b));
        let (mantissa, exponent) = (bits << 8 >> 8, bits >> 24);
        // Both factors are exact in f64, so that there is one rounding at most.
        let value = f64::from(mantissa) * f64::from(exponent).exp2();
        element.copy_from_slice(&(value as f32).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// What the encoder and the decoder of meshoptimizer made (`compressed.mjs`).
    const VALUES: &str =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/compressed_values.json"));

    fn streams() -> Vec<(Meshopt, Vec<u8>, Value)> {
        let values: Value = serde_json::from_str(VALUES).unwrap();
        let streams = values["meshopt"].as_array().unwrap().iter().map(|stream| {
            let number = |name: &str| usize::try_from(stream[name].as_u64().unwrap()).unwrap();
            let text = |name: &str| stream[name].as_str().unwrap().to_owned();
            let view = Meshopt {
                buffer: 0,
                byte_offset: 0,
                byte_length: 0,
                byte_stride: number("stride"),
                count: number("count"),
                mode: text("mode"),
                filter: Some(text("filter")),
            };
            let bytes = super::super::buffers::decode_base64(text("encoded").as_bytes()).unwrap();
            (view, bytes, stream.clone())
        });
        streams.collect()
    }

    /// FNV-1a of 64 bits.
    fn hash(bytes: &[u8]) -> String {
        let start = 0xcbf2_9ce4_8422_2325_u64;
        let all = bytes
            .iter()
            .fold(start, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        format!("{all:x}")
    }

    #[test]
    fn streams_decode_as_their_own_decoder_has_them() {
        let (mut met, mut nearly) = (0, 0);
        for (view, bytes, stream) in streams() {
            let decoded = decode(&view, &bytes, "a view").unwrap();
            let name = &stream["name"];
            if let Some(expected) = stream["nearly"].as_str() {
                let expected = super::super::buffers::decode_base64(expected.as_bytes()).unwrap();
                assert_eq!(decoded.len(), expected.len(), "{name}");
                let numbers = |bytes: &[u8]| -> Vec<i32> {
                    let of = |element: &[u8]| match view.byte_stride {
                        4 => integers::<1>(element),
                        _ => integers::<2>(element),
                    };
                    bytes.chunks(view.byte_stride).flat_map(of).collect()
                };
                let pairs = numbers(&decoded).into_iter().zip(numbers(&expected));
                assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() <= 1), "{name}");
                nearly += 1;
            } else {
                assert_eq!(hash(&decoded), stream["decoded"], "{name}");
                met += 1;
            }
        }
        assert_eq!((met, nearly), (22, 5));
    }

    #[test]
    fn what_is_cut_is_refused_and_what_is_spoilt_is_no_panic() {
        let (mut cut, mut spoilt, mut read) = (0, 0, 0);
        for (view, bytes, stream) in streams() {
            for length in (0..bytes.len()).step_by(3) {
                let error = decode(&view, &bytes[..length], "a view").unwrap_err();
                assert!(error.in_text(&[]).message().contains("meshopt stream"), "{stream}");
                cut += 1;
            }
            let mut longer = bytes.clone();
            longer.push(0);
            assert!(decode(&view, &longer, "a view").is_err(), "{}", stream["name"]);
            for at in 0..bytes.len() {
                let mut other = bytes.clone();
                other[at] ^= [1, 0x80, 0xff][at % 3];
                spoilt += 1;
                read += usize::from(decode(&view, &other, "a view").is_ok());
            }
        }
        assert!(cut > 5_000 && spoilt > 15_000 && read > 1000, "{cut} {spoilt} {read}");
    }

    #[test]
    fn what_is_promised_is_compared_with_the_stream() {
        let mut refused = 0;
        for (mut view, bytes, _) in streams() {
            for count in [usize::MAX, usize::MAX / 256, 1 << 40] {
                view.count = count - count % 3;
                assert!(decode(&view, &bytes, "a view").is_err());
                refused += 1;
            }
            for stride in [0, 1, 3, 260, usize::MAX] {
                view.byte_stride = stride;
                let error = decode(&view, &bytes, "a view").unwrap_err();
                assert!(error.in_text(&[]).message().contains("which meshopt does not have"));
                refused += 1;
            }
        }
        assert_eq!(refused, 27 * 8);
        let (mut view, bytes, _) = streams().swap_remove(0);
        for filter in ["QUATERNION", "OCTAHEDRAL", "ROT13"] {
            view.filter = Some(filter.to_owned());
            let error = decode(&view, &bytes, "a view").unwrap_err();
            assert!(error.in_text(&[]).message().contains("does not fit its elements"));
        }
    }
}
