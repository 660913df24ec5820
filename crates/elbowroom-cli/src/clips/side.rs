//! One of the two motions: read, sampled, placed.

use std::path::Path;

use elbowroom::internal::math::planar::Planar;
use elbowroom_io::{ASSUMED, Document, FileFacts, ReadOptions, VertexFrames, rate};
use elbowroom_motion::body::Rig;
use elbowroom_motion::space_time::{Placed, Reach, Sample, Taking, Trace, Tracked};
use glam::DVec2;

use super::ClipsArgs;
use super::skins::Flesh;
use crate::actors::{others_note, up};
use crate::load::{What, load};
use crate::measure::check_length;
use crate::messages::{Refusal, printable, short};
use crate::save::refusal;
use crate::time_arg::MomentArgs;
use crate::warnings::Warning;

/// A motion, ready to be asked about.
#[derive(Debug)]
pub(super) struct Side {
    /// A or B.
    pub(super) letter: char,
    pub(super) path: String,
    /// The file's name alone.
    pub(super) name: String,
    pub(super) clip: String,
    pub(super) spot: Spot,
    pub(super) motion: Tracked,
    pub(super) placed: Placed,
    /// With `--exact`.
    pub(super) flesh: Option<Flesh>,
    /// The unit and up axis.
    pub(super) facts: FileFacts,
    notes: Vec<String>,
    /// Why samples may miss what happens between them, if so.
    pub(super) sparse: Option<Warning>,
}

/// A place on the ground, as it was said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spot {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) degrees: f64,
}

/// `x,y` or `x,y,degrees`.
pub(super) fn parse_spot(text: &str) -> Result<Spot, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.abs() <= 1e9));
    match numbers.as_deref() {
        Some(&[x, y]) => Ok(Spot { x, y, degrees: 0.0 }),
        Some(&[x, y, degrees]) => Ok(Spot { x, y, degrees }),
        _ => Err("give x,y in metres and degrees, such as 2,-1.5,90".to_owned()),
    }
}

impl Spot {
    fn placement(self) -> Option<Planar> {
        let at = DVec2::new(self.x, self.y);
        // A quarter turn is one exactly.
        let quarters = self.degrees / 90.0;
        if quarters == quarters.round() {
            let turns = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
            let turn = turns.into_iter().zip([0.0, 1.0, 2.0, 3.0]);
            let (cos, sin) = turn.into_iter().find(|(_, n)| quarters.rem_euclid(4.0) == *n)?.0;
            return Planar::new(cos, sin, at).ok();
        }
        Planar::from_angle(self.degrees.to_radians(), at).ok()
    }
}

/// What is said of one motion.
struct Said<'a> {
    letter: char,
    path: &'a Path,
    clip: Option<&'a String>,
    spot: Option<Spot>,
    start: f64,
}

impl Side {
    pub(super) fn a(args: &ClipsArgs) -> Result<Self, Refusal> {
        let clip = args.clip_a.as_ref().or(args.clip.as_ref());
        let said =
            Said { letter: 'A', path: &args.a, clip, spot: args.place_a, start: args.start_a };
        Self::new(args, &said)
    }

    pub(super) fn b(args: &ClipsArgs) -> Result<Self, Refusal> {
        let clip = args.clip_b.as_ref().or(args.clip.as_ref());
        let said =
            Said { letter: 'B', path: &args.b, clip, spot: args.place_b, start: args.start_b };
        Self::new(args, &said)
    }

    fn new(args: &ClipsArgs, said: &Said<'_>) -> Result<Self, Refusal> {
        let path = said.path;
        // A rest pose in front of a capture stands elsewhere, with its arms out.
        let options = ReadOptions { skip_rest_frame: true, ..args.read.options() };
        let loaded = load(path, &options).map_err(|problem| Refusal {
            problems: vec![problem],
            hint: "name two files with a motion, such as .bvh, .glb or .fbx".to_owned(),
        })?;
        // Captures have a unit that is guessed from the skeleton; vertices over time have none at
        // all.
        if let (Some(radius), What::Frames(_)) = (args.radius, &loaded.what) {
            check_length("--radius", radius, std::slice::from_ref(&loaded.facts))?;
        }
        let facts = loaded.facts.clone();
        let reach = args.radius.map_or(Reach::Farthest, |radius| Reach::Fixed(radius.metres()));
        let (clip, trace, notes, flesh, rate) = match loaded.what {
            What::Document(document, _) => of_document(args, said, &document, reach)?,
            What::Frames(_) if args.exact => {
                let hint = "compare vertices over time with `elbowroom check`";
                return Err(refusal(path, "holds vertices over time, not a character", hint));
            }
            What::Frames(_) if said.clip.is_some() => {
                let hint = "leave out the --clip of this motion";
                return Err(refusal(path, "holds vertices over time, which have no clips", hint));
            }
            What::Frames(frames) => of_frames(args, &facts, *frames, reach)?,
            What::Ways(_) => {
                let hint =
                    "name a file with one motion: a capture, a character or vertices over time";
                return Err(refusal(path, "holds the trajectories of a crowd, not a motion", hint));
            }
        };
        let refuse = |problem: &str| refusal(path, problem, "give smaller numbers");
        let spot = said.spot.unwrap_or_default();
        let at = spot.placement().ok_or_else(|| {
            refuse("cannot be placed there, because its numbers become too large")
        })?;
        let placed = Placed::new(at, said.start).map_err(|error| refuse(&error.to_string()))?;
        let motion =
            Tracked::new(trace, args.config()).map_err(|error| refuse(&error.to_string()))?;
        let name = printable(&path.file_name().unwrap_or_default().to_string_lossy());
        let sparse = rate.and_then(|rate| sparse(&name, rate, 1.0 / motion.trace().dt()));
        Ok(Self {
            letter: said.letter,
            path: path.display().to_string(),
            name,
            clip: printable(&clip),
            spot,
            motion,
            placed,
            flesh,
            facts,
            notes,
            sparse,
        })
    }

    pub(super) fn trace(&self) -> &Trace {
        self.motion.trace()
    }

    /// The least and the greatest radius.
    pub(super) fn radii(&self) -> [f64; 2] {
        let [_, _, radius] = self.trace().columns();
        let least = radius.iter().copied().fold(f64::INFINITY, f64::min);
        [least, radius.iter().copied().fold(0.0, f64::max)]
    }

    /// When it is under way, in seconds of the common clock.
    pub(super) fn span(&self) -> [f64; 2] {
        [self.placed.start(), self.placed.start() + self.trace().seconds()]
    }

    /// The disk at a moment of the common clock; `None` if it is not under way.
    #[expect(clippy::cast_sign_loss, reason = "the place is within the motion")]
    pub(super) fn at(&self, time: f64, is_linear: bool) -> Option<Sample> {
        let place = (time - self.placed.start()) / self.trace().dt();
        let last = self.trace().len() - 1;
        if !(0.0..=(last + 1) as f64).contains(&place) {
            return None;
        }
        // The time of a sample is that sample's, whatever the quotient lost.
        let low = ((place + 1e-6).floor() as usize).min(last);
        let sample = self.trace().sample(low);
        let disk = if is_linear && low < last {
            let (share, next) = ((place - low as f64).max(0.0), self.trace().sample(low + 1));
            Sample {
                center: sample.center.lerp(next.center, share),
                radius: sample.radius + share * (next.radius - sample.radius),
            }
        } else {
            sample
        };
        Some(Sample { center: self.placed.at().apply(disk.center), ..disk })
    }
}

/// What the readers noted, each once, with the file where there are two.
pub(super) fn notes(sides: &[Side; 2]) -> Vec<String> {
    let [a, b] = sides;
    let mut all: Vec<String> = Vec::new();
    for side in sides {
        for note in &side.notes {
            let text = format!("{}: {note}", side.name);
            let is_same = a.path == b.path && all.contains(&text);
            if !is_same {
                all.push(text);
            }
        }
    }
    all
}

/// The clip's name, the trace, notes, the body, and how many keys a second there are.
type Taken = (String, Trace, Vec<String>, Option<Flesh>, Option<f64>);

/// A warning on fewer samples a second than a motion has keys.
fn sparse(name: &str, own: f64, taken: f64) -> Option<Warning> {
    (own > taken * (1.0 + 1e-6)).then(|| Warning {
        kind: "rate",
        text: format!(
            "{name}: {} samples a second are examined, and the motion has {}; what happens between \
             samples may be missed, and --fps own examines all of them",
            short(taken),
            short(own)
        ),
    })
}

fn of_document(
    args: &ClipsArgs,
    said: &Said<'_>,
    document: &Document,
    reach: Reach,
) -> Result<Taken, Refusal> {
    let path = said.path;
    if document.rigs.iter().all(|rig| rig.clips.is_empty()) {
        let hint = "name a file with a motion, such as .bvh, or a .glb or .fbx with a clip; `elbowroom info` lists clips";
        return Err(refusal(path, "holds no clip", hint));
    }
    let moment = MomentArgs { clip: said.clip.cloned(), ..MomentArgs::default() };
    let (rig, clip) = moment.first(path, &document.rigs)?;
    let chosen = moment.choice_notes(&document.rigs);
    let taking = Taking {
        up: up(document.up.axis),
        reach,
        fps: args.fps.0,
        scale: document.units.metres_per_unit,
        ..Taking::default()
    };
    let trace = if has_flesh(rig) {
        rig.validate().map_err(|error| refusal(path, &error.to_string(), "repair the file"))?;
        Trace::from_rig(rig, clip, &taking)
    } else {
        Trace::from_clip(&rig.skeleton, clip, &taking)
    };
    let hint = "give another rate with --fps or another unit with --units";
    let trace = trace.map_err(|error| refusal(path, &error.to_string(), hint))?;
    let flesh = match args.exact {
        true if has_flesh(rig) => Some(Flesh::own(rig, clip, &taking)),
        true => Some(Flesh::lent(args.body.as_deref(), path, (document, rig, clip), &taking)?),
        false => None,
    };
    let mut notes: Vec<String> = document.notes.iter().cloned().chain(chosen).collect();
    notes.extend(flesh.iter().flat_map(|flesh| flesh.notes.iter().cloned()));
    notes.extend(bare(args, rig));
    let others = document.rigs.iter().filter(|other| !std::ptr::eq(*other, rig));
    let others = others.filter(|other| has_flesh(other) || !other.clips.is_empty()).count();
    notes.extend(others_note(&rig.name, others));
    let rate = rate::rate(clip).map(|rate| rate.fps);
    Ok((clip.name().to_owned(), trace, notes, flesh, rate))
}

/// A note on disks that reach to joints, because there is no skin around them.
fn bare(args: &ClipsArgs, rig: &Rig) -> Option<String> {
    let is_bare = !has_flesh(rig) && args.radius.is_none() && !args.exact;
    is_bare.then(|| {
        format!(
            "there are joints and no skin; disks reach to the farthest joint, and nothing is {ASSUMED} to reach beyond; --exact --body make:man gives it a body, --radius a size"
        )
    })
}

fn has_flesh(rig: &Rig) -> bool {
    rig.parts.iter().any(|part| !part.mesh.vertices().is_empty())
}

/// Vertices over time have no root: the disk stands under the middle of their box.
fn of_frames(
    args: &ClipsArgs,
    facts: &FileFacts,
    mut frames: VertexFrames,
    reach: Reach,
) -> Result<Taken, Refusal> {
    let path = facts.path.as_path();
    let own = frames.fps();
    let up = up(facts.up.axis);
    let scale = facts.units.metres_per_unit;
    let (mut vertices, mut samples) = (Vec::new(), Vec::new());
    // Numbers without a file hold the frame before, as on a timeline.
    for number in 0..frames.span_len() {
        let frame = frames.at_number(number);
        let problem =
            |error: &dyn std::fmt::Display| refusal(path, &error.to_string(), "repair the file");
        frames.read(frame, &mut vertices).map_err(|error| problem(&error))?;
        let ground: Vec<DVec2> = vertices.iter().map(|&vertex| up.ground(vertex) * scale).collect();
        let low = ground.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let high = ground.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
        let center = 0.5 * (low + high);
        let radius = match reach {
            Reach::Fixed(radius) => radius,
            Reach::Farthest => {
                ground.iter().map(|point| point.distance(center)).fold(0.0, f64::max)
            }
        };
        samples.push(Sample { center, radius });
    }
    let rate = own.unwrap_or(30.0);
    let hint = "give another rate with --fps or another unit with --units";
    let refuse =
        |error: elbowroom_motion::space_time::TraceError| refusal(path, &error.to_string(), hint);
    let trace = Trace::new(&samples, 1.0 / rate).map_err(refuse)?;
    // A sequence without a rate is taken at the rate that was asked for, frame by frame.
    let trace = match args.fps.0 {
        Some(fps) if own.is_some() && fps != rate => trace.resampled(fps).map_err(refuse)?,
        Some(fps) if own.is_none() => Trace::new(&samples, 1.0 / fps).map_err(refuse)?,
        _ => trace,
    };
    let mut notes = frames.notes().to_vec();
    notes.extend(facts.units.note().into_iter().chain(facts.up.note()));
    Ok((format!("{} frames", frames.span_len()), trace, notes, None, own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_numbers() {
        assert_eq!(parse_spot("2,-1.5,90"), Ok(Spot { x: 2.0, y: -1.5, degrees: 90.0 }));
        assert_eq!(parse_spot("2, 3").map(|spot| spot.degrees), Ok(0.0));
        for bad in ["", "1", "1,2,3,4", "a,b", "nan,0", "1,inf,0", "1e99,0"] {
            assert!(parse_spot(bad).is_err(), "{bad}");
        }
        let turns = [0.0, 90.0, -90.0, 450.0, 180.0]
            .map(|degrees| Spot { degrees, ..Spot::default() }.placement().map(|at| at.turn()));
        let expected = [(1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (0.0, 1.0), (-1.0, 0.0)].map(Some);
        assert_eq!(turns, expected);
    }
}
