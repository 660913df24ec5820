//! Crowds: a character for each person of a file of trajectories.
//!
//! Who is which character is drawn from the seed, so that a crowd is the same in every run. Feet go
//! as fast as the person does where the stride of the clip is known, which is so for the walk of
//! our own people; other clips go by the clock, each from a moment of its own.

use std::f64::consts::TAU;
use std::sync::Arc;

use elbowroom::internal::math::random::Random;
use elbowroom_make::body::{Gait, Move};
use elbowroom_motion::body::{Clip, Rig};
use elbowroom_motion::crowd::InPlace;
use elbowroom_motion::scene::{
    Actor, Content, Motion, Object, Path, Playback, Repeat, Step, Whereabouts,
};
use elbowroom_motion::space_time::Up as Ground;
use glam::{DAffine3, DVec3};

use super::Trouble;
use super::build::{Builder, entry_name, find_clip};
use super::fields::Said;
use super::outline::{Crowd, Place, Source};
use crate::clip_choice::default_clip;
use crate::document::{Axis, FileFacts, Source as UnitSource, Up, turn};
use crate::shot::load::axes;
use crate::trajectory::{Trajectory, read_trajectories_with};

/// A clip that goes less far than this, in metres, sways on the spot: it has no stride.
const LEAST_STRIDE: f64 = 0.3;

/// Someone a crowd is made of.
struct Kind {
    rig: Arc<Rig>,
    clip: Option<Arc<Clip>>,
    stride: Option<f64>,
    in_place: Option<Arc<InPlace>>,
    path: std::path::PathBuf,
}

impl Builder<'_> {
    /// Adds everybody.
    pub(super) fn crowd(&mut self, crowd: &Crowd) -> Result<(), Trouble> {
        let file = &crowd.trajectories;
        let at = |message: String| Trouble::new(&file.span, message);
        let path = self.path(file)?;
        let mut ways = read_trajectories_with(&path, self.loader.options())
            .map_err(|error| Trouble::of_file(&file.span, &path, error.to_string()))?;
        if let Some(fps) = crowd.fps {
            ways.set_rate(fps);
        }
        let given = self.loader.options().units;
        ways.units = ways.units.given(crowd.units, given).map_err(|why| {
            Trouble::of_file(&file.span, &path, format!("{}: {why}", path.display()))
        })?;
        if ways.units.source == UnitSource::Said {
            ways.notes.retain(|note| !note.contains("--units"));
        }
        if ways.units.source != UnitSource::Assumed {
            let up = Up { axis: Axis::Z, source: UnitSource::File };
            self.loader.facts.push(FileFacts { path: path.clone(), units: ways.units, up });
        }
        let shown = path.display().to_string();
        let in_scene = |note: &String| {
            note.replace("give another with --fps", "give another with `fps` in its entry")
        };
        self.loader
            .notes
            .extend(ways.notes.iter().map(|note| format!("{shown}: {}", in_scene(note))));
        let ways = ways.to_metres();
        let Some((first, _)) = ways.frames() else {
            return Err(at("the trajectories have no people".into()));
        };
        let fps = ways.rate.fps;
        let kinds = self.kinds(crowd)?;
        let name = entry_name(crowd.name.as_ref(), file);
        let place = self.ground(crowd);
        let mut random = Random::new(crowd.seed);
        for way in ways.people.iter().take(crowd.people.unwrap_or(usize::MAX)) {
            let kind = &kinds[(random.bits() % kinds.len() as u64) as usize];
            let phase = random.uniform(0.0, 1.0);
            let seconds = |frame: i64| (frame - first) as f64 / fps + crowd.start;
            let steps = steps(way, seconds, &place, self.outline.up);
            let steps = Path::new(&steps, axes(self.outline.up));
            let steps = steps.map_err(|what| at(format!("person {} {what}", way.id)))?;
            self.lasts(steps.span().0, steps.span().1);
            let actor = kind.actor(Arc::new(steps), crowd.place.scale, phase);
            let object = Object::new(format!("{name} {}", way.id), Content::Actor(actor));
            self.add(object, &kind.path, crowd.with_itself, &crowd.span)?;
        }
        Ok(())
    }

    /// Where trajectories are put. The scale is that of the people, not of their trajectories.
    fn ground(&self, crowd: &Crowd) -> DAffine3 {
        self.world_from_rig(&Place { scale: 1.0, ..crowd.place.clone() })
    }

    fn kinds(&mut self, crowd: &Crowd) -> Result<Vec<Kind>, Trouble> {
        let read = |file: &Said<String>| {
            let source = Source { file: file.clone(), units: None, up: None };
            let (path, rigs) = self.rigs(&source)?;
            let with_parts = rigs.iter().find(|rig| !rig.parts.is_empty());
            let rig = Arc::clone(with_parts.unwrap_or(&rigs[0]));
            let clip = match &crowd.clip {
                Some(name) if name.value.is_empty() => None,
                Some(name) => Some(find_clip(&rig, name)?),
                None => rig
                    .clips
                    .iter()
                    .find(|clip| clip.name() == "walk")
                    .or_else(|| default_clip(&rig.clips).map(|index| &rig.clips[index])),
            };
            let gait = Gait::of(&rig.skeleton, Move::Walk);
            let is_own = |gait: &Gait| clip == Some(&gait.clip);
            let stride =
                gait.filter(is_own).map(|gait| gait.velocity.length() * gait.clip.seconds());
            let in_place = clip.and_then(|clip| InPlace::of(&rig, clip, ground(self.outline.up)));
            if let (Some(in_place), Some(clip)) = (&in_place, clip) {
                self.loader.notes.push(format!(
                    "{}: the clip {:?} goes {:.2} m; it is played in place, as fast as people walk",
                    path.display(),
                    clip.name(),
                    in_place.travel()
                ));
            }
            let travel = in_place.as_ref().map(InPlace::travel).filter(|&way| way > LEAST_STRIDE);
            let clip = clip.map(|clip| Arc::new(clip.clone()));
            Ok(Kind {
                stride: stride.or(travel),
                in_place: in_place.map(Arc::new),
                clip,
                path,
                rig: Arc::clone(&rig),
            })
        };
        crowd.characters.iter().map(read).collect()
    }
}

impl Kind {
    /// Someone of this kind on their way, who is so far into the clip at first.
    fn actor(&self, path: Arc<Path>, scale: f64, phase: f64) -> Actor {
        let motion = self.clip.as_ref().map_or(Motion::Rest, |clip| {
            let start_secs = -phase * clip.seconds();
            let repeat = Repeat::Loop;
            Motion::Clip(Playback { start_secs, ..Playback::new(Arc::clone(clip), repeat) })
        });
        let stride = self.stride.map(|stride| stride * scale);
        let whereabouts =
            Whereabouts::Walk { path, scale, stride, in_place: self.in_place.clone() };
        Actor { rig: Arc::clone(&self.rig), parts: None, motion, whereabouts }
    }
}

/// The samples of a way, from the floor plan of its file (x, y, and z up) to the scene. Heights are
/// those of heads, and left out.
fn steps(way: &Trajectory, seconds: impl Fn(i64) -> f64, place: &DAffine3, up: Axis) -> Vec<Step> {
    let flat = turn(Axis::Z, up);
    let axes = axes(up);
    let step = |(index, (&frame, &at)): (usize, (&i64, &DVec3))| {
        let heading = way.headings.get(index).map(|&heading| {
            let ahead = DVec3::new(libm::cos(heading), libm::sin(heading), 0.0);
            axes.heading(place.transform_vector3(flat * ahead)) % TAU
        });
        let position = place.transform_point3(flat * DVec3::new(at.x, at.y, 0.0));
        Step { time_secs: seconds(frame), position, heading }
    };
    way.frames.iter().zip(&way.positions).enumerate().map(step).collect()
}

/// The axis by the name that crowds give it.
fn ground(up: Axis) -> Ground {
    match up {
        Axis::X => Ground::X,
        Axis::Y => Ground::Y,
        Axis::Z => Ground::Z,
    }
}
