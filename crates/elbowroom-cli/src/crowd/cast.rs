//! The bodies that are placed on the trajectories: whose they are, how they walk and stand, and how
//! far a stride takes them.
//!
//! A walk covers a way: that of our own gait, the way that its root goes in a clip that travels, or
//! what the feet of a clip on the spot go back on the floor. A clip in which nothing does so goes
//! by the clock.

use std::ops::RangeInclusive;
use std::path::Path;

use elbowroom_make::body::{Gait, Move};
use elbowroom_motion::body::{Clip, Poser, Rig};
use elbowroom_motion::crowd::Performer;
use elbowroom_motion::footprint::FootprintConfig;
use elbowroom_motion::space_time::{Taking, Trace};
use glam::{DAffine3, DVec2};

use super::circles::CircleArgs;
use super::walk::Stance;
use crate::actors::{Body, body_of, up};
use crate::messages::{Refusal, printable, short};

/// Below this, in metres, a clip walks on the spot.
const LEAST_STRIDE: f64 = 0.3;
/// How tall people are, in metres; others are noted.
const USUAL_HEIGHTS: RangeInclusive<f64> = 0.5..=2.5;
/// Joints that stay within this, in metres, are no feet.
const LEAST_SWING: f64 = 0.1;
/// Moments a second at which feet are measured.
const FEET_RATE: f64 = 30.0;
const USUAL: [&str; 2] = ["make:man", "make:woman"];

/// A body of the crowd.
#[derive(Debug)]
pub(super) struct Character {
    /// As it was named.
    pub(super) name: String,
    body: Body,
    walk: usize,
    stand: Option<usize>,
    /// Metres that the walk covers; nothing where that is not known.
    pub(super) stride: Option<f64>,
}

/// All bodies.
#[derive(Debug)]
pub(super) struct Cast {
    pub(super) characters: Vec<Character>,
    /// How their cylinders are made.
    pub(super) circles: CircleArgs,
}

/// What a person does: which performer of the cast, and when in its clip, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Doing {
    pub(super) performer: u32,
    pub(super) time: f64,
}

impl Cast {
    pub(super) fn new(
        names: &[String],
        clip: Option<&str>,
        circles: &CircleArgs,
    ) -> Result<Self, Refusal> {
        let usual = USUAL.map(str::to_owned);
        let names = if names.is_empty() { &usual[..] } else { names };
        let characters = names.iter().map(|name| Character::new(name, clip));
        Ok(Self { characters: characters.collect::<Result<_, _>>()?, circles: *circles })
    }

    /// What readers of the bodies noted, and a word about bodies that no people have.
    pub(super) fn notes(&self) -> Vec<String> {
        let read = self.characters.iter().flat_map(|character| character.body.notes.clone());
        let odd = self.characters.iter().map(|character| (character, character.height()));
        let odd = odd.filter(|(_, height)| !USUAL_HEIGHTS.contains(height));
        let odd = odd.map(|(character, height)| {
            let name = character.short_name();
            format!(
                "{name}: is {} m tall, which is not the size of a person; `elbowroom convert` with --units changes its size",
                short(height)
            )
        });
        let mut notes: Vec<String> = read.chain(odd).collect();
        notes.dedup();
        notes
    }

    /// Everybody's clips: each character walks, then stands.
    pub(super) fn performers(&self) -> Result<Vec<Performer<'_>>, Refusal> {
        let footprints = self.circles.footprints();
        let mut performers = Vec::new();
        for character in &self.characters {
            for clip in [character.walk, character.stand.unwrap_or(character.walk)] {
                performers.push(character.perform(clip, footprints)?);
            }
        }
        Ok(performers)
    }

    /// Which character a person is, by the number in the file.
    pub(super) fn of(&self, id: i64) -> usize {
        let characters = i64::try_from(self.characters.len()).unwrap_or(i64::MAX);
        id.rem_euclid(characters) as usize
    }

    /// What a person does at a moment of the file.
    pub(super) fn doing(&self, id: i64, stance: &Stance, secs: f64) -> Doing {
        let which = self.of(id);
        let character = &self.characters[which];
        let phase = phase(id);
        let is_still = stance.stands && character.stand.is_some();
        let clip = character.clip(if is_still { character.stand } else { None });
        let rounds = match character.stride {
            Some(stride) if !is_still => stance.way / stride,
            // On the spot, the clock says when; who stands without a clip for it stands still.
            _ if stance.stands && !is_still => 0.0,
            _ => secs / clip.seconds().max(1e-3),
        };
        Doing {
            performer: 2 * which as u32 + u32::from(is_still),
            time: (phase + rounds).fract() * clip.seconds(),
        }
    }
}

impl Character {
    fn new(name: &str, clip: Option<&str>) -> Result<Self, Refusal> {
        let body = body_of(name)?;
        let printed = printable(name);
        let refuse = |what: String, hint: &str| Refusal {
            problems: vec![format!("{printed}: {what}")],
            hint: hint.to_owned(),
        };
        let clips = &body.rig.clips;
        let named = |wanted: &str| {
            clips.iter().position(|clip| clip.name().to_lowercase().contains(wanted))
        };
        let walk = match clip {
            Some(wanted) => {
                let exact = clips.iter().position(|clip| clip.name() == wanted);
                exact.ok_or_else(|| {
                    refuse(format!("there is no clip {wanted:?}"), "`elbowroom info` lists them")
                })?
            }
            None if clips.is_empty() => {
                let hint =
                    "name a character that can walk: make:man, make:woman, or a file with a clip";
                return Err(refuse("holds no clip".to_owned(), hint));
            }
            None => named("walk").unwrap_or(0),
        };
        let stand = named("idle").or_else(|| named("stand")).filter(|&stand| stand != walk);
        let mut character = Self { name: printed, body, walk, stand, stride: None };
        character.stride = character.measured_stride();
        Ok(character)
    }

    /// Without its folder.
    pub(super) fn short_name(&self) -> &str {
        Path::new(&self.name).file_name().and_then(|name| name.to_str()).unwrap_or(&self.name)
    }

    pub(super) fn rig(&self) -> &Rig {
        &self.body.rig
    }

    /// The clip that walks, and the one that stands.
    pub(super) fn clips(&self) -> (&Clip, Option<&Clip>) {
        (self.clip(None), self.stand.map(|stand| &self.rig().clips[stand]))
    }

    fn clip(&self, other: Option<usize>) -> &Clip {
        &self.rig().clips[other.unwrap_or(self.walk)]
    }

    /// From the lowest to the highest vertex at rest, in metres.
    fn height(&self) -> f64 {
        let (rig, up) = (self.rig(), self.taking().up);
        let (mut poser, mut part, mut low, mut high) =
            (Poser::new(), Vec::new(), f64::INFINITY, f64::NEG_INFINITY);
        poser.set(rig, &rig.rest_pose());
        for index in 0..rig.parts.len() {
            poser.part(rig, index, &mut part);
            low = part.iter().map(|&vertex| up.height(vertex)).fold(low, f64::min);
            high = part.iter().map(|&vertex| up.height(vertex)).fold(high, f64::max);
        }
        high - low
    }

    fn taking(&self) -> Taking {
        Taking { up: up(self.body.up), ..Taking::default() }
    }

    fn measured_stride(&self) -> Option<f64> {
        let (rig, clip) = (self.rig(), self.clip(None));
        let gait = Gait::of(&rig.skeleton, Move::Walk).filter(|gait| gait.clip == *clip);
        let own = gait.map(|gait| gait.velocity.length() * gait.clip.seconds());
        let travelled = || {
            let trace = Trace::from_clip(&rig.skeleton, clip, &self.taking()).ok()?;
            let (first, last) = (trace.sample(0), trace.sample(trace.len() - 1));
            Some(first.center.distance(last.center))
        };
        let is_stride = |stride: &f64| *stride > LEAST_STRIDE;
        own.or_else(travelled).filter(is_stride).or_else(|| self.stride_of_feet()).filter(is_stride)
    }

    /// What the floor does under who walks on the spot: the lowest moving joint stands on it, and
    /// goes back as fast as the walker would go on.
    #[expect(clippy::cast_sign_loss, reason = "at least 1")]
    fn stride_of_feet(&self) -> Option<f64> {
        let (rig, clip, up) = (self.rig(), self.clip(None), self.taking().up);
        let steps = (clip.seconds() * FEET_RATE).ceil().clamp(1.0, 1e4) as u32;
        let (mut pose, mut poser) = (rig.rest_pose(), Poser::new());
        let mut moments: Vec<Vec<(DVec2, f64)>> = Vec::new();
        for step in 0..=steps {
            let time = clip.start() + clip.seconds() * f64::from(step) / f64::from(steps);
            clip.sample(time, &mut pose);
            poser.set(rig, &pose);
            let place =
                |world: &DAffine3| (up.ground(world.translation), up.height(world.translation));
            moments.push(poser.world().iter().map(place).collect());
        }
        let swing = |joint: &usize| {
            let places = moments.iter().map(|moment| moment[*joint].0);
            let low = places.clone().fold(DVec2::INFINITY, DVec2::min);
            (places.fold(DVec2::NEG_INFINITY, DVec2::max) - low).max_element()
        };
        let feet: Vec<usize> =
            (0..moments[0].len()).filter(|joint| swing(joint) > LEAST_SWING).collect();
        let back = |pair: &[Vec<(DVec2, f64)>]| {
            let height = |joint: &&usize| pair[0][**joint].1 + pair[1][**joint].1;
            let lowest = *feet.iter().min_by(|a, b| height(a).total_cmp(&height(b)))?;
            Some(pair[0][lowest].0.distance(pair[1][lowest].0))
        };
        let mut ways: Vec<f64> = moments.windows(2).filter_map(back).collect();
        ways.sort_by(f64::total_cmp);
        Some(*ways.get(ways.len() / 2)? * f64::from(steps))
    }

    fn perform(&self, clip: usize, footprints: FootprintConfig) -> Result<Performer<'_>, Refusal> {
        let (rig, clip) = (self.rig(), &self.rig().clips[clip]);
        Performer::in_place(rig, clip, &self.taking(), footprints).map_err(|error| Refusal {
            problems: vec![format!("{}: clip {:?}: {error}", self.name, clip.name())],
            hint: "name another body with --body, or another clip with --clip".to_owned(),
        })
    }
}

/// Where in the walk a person begins: not all with the left foot. The golden ratio spreads numbers
/// that follow each other evenly.
fn phase(id: i64) -> f64 {
    (id.rem_euclid(1_000_003) as f64 * 0.618_033_988_749_895).fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_go_as_far_as_people_do() {
        let cast = Cast::new(&[], None, &CircleArgs::default()).expect("our own");
        let [man, woman] = [0, 1].map(|which| cast.characters[which].stride.expect("known"));
        assert!((1.2..1.8).contains(&man) && (1.0..man).contains(&woman), "{man} {woman}");
        let stance = |way, stands| Stance { at: DVec2::ZERO, heading: 0.0, way, stands };
        let seconds = cast.characters[0].clip(None).seconds();
        // Half a stride is half the clip.
        let [start, half] = [0.0, 0.5].map(|n| cast.doing(4, &stance(n * man, false), 9.0).time);
        let gone = (half - start).rem_euclid(seconds);
        assert!((gone - 0.5 * seconds).abs() < 1e-9, "{start} {half}");
        let standing = cast.doing(4, &stance(3.0, true), 9.0);
        assert_eq!((standing.performer, cast.doing(5, &stance(3.0, false), 9.0).performer), (1, 2));
        assert!(cast.doing(-3, &stance(0.0, false), 0.0).time.is_finite());
        assert!(cast.doing(i64::MIN, &stance(0.0, false), 0.0).time.is_finite());
    }

    #[test]
    fn feet_tell_the_stride() {
        let cast = Cast::new(&[], None, &CircleArgs::default()).expect("our own");
        for character in &cast.characters {
            let (known, told) = (character.stride.expect("known"), character.stride_of_feet());
            assert!(told.is_some_and(|told| (told / known - 1.0).abs() < 0.1), "{known} {told:?}");
        }
    }

    #[test]
    fn bodies_that_cannot_walk_are_refused() {
        for (name, clip, word) in
            [("make:man", Some("fly"), "no clip \"fly\""), ("nobody.glb", None, "nobody.glb")]
        {
            let refusal =
                Cast::new(&[name.to_owned()], clip, &CircleArgs::default()).expect_err("refused");
            assert!(refusal.problems[0].contains(word), "{refusal:?}");
        }
    }
}
