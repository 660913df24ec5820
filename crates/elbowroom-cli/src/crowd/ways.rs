//! The file of trajectories: read, checked once, in metres, and which of its frames are examined.

use std::path::Path;

use elbowroom_io::trajectory::{Trajectories, Trajectory};
use glam::DVec3;

use super::CrowdArgs;
use crate::load::{What, load};
use crate::make;
use crate::messages::{Refusal, count, grouped, printable, short};
use crate::save::refusal;
use crate::units::ReadArgs;

/// The farthest coordinate in metres: once around the earth. Beyond it, units or columns are
/// mistaken.
const FARTHEST: f64 = 4e7;
/// A person faster than this, in metres a second, is noted: the fastest runners do 12.
const FASTEST: f64 = 15.0;
/// More frames than this are a mistake, or take days.
const MOST_FRAMES: i64 = 1_000_000;
/// People over all frames that are kept in memory, at some 50 bytes each.
const MOST_STANCES: u64 = 20_000_000;
/// Frames a second that are examined unless something else is said, about.
const USUAL_RATE: f64 = 10.0;

/// The trajectories of a crowd, in metres.
#[derive(Debug)]
pub(super) struct Ways {
    /// The file as it was named; nothing for the generated crowd.
    pub(super) path: Option<String>,
    /// For people.
    pub(super) name: String,
    /// Frames of the file in a second.
    pub(super) fps: f64,
    /// In the order of their numbers.
    pub(super) people: Vec<Trajectory>,
    /// The first and the last frame of the file.
    pub(super) span: (i64, i64),
    /// The frames that are examined, in order: every n-th.
    pub(super) frames: Vec<i64>,
    pub(super) every: i64,
    pub(super) notes: Vec<String>,
}

impl Ways {
    pub(super) fn new(args: &CrowdArgs) -> Result<Self, Refusal> {
        let (mut ways, path) = match &args.file {
            Some(path) => (read(path, args)?, path.as_path()),
            None => (make::built_in_ways(), Path::new("the generated crowd")),
        };
        let mut notes = std::mem::take(&mut ways.notes);
        ways.people.sort_by_key(|person| person.id);
        let fps = ways.rate.fps;
        let metres_per_unit = ways.units.metres_per_unit;
        let ways = ways.to_metres();
        let Some(span) = ways.frames() else {
            return Err(refusal(path, "holds nobody", "name a file with lines of id, frame, x, y"));
        };
        for person in &ways.people {
            check(path, person, metres_per_unit)?;
        }
        notes.extend(fast(&ways.people, fps));
        let (frames, every) = frames(path, args, span, fps)?;
        check_size(path, &ways.people, &frames)?;
        let name = match &args.file {
            Some(path) => called(path),
            None => "a generated crowd".to_owned(),
        };
        let path = args.file.as_ref().map(|path| path.display().to_string());
        Ok(Self { path, name, fps, people: ways.people, span, frames, every, notes })
    }

    /// When a frame is, in seconds from the first of the file.
    pub(super) fn secs(&self, frame: i64) -> f64 {
        (frame - self.span.0) as f64 / self.fps
    }

    /// Examined frames in a second.
    pub(super) fn rate_text(&self) -> String {
        let rate = 1.0 / self.step_secs();
        short(if rate >= 1.0 { (10.0 * rate).round() / 10.0 } else { rate })
    }

    /// How long an examined frame stands for, in seconds.
    pub(super) fn step_secs(&self) -> f64 {
        self.every as f64 / self.fps
    }
}

/// The number of people.
pub(super) fn people_text(people: usize) -> String {
    if people == 1 { "1 person".to_owned() } else { format!("{} people", grouped(people as u64)) }
}

/// The name of a file for people, with its folder where the name alone says nothing
/// (`ucy_zara01/obsmat.txt`).
fn called(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let is_plain = folder.is_empty() || !name.starts_with("obsmat");
    printable(&if is_plain { name.into_owned() } else { format!("{folder}/{name}") })
}

fn read(path: &Path, args: &CrowdArgs) -> Result<Trajectories, Refusal> {
    let hint = "trajectories are lines of id, frame, x, y: .csv, .txt or .tsv, also compressed (.gz); `elbowroom make crowd -o crowd.csv` writes some";
    let read =
        ReadArgs { units: args.units, of_files: args.of_files.clone(), ..ReadArgs::default() };
    let options = read.options();
    let loaded = load(path, &options)
        .map_err(|problem| Refusal { problems: vec![problem], hint: hint.to_owned() })?
        .with_fps(args.fps);
    read.heed(std::slice::from_ref(&loaded.facts))?;
    match loaded.what {
        What::Ways(ways) => Ok(ways),
        What::Document(..) | What::Frames(_) => {
            Err(refusal(path, "holds bodies, and no trajectories", hint))
        }
    }
}

/// Places that can be.
fn check(path: &Path, person: &Trajectory, metres_per_unit: f64) -> Result<(), Refusal> {
    let is_far = |place: &DVec3| place.truncate().abs().max_element() > FARTHEST;
    let Some(sample) = person.positions.iter().position(is_far) else { return Ok(()) };
    let place = person.positions[sample] / metres_per_unit;
    let what = format!(
        "person {} is at {:.3e}, {:.3e} in frame {}, farther away than the earth is round",
        person.id, place.x, place.y, person.frames[sample]
    );
    let hint = "check the columns of the file, or give its unit with --units";
    Err(refusal(path, &what, hint))
}

/// A note about people who are faster than people are.
fn fast(people: &[Trajectory], fps: f64) -> Option<String> {
    let mut jumps = 0_u64;
    let mut worst: Option<(f64, i64, i64)> = None;
    for person in people {
        for (at, frames) in person.positions.windows(2).zip(person.frames.windows(2)) {
            let secs = (frames[1] - frames[0]) as f64 / fps;
            let speed = (at[1] - at[0]).truncate().length() / secs;
            if speed > FASTEST {
                jumps += 1;
                if worst.is_none_or(|worst| speed > worst.0) {
                    worst = Some((speed, person.id, frames[1]));
                }
            }
        }
    }
    let (speed, id, frame) = worst?;
    Some(format!(
        "{} faster than {FASTEST:.0} m/s; the fastest is person {id} before frame {frame}, with {speed:.0} m/s: do two people have one number, or is the unit (--units) or the rate (--fps) wrong?",
        count(jumps, "step")
    ))
}

/// As much as there is room for.
fn check_size(path: &Path, people: &[Trajectory], frames: &[i64]) -> Result<(), Refusal> {
    let there = |person: &Trajectory| {
        let (Some(&first), Some(&last)) = (person.frames.first(), person.frames.last()) else {
            return 0;
        };
        let from = frames.partition_point(|&frame| frame < first);
        frames.partition_point(|&frame| frame <= last).saturating_sub(from) as u64
    };
    let stances: u64 = people.iter().map(there).sum();
    if stances <= MOST_STANCES {
        return Ok(());
    }
    let what = format!(
        "{} people over {} are too many to keep in memory",
        grouped(people.len() as u64),
        count(frames.len() as u64, "frame")
    );
    Err(refusal(path, &what, "give fewer frames with --frames or --every"))
}

/// The frames that are asked for.
#[expect(clippy::cast_sign_loss, reason = "both are at least 1")]
fn frames(
    path: &Path,
    args: &CrowdArgs,
    (first, last): (i64, i64),
    fps: f64,
) -> Result<(Vec<i64>, i64), Refusal> {
    let usual = (fps / USUAL_RATE).round().clamp(1.0, 1e6) as i64;
    let (from, to, every) = match args.frames {
        Some(frames) => {
            let step = i64::from(args.every.unwrap_or(1)) * i64::from(frames.step);
            (i64::from(frames.first), i64::from(frames.last), step)
        }
        None => (first, last, args.every.map_or(usual, i64::from)),
    };
    // A file whose first frame is 7 is examined at 7, 9, 11; those of --frames are as they were
    // said.
    let skipped = ((first - from).max(0) + every - 1) / every;
    let (from, to) = (from + skipped * every, to.min(last));
    if from > to {
        let what = format!("there are no people in these frames; the file has {first} to {last}");
        return Err(refusal(path, &what, "give others with --frames, or leave it out"));
    }
    let frames = (to - from) / every + 1;
    if frames > MOST_FRAMES {
        let what =
            format!("frames {from} to {to} are {} to examine", count(frames as u64, "frame"));
        let hint = "give fewer with --frames or --every; or does the file have other columns than id, frame, x, y?";
        return Err(refusal(path, &what, hint));
    }
    Ok(((0..frames).map(|index| from + index * every).collect(), every))
}
