//! Where people walk: tables of `id, frame, x, y`, as three communities write them.
//!
//! * CSV with a line of names (`id,frame,x,y[,z][,heading]`), as `PedPy` and most scripts write it;
//!   `,`, `;`, tab or blanks between.
//! * The text of Jülich (`PeTrack`): `id frame x y z`, with frame rate and unit in comments in
//!   front, or without any.
//! * The `obsmat` of UCY and ETH: `frame id x z y vx vz vy`, without names, told by its eight
//!   columns.
//!
//! One reader for all: comments are searched for a frame rate, a unit and names of columns; a first
//! line that is not numbers is names; where there are none, the number of columns decides.
//!
//! Sources: the file descriptions of the pedestrian data archive, Forschungszentrum Jülich;
//! Pellegrini et al., You'll never walk alone, 2009 (obsmat). We differ: where no unit is said, the
//! height of the heads or the speed of the feet tells centimetres from metres, and a note says so.
//!
//! Invariants: all coordinates are finite, z is up, and the frames of a person strictly increase.
//! Gaps stay: a person has a sample only where the file has one.

mod columns;

use std::collections::HashMap;
use std::path::Path;

use glam::DVec3;

use crate::bytes::read_bytes;
use crate::document::{ReadOptions, Source, Units};
use crate::error::{Fault, ParseError, ReadError};
use crate::text::{Word, Words, byte_order_mark, line_length, parse_f64, quote};
use crate::units::is_same_unit;
use columns::{Columns, Comments, Layout, Sample};

/// The trajectories of many people, in the units of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectories {
    /// The frame rate.
    pub rate: TrajectoryRate,
    /// The unit of the positions.
    pub units: Units,
    /// The people, in the order in which the file first names them.
    pub people: Vec<Trajectory>,
    /// Notes on what was unusual or not stated, and how it was read.
    pub notes: Vec<String>,
}

/// The frame rate, and its source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrajectoryRate {
    /// Frames in a second.
    pub fps: f64,
    /// The source of the rate.
    pub source: Source,
}

/// The way of one person.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trajectory {
    /// The number of the person in the file.
    pub id: i64,
    /// The frames in which the person was seen, strictly increasing.
    pub frames: Vec<i64>,
    /// A position a frame; z is up, and 0 where the file has none.
    pub positions: Vec<DVec3>,
    /// A heading a frame, in radians from x towards y; empty where the file has none.
    pub headings: Vec<f64>,
    /// A velocity a frame, in units a second; empty where the file has none.
    pub velocities: Vec<DVec3>,
}

impl Trajectory {
    /// The position of the person at `frame`, on the straight line between samples. `None` before
    /// the first and after the last.
    pub fn at(&self, frame: f64) -> Option<DVec3> {
        let after = self.frames.partition_point(|&known| known as f64 <= frame);
        let before = after.checked_sub(1)?;
        let (start, a) = (self.frames[before] as f64, self.positions[before]);
        if start == frame {
            return Some(a);
        }
        let (end, b) = (*self.frames.get(after)? as f64, self.positions[after]);
        Some(a.lerp(b, (frame - start) / (end - start)))
    }
}

impl Trajectories {
    /// The number of samples of all people.
    pub fn samples(&self) -> usize {
        self.people.iter().map(|person| person.frames.len()).sum()
    }

    /// The first and the last frame in which anybody was seen.
    pub fn frames(&self) -> Option<(i64, i64)> {
        let first = self.people.iter().filter_map(|person| person.frames.first()).min()?;
        let last = self.people.iter().filter_map(|person| person.frames.last()).max()?;
        Some((*first, *last))
    }

    /// Takes the rate that the caller gives. A unit that was guessed from speeds is guessed again.
    pub fn set_rate(&mut self, fps: f64) {
        self.rate = TrajectoryRate { fps, source: Source::Said };
        self.notes.retain(|note| !note.contains("--fps"));
        if self.units.source == Source::Assumed {
            self.notes.retain(|note| !note.contains("--units"));
            self.units = guess_unit(&self.people, fps, &mut self.notes);
        }
    }

    /// The trajectories in metres.
    #[must_use]
    pub fn to_metres(mut self) -> Self {
        let factor = self.units.metres_per_unit;
        for person in &mut self.people {
            for value in person.positions.iter_mut().chain(&mut person.velocities) {
                *value *= factor;
            }
        }
        self.units.metres_per_unit = 1.0;
        self
    }
}

/// Reads a file of trajectories, plain or compressed with gzip.
///
/// # Errors
/// Names the file, the line, what is wrong and what to do.
pub fn read_trajectories(path: &Path) -> Result<Trajectories, ReadError> {
    read_trajectories_with(path, &ReadOptions::default())
}

/// Reads a file of trajectories as [`read_trajectories`] does, with limits of the caller's.
///
/// # Errors
/// As [`read_trajectories`].
pub fn read_trajectories_with(
    path: &Path,
    options: &ReadOptions,
) -> Result<Trajectories, ReadError> {
    let bytes = read_bytes(path, options)?;
    parse(&bytes).map_err(|error| ReadError::content(path, error))
}

/// Reads the bytes of a file of trajectories.
///
/// # Errors
/// Names the line and what is wrong with it.
///
/// # Example
/// ```
/// let text = b"# framerate: 16\nid,frame,x,y\n1,0,0.0,2.0\n1,1,0.1,2.0\n";
/// let crowd = elbowroom_io::trajectory::parse(text).unwrap();
/// assert_eq!((crowd.rate.fps, crowd.people[0].frames.len()), (16.0, 2));
/// ```
pub fn parse(bytes: &[u8]) -> Result<Trajectories, ParseError> {
    Reader::default().read(bytes).map_err(|fault| fault.in_text(bytes))
}

#[derive(Default)]
struct Reader {
    comments: Comments,
    columns: Option<Columns>,
    /// The unit that the lines state in a column of its own.
    stated: Option<f64>,
    /// The number of each person, and the samples with their places in the file.
    people: Vec<(i64, Vec<(Sample, usize)>)>,
    index_of: HashMap<i64, usize>,
}

impl Reader {
    fn read(mut self, text: &[u8]) -> Result<Trajectories, Fault> {
        let mut at = byte_order_mark(text);
        while at < text.len() {
            let end = at + line_length(&text[at..]);
            self.line(text, at, end)?;
            at = end + 1;
        }
        self.finish()
    }

    fn line(&mut self, text: &[u8], start: usize, end: usize) -> Result<(), Fault> {
        let Some(first) = Words::new(text, start, end).next() else { return Ok(()) };
        if first.bytes[0] == b'#' {
            self.comments.line(&text[start..end], start);
            return Ok(());
        }
        let cells = cells(text, start, end);
        if self.columns.is_none() {
            let names = cells.iter().all(|cell| parse_f64(cell.bytes).is_none());
            self.columns = Some(if names {
                Columns::named(&cells)?
            } else {
                self.comments.columns().unwrap_or_else(|| Columns::counted(&cells))?
            });
            if names {
                return Ok(());
            }
        }
        match &self.columns {
            Some(columns) => {
                let sample = columns.sample(&cells, first.offset)?;
                self.hear_unit(sample.metres_per_unit, first.offset)?;
                self.add(sample, first.offset);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// What a line states its unit to be: that of all lines, and of the names of the columns.
    fn hear_unit(&mut self, stated: Option<f64>, line: usize) -> Result<(), Fault> {
        let Some(stated) = stated else { return Ok(()) };
        let known = self.columns.as_ref().and_then(|columns| columns.metres_per_unit);
        let known = known.or(self.comments.metres_per_unit).or(self.stated);
        if known.is_some_and(|known| !is_same_unit(known, stated)) {
            let message = "this line has another unit than the names of the columns or the lines before; give all the same";
            return Err(Fault::at(line, message));
        }
        self.stated = Some(stated);
        Ok(())
    }

    fn add(&mut self, sample: Sample, offset: usize) {
        let next = self.people.len();
        let index = *self.index_of.entry(sample.id).or_insert(next);
        if index == next {
            self.people.push((sample.id, Vec::new()));
        }
        self.people[index].1.push((sample, offset));
    }

    fn finish(self) -> Result<Trajectories, Fault> {
        let Some(columns) = self.columns.filter(|_| !self.people.is_empty()) else {
            return Err(Fault::whole(
                "no samples; a line should be like \"1 0 2.5 3.0\": id, frame, x, y",
            ));
        };
        let people = self.people.into_iter().map(person).collect::<Result<Vec<_>, _>>()?;
        let mut notes = columns.notes;
        let rate = match (self.comments.fps, columns.layout) {
            (Some(fps), _) => TrajectoryRate { fps, source: Source::File },
            (None, Layout::Obsmat) => TrajectoryRate { fps: OBSMAT_FPS, source: Source::File },
            (None, Layout::Table) => {
                notes.push(format!(
                    "the file does not state its frame rate; {ASSUMED_FPS} per second are assumed, give another with --fps"
                ));
                TrajectoryRate { fps: ASSUMED_FPS, source: Source::Assumed }
            }
        };
        let said = self.comments.metres_per_unit.or(columns.metres_per_unit).or(self.stated);
        let units = match (said, columns.layout) {
            (Some(metres_per_unit), _) => Units { metres_per_unit, source: Source::File },
            (None, Layout::Obsmat) => Units { metres_per_unit: 1.0, source: Source::File },
            (None, Layout::Table) => guess_unit(&people, rate.fps, &mut notes),
        };
        Ok(Trajectories { rate, units, people, notes })
    }
}

/// The samples of a person in the order of their frames.
fn person((id, mut samples): (i64, Vec<(Sample, usize)>)) -> Result<Trajectory, Fault> {
    samples.sort_by_key(|(sample, _)| sample.frame);
    let twice = samples.windows(2).find(|pair| pair[0].0.frame == pair[1].0.frame);
    if let Some([_, (sample, offset)]) = twice {
        let message = format!(
            "person {id} has a second position in frame {}; remove one, or give the people different numbers",
            sample.frame
        );
        return Err(Fault::at(*offset, message));
    }
    let mut person = Trajectory { id, ..Trajectory::default() };
    for (sample, _) in samples {
        person.frames.push(sample.frame);
        person.positions.push(sample.position);
        person.headings.extend(sample.heading);
        person.velocities.extend(sample.velocity);
    }
    Ok(person)
}

/// The cameras of the UCY and ETH videos took 25 frames a second, and obsmat counts them.
const OBSMAT_FPS: f64 = 25.0;

/// What most cameras of Jülich took.
const ASSUMED_FPS: f64 = 25.0;

/// The fields of a line: between commas or semicolons where there are any, else between blanks.
fn cells(text: &[u8], start: usize, end: usize) -> Vec<Word<'_>> {
    let line = &text[start..end];
    let Some(separator) = [b',', b';'].into_iter().find(|mark| line.contains(mark)) else {
        return Words::new(text, start, end).collect();
    };
    let mut at = start;
    let fields = line.split(|&byte| byte == separator).map(|field| {
        let offset = at;
        at += field.len() + 1;
        Word { offset, bytes: field.trim_ascii() }
    });
    fields.collect()
}

/// Centimetres where heads are higher than ten units, or people without heights faster than ten
/// units a second; else metres.
fn guess_unit(people: &[Trajectory], fps: f64, notes: &mut Vec<String>) -> Units {
    let mut heights: Vec<f64> =
        people.iter().filter_map(|p| Some(p.positions.first()?.z)).collect();
    heights.sort_by(f64::total_cmp);
    let height = heights.get(heights.len() / 2).copied().unwrap_or(0.0);
    let (mut way, mut frames) = (0.0, 0.0);
    for person in people {
        let steps = person.positions.windows(2).zip(person.frames.windows(2));
        for (points, times) in steps {
            way += (points[1] - points[0]).truncate().length();
            frames += (times[1] - times[0]) as f64;
        }
    }
    let speed = if frames > 0.0 { way / frames * fps } else { 0.0 };
    let centimetres = height > 10.0 || (height == 0.0 && speed > 10.0);
    let (metres_per_unit, name) = if centimetres { (0.01, "centimetres") } else { (1.0, "metres") };
    notes.push(format!(
        "the file does not state its unit; {name} are assumed from a height of {height:.2} and a speed of {speed:.2} units per second, give another with --units"
    ));
    Units { metres_per_unit, source: Source::Assumed }
}

#[cold]
fn not_a_number(cell: Word<'_>, what: &str) -> Fault {
    Fault::at(cell.offset, format!("{what} {} is not a finite number", quote(cell.bytes)))
}
