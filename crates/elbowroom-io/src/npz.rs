//! NPZ, the archive of `NumPy`: posed vertices `(T, N, 3)` with faces `(M, 3)`, as simulations and
//! learned models save them.
//!
//! A zip of `.npy` arrays. The vertices are called `vertices`, `verts` or `v`, f16, f32 or f64 of
//! either byte order, one array a frame or `(N, 3)` for a single frame; the faces `faces`,
//! `triangles` or `f`, whole numbers of any size, three or four corners each. A number called `fps`
//! is the frame rate (`framerate`, `mocap_framerate` and the like, too), one called `first_frame`
//! the number of the first frame on the timeline of its shot. Frames are read one at a time, in
//! memory for one frame; an array in the order of Fortran mixes its frames, and is read whole.
//!
//! Source: the `NumPy` manual, the NPY format, versions 1 to 3. We differ: structured, complex and
//! object arrays are refused.
//!
//! Why not a library: npyz 0.9 sets aside as much as the length in a header says, up to 4 GiB, and
//! its parser of headers recurses.
//!
//! Invariants: headers, frames and faces stay within [`limits`]; shapes are compared with what the
//! archive holds before anything is set aside.

mod array;
mod store;

use std::io::Read;
use std::path::Path;

use elbowroom::Mesh;
use glam::DVec3;

use crate::bytes::{Growth, check_file};
use crate::document::ReadOptions;
use crate::error::{Fault, ParseError, ReadError};
use crate::limits;
use crate::text::grouped;
use array::{Header, Number};
use store::{Entry, Store};

const VERTICES: [&str; 3] = ["vertices", "verts", "v"];
const FACES: [&str; 3] = ["faces", "triangles", "f"];
const RATES: [&str; 5] = ["fps", "framerate", "frame_rate", "mocap_framerate", "mocap_frame_rate"];

/// The greatest number of arrays that a note names.
const NAMED: usize = 8;

/// The largest number that a first frame may have, either way.
const MAX_FIRST_FRAME: f64 = 1e9;

/// Vertices over time from an archive.
pub(crate) struct Frames {
    store: Store,
    entry: Entry,
    header: Header,
    count: usize,
    vertices: usize,
    /// Where the reading is; `None` before the first frame and after a fault.
    reader: Option<(Box<dyn Read + Send>, usize)>,
    /// The most bytes that are held at once.
    most: u64,
    /// All of an array in Fortran order.
    whole: Option<Vec<u8>>,
    buffer: Vec<u8>,
}

impl std::fmt::Debug for Frames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Frames")
            .field("count", &self.count)
            .field("vertices", &self.vertices)
            .finish_non_exhaustive()
    }
}

/// What a caller gives beside an archive, and allows in it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Given<'a> {
    /// The faces, if they are not to be those of the archive.
    pub(crate) faces: Option<&'a [[u32; 3]]>,
    /// Whether vertices may have two axes before those of the vertices.
    pub(crate) two_axes: bool,
}

/// What an archive holds.
pub(crate) struct Opened {
    pub(crate) frames: Frames,
    /// The axes before those of the vertices; the frames run through the last of them first.
    pub(crate) axes: Vec<usize>,
    pub(crate) mesh: Mesh,
    /// A number for each vertex or face, if they are asked for with two axes and there.
    pub(crate) parts: Option<Vec<u32>>,
    pub(crate) fps: Option<f64>,
    pub(crate) first_frame: i64,
    /// What is in the archive and not read.
    pub(crate) notes: Vec<String>,
}

/// Opens a file.
pub(crate) fn open(
    path: &Path,
    given: Given<'_>,
    options: &ReadOptions,
) -> Result<Opened, ReadError> {
    check_file(path)?;
    open_store(Store::File(path.to_owned()), given, options)
        .map_err(|fault| ReadError::content(path, fault.in_bytes()))
}

/// Reads the triangles of an archive, or of an array that is alone in its file.
pub(crate) fn triangles(path: &Path, options: &ReadOptions) -> Result<Vec<[u32; 3]>, ReadError> {
    check_file(path)?;
    let run = || {
        let store = Store::File(path.to_owned());
        let entries = store.entries()?;
        let named = |entry: &&Entry| FACES.contains(&entry.array_name());
        let entry = entries.iter().find(named).or(entries.first().filter(|_| entries.len() == 1));
        let entry =
            entry.ok_or_else(|| Fault::whole(format!("no array called {}", FACES.join(" or "))))?;
        let most = options.max_decompressed_bytes.unwrap_or(limits::DECOMPRESSED_BYTES);
        check_growth(entry, options)?;
        let (numbers, corners) = whole_rows(&store, entry, most)?;
        if corners != 3 {
            return Err(Fault::whole("faces for other files are (M, 3): triangles"));
        }
        Ok(numbers.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect())
    };
    run().map_err(|fault: Fault| ReadError::content(path, fault.in_bytes()))
}

/// The rows of an array of whole numbers that fit 32 bits, and how long each is.
fn whole_rows(store: &Store, entry: &Entry, most: u64) -> Result<(Vec<u32>, usize), Fault> {
    let header = store.header(entry)?;
    let (rows, columns) = match header.shape[..] {
        [rows, columns] => (rows, columns),
        [rows] => (rows, 1),
        _ => return Err(wrong_shape(entry, &header, "(M, 3) or (M,)")),
    };
    header.check_size(entry)?;
    if rows.saturating_mul(columns) > limits::NPZ_CORNERS {
        return Err(Fault::whole(format!("array {} has too many entries", entry.array_name())));
    }
    let bytes = store.read_all(entry, &header, most)?;
    let at = |index: usize| {
        let (row, column) = (index / columns.max(1), index % columns.max(1));
        let at = if header.fortran { column * rows + row } else { index };
        let value = header.number.value(&bytes, header.big, at).unwrap_or(f64::NAN);
        let is_whole = (0.0..=f64::from(u32::MAX)).contains(&value) && value.fract() == 0.0;
        #[expect(clippy::cast_sign_loss, reason = "it is from 0")]
        is_whole.then_some(value as u32).ok_or_else(|| {
            let name = entry.array_name();
            Fault::whole(format!("entry {index} of array {name} is {value}; give numbers from 0"))
        })
    };
    let numbers = (0..rows * columns).map(at).collect::<Result<_, _>>()?;
    Ok((numbers, columns))
}

/// Reads the bytes of an archive to its end, and says how many frames and vertices it has.
///
/// # Errors
/// Names the array, and the frame and vertex where there is one, and what is wrong.
pub fn check(bytes: &[u8]) -> Result<(usize, usize), ParseError> {
    let run = || {
        let store = Store::Bytes(bytes.to_vec());
        let mut opened = open_store(store, Given::default(), &ReadOptions::default())?;
        let mut points = Vec::new();
        for frame in 0..opened.frames.count {
            opened.frames.read(frame, &mut points)?;
        }
        Ok((opened.frames.count, opened.frames.vertices))
    };
    run().map_err(Fault::in_bytes)
}

fn open_store(store: Store, given: Given<'_>, options: &ReadOptions) -> Result<Opened, Fault> {
    let entries = store.entries()?;
    let find = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| entries.iter().find(|entry| entry.array_name() == *name))
            .cloned()
    };
    let missing = |names: &[&str]| {
        let held: Vec<&str> = entries.iter().take(12).map(Entry::array_name).collect();
        let is_parameters = ["poses", "betas"].iter().all(|name| held.contains(name));
        let hint = if is_parameters {
            "; these are parameters of a body model: run the model, and save its vertices and faces"
        } else {
            ""
        };
        Fault::whole(format!(
            "no array called {}; the archive holds {}{hint}",
            names.join(" or "),
            if held.is_empty() { "nothing".to_owned() } else { held.join(", ") }
        ))
    };
    let entry = find(&VERTICES).ok_or_else(|| missing(&VERTICES))?;
    let faces = match given.faces {
        Some(_) => None,
        None => Some(find(&FACES).ok_or_else(|| missing(&FACES))?),
    };
    let header = store.header(&entry)?;
    let (axes, vertices) = match header.shape[..] {
        [ref axes @ .., vertices, 3] if axes.len() <= 1 + usize::from(given.two_axes) => {
            (axes.to_vec(), vertices)
        }
        _ if given.two_axes => {
            let expected = "(T, N, 3), (T, P, N, 3), (B, T, N, 3) or (N, 3)";
            return Err(wrong_shape(&entry, &header, expected));
        }
        _ => return Err(wrong_shape(&entry, &header, "(T, N, 3) or (N, 3)")),
    };
    let frames = axes.iter().fold(1_usize, |product, &axis| product.saturating_mul(axis));
    if !matches!(header.number, Number::F16 | Number::F32 | Number::F64) {
        return Err(Fault::whole(format!(
            "array {} is not of 16-, 32- or 64-bit floats; save it so",
            entry.array_name()
        )));
    }
    header.check_size(&entry)?;
    let frame_bytes = header.bytes()? / (frames as u64).max(1);
    let most = options.max_decompressed_bytes.unwrap_or(limits::DECOMPRESSED_BYTES);
    if frame_bytes > most || (header.fortran && header.bytes()? > most) {
        return Err(Fault::whole(format!(
            "array {} needs more than {} at once; save it in C order, or in pieces, or allow it with --max-size",
            entry.array_name(),
            limits::size(most)
        )));
    }
    check_growth(&entry, options)?;
    if frames == 0 || vertices == 0 {
        return Err(wrong_shape(&entry, &header, "at least one frame and one vertex"));
    }
    let is_first = |first: f64| first.abs() <= MAX_FIRST_FRAME && first.fract() == 0.0;
    let fps = number_of(&store, find(&RATES), "one number above 0", |fps| fps > 0.0)?;
    let first = number_of(&store, find(&["first_frame"]), "one whole number", is_first)?;
    let first_frame = first.map_or(0, |first| first as i64);
    let parts = find(&["parts"]).filter(|_| given.two_axes);
    let notes = unread(&entries).into_iter().collect();
    let mut source = Frames {
        store,
        entry,
        header,
        count: frames,
        vertices,
        reader: None,
        most,
        whole: None,
        buffer: Vec::new(),
    };
    let mut points = Vec::new();
    source.read(0, &mut points)?;
    let mesh = match (given.faces, &faces) {
        (None, Some(faces)) => {
            check_growth(faces, options)?;
            faces_mesh(&source.store, faces, points, most)?
        }
        (given, _) => Mesh::new(points, given.unwrap_or_default().to_vec())
            .map_err(|error| Fault::whole(error.to_string()))?,
    };
    let parts = parts.map(|entry| {
        check_growth(&entry, options)?;
        whole_rows(&source.store, &entry, most).map(|(numbers, _)| numbers)
    });
    let parts = parts.transpose()?;
    Ok(Opened { frames: source, axes, mesh, parts, fps, first_frame, notes })
}

/// A sentence on arrays that are not read, for they may have been meant to move or scale the
/// vertices.
fn unread(entries: &[Entry]) -> Option<String> {
    let is_read = |name: &&str| {
        [&VERTICES[..], &FACES, &RATES, &["first_frame"]].iter().any(|names| names.contains(name))
    };
    let names: Vec<&str> = entries.iter().map(Entry::array_name).filter(|n| !is_read(n)).collect();
    let more = if names.len() > NAMED { ", …" } else { "" };
    (!names.is_empty()).then(|| {
        format!(
            "arrays that are not read: {}{more}; the vertices are taken as they are",
            names[..names.len().min(NAMED)].join(", ")
        )
    })
}

/// Refuses an array that expands much farther than numbers do. Frames are read one by one, so there
/// is no other limit to it.
fn check_growth(entry: &Entry, options: &ReadOptions) -> Result<(), Fault> {
    let growth = Growth::of(entry.packed_size, options);
    if entry.is_plain() || !growth.by_expansion || entry.size <= growth.most {
        return Ok(());
    }
    Err(Fault::whole(format!("array {} {}", entry.array_name(), growth.exceeded())))
}

fn wrong_shape(entry: &Entry, header: &Header, expected: &str) -> Fault {
    let shape = format!("{:?}", header.shape);
    let (name, shape) = (entry.array_name(), shape.trim_matches(['[', ']']));
    Fault::whole(format!("array {name} has the shape ({shape}); it should be {expected}"))
}

/// The number in an array, if the archive has it.
fn number_of(
    store: &Store,
    entry: Option<Entry>,
    expected: &str,
    is_good: impl Fn(f64) -> bool,
) -> Result<Option<f64>, Fault> {
    let Some(entry) = entry else { return Ok(None) };
    match one_number(store, &entry).filter(|&number| is_good(number)) {
        Some(number) => Ok(Some(number)),
        None => Err(Fault::whole(format!(
            "array {} should be {expected}; save it so, or leave it out",
            entry.array_name()
        ))),
    }
}

/// A single finite number.
fn one_number(store: &Store, entry: &Entry) -> Option<f64> {
    let header = store.header(entry).ok()?;
    if header.shape.iter().product::<usize>() != 1 {
        return None;
    }
    let bytes = store.read_all(entry, &header, 8).ok()?;
    header.number.value(&bytes, header.big, 0).filter(|number| number.is_finite())
}

fn faces_mesh(store: &Store, entry: &Entry, points: Vec<DVec3>, most: u64) -> Result<Mesh, Fault> {
    let header = store.header(entry)?;
    let [faces, corners @ (3 | 4)] = header.shape[..] else {
        return Err(wrong_shape(entry, &header, "(M, 3) or (M, 4)"));
    };
    if matches!(header.number, Number::F16 | Number::F32 | Number::F64) {
        return Err(Fault::whole(format!(
            "array {} is not of whole numbers; save it so",
            entry.array_name()
        )));
    }
    header.check_size(entry)?;
    // Counted before they are unpacked: a corner that takes a byte, or far less when packed,
    // becomes ten times as much.
    if faces.saturating_mul(corners) > limits::NPZ_CORNERS {
        return Err(Fault::whole(format!(
            "array {} has more than {} corners; split the mesh",
            entry.array_name(),
            grouped(limits::NPZ_CORNERS as u64)
        )));
    }
    let bytes = store.read_all(entry, &header, most)?;
    let at = |face: usize, corner: usize| {
        let at = if header.fortran { corner * faces + face } else { face * corners + corner };
        header.number.value(&bytes, header.big, at).unwrap_or(f64::NAN)
    };
    // As VTK and PyVista have it: how many corners, then these.
    if corners == 4 && faces > 1 && (0..faces).all(|face| at(face, 0) == 3.0) {
        return Err(Fault::whole(format!(
            "every row of the array {} begins with 3, as PyVista counts the corners of triangles; save faces.reshape(-1, 4)[:, 1:]",
            entry.array_name()
        )));
    }
    let mut indices = Vec::with_capacity(faces * corners);
    for face in 0..faces {
        for corner in 0..corners {
            let value = at(face, corner);
            let index = (0.0..points.len() as f64).contains(&value).then_some(value);
            let Some(index) = index else {
                return Err(Fault::whole(format!(
                    "corner {corner} of face {face} is {value}, but there are {} vertices, from 0",
                    grouped(points.len() as u64)
                )));
            };
            #[expect(clippy::cast_sign_loss, reason = "it is from 0")]
            indices.push(index as u32);
        }
    }
    Mesh::from_polygons(points, indices.chunks(corners))
        .map_err(|error| Fault::whole(error.to_string()))
}

impl Frames {
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Reads a frame; cheap where it is the next one, and for arrays that are not packed.
    pub(crate) fn read(&mut self, frame: usize, out: &mut Vec<DVec3>) -> Result<(), Fault> {
        out.clear();
        if self.header.fortran {
            return self.read_fortran(frame, out);
        }
        let size = 3 * self.vertices * self.header.number.size();
        let mut reader = match self.reader.take() {
            Some((reader, next)) if next == frame => reader,
            Some((reader, next)) if next < frame && !self.entry.is_plain() => {
                self.skip(reader, (frame - next) as u64 * size as u64)?
            }
            _ if self.entry.is_plain() => {
                self.store.open_at(&self.entry, self.header.length + frame as u64 * size as u64)?
            }
            _ => {
                let reader = self.store.open_at(&self.entry, 0)?;
                self.skip(reader, self.header.length + frame as u64 * size as u64)?
            }
        };
        self.buffer.clear();
        let read = reader.by_ref().take(size as u64).read_to_end(&mut self.buffer);
        let read = read.map_err(|error| self.entry.damaged(&error))?;
        if read < size {
            return Err(self.cut(frame));
        }
        for vertex in 0..self.vertices {
            let value =
                |axis| self.header.number.value(&self.buffer, self.header.big, 3 * vertex + axis);
            out.push(point(value, frame, vertex)?);
        }
        self.reader = Some((reader, frame + 1));
        Ok(())
    }

    fn skip(
        &self,
        mut reader: Box<dyn Read + Send>,
        bytes: u64,
    ) -> Result<Box<dyn Read + Send>, Fault> {
        let skipped = std::io::copy(&mut reader.by_ref().take(bytes), &mut std::io::sink())
            .map_err(|error| self.entry.damaged(&error))?;
        if skipped < bytes { Err(self.cut(0)) } else { Ok(reader) }
    }

    fn read_fortran(&mut self, frame: usize, out: &mut Vec<DVec3>) -> Result<(), Fault> {
        if self.whole.is_none() {
            self.whole = Some(self.store.read_all(&self.entry, &self.header, self.most)?);
        }
        let Some(whole) = &self.whole else { return Ok(()) };
        for vertex in 0..self.vertices {
            let at = |axis: usize| frame + self.count * (vertex + self.vertices * axis);
            let value = |axis| self.header.number.value(whole, self.header.big, at(axis));
            out.push(point(value, frame, vertex)?);
        }
        Ok(())
    }

    fn cut(&self, frame: usize) -> Fault {
        Fault::whole(format!(
            "array {} ends in frame {frame} of {}; the file is truncated",
            self.entry.array_name(),
            self.count
        ))
    }
}

fn point(
    value: impl Fn(usize) -> Option<f64>,
    frame: usize,
    vertex: usize,
) -> Result<DVec3, Fault> {
    let mut point = DVec3::ZERO;
    for axis in 0..3 {
        let value = value(axis).unwrap_or(f64::NAN);
        if !value.is_finite() {
            let axis = ["x", "y", "z"][axis];
            return Err(Fault::whole(format!(
                "{axis} of vertex {vertex} in frame {frame} is {value}; every vertex needs a place"
            )));
        }
        point[axis] = value;
    }
    Ok(point)
}
