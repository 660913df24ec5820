//! Actors of a scene as (clip, time, place): who shares a body, who shares a clip.

use std::collections::{HashMap, HashSet};
use std::ptr;
use std::rc::Rc;

use elbowroom_motion::body::{Clip, Rig};
use elbowroom_motion::scene;
use elbowroom_motion::scene::{Content, Moment, Motion, Playback, Repeat, Scene, Whereabouts};
use glam::{DAffine3, DVec3};

use super::actor::{Actor, Play, STEP_BYTES};
use super::clip::{self, Round};
use super::figure::Figure;
use super::stock::Stock;
use crate::frames::Frames;

/// Some parts of a rig: who shares a body.
type RigKey = (*const Rig, Vec<u32>);

/// How a clip is played by the clock: by its place in memory, start, speed and repeat.
type PlaybackKey = (*const Clip, u64, u64, bool);

/// When a clip begins, how fast it goes, whether it begins again, and for whom.
type Way = (u64, u64, bool, usize);

/// Puts actors into the stock.
pub(super) struct Troupe<'a> {
    scene: &'a Scene,
    up: DVec3,
    frames: Frames,
    figures: HashMap<RigKey, Option<Rc<Figure>>>,
    rounds: HashMap<(RigKey, *const Clip), Option<Round>>,
    /// Clips at the frames that were examined.
    played: HashMap<(RigKey, PlaybackKey), Option<usize>>,
    rests: HashMap<RigKey, Option<usize>>,
    /// In how many ways a clip is played by those who share a body.
    ways: HashMap<(RigKey, *const Clip), HashSet<Way>>,
}

impl<'a> Troupe<'a> {
    pub(super) fn new(scene: &'a Scene, up: DVec3, frames: Frames) -> Self {
        let mut ways: HashMap<_, HashSet<_>> = HashMap::new();
        for (object, entry) in scene.objects().iter().enumerate() {
            let Content::Actor(actor) = &entry.content else { continue };
            let Motion::Clip(playback) = &actor.motion else { continue };
            let (clip, start, speed, repeats) = playback_key(playback);
            // Each walker is in a phase of its own.
            let own = if is_walking(actor) { object + 1 } else { 0 };
            let users = ways.entry((rig_key(actor), clip)).or_default();
            users.insert((start, speed, repeats, own));
        }
        Self {
            scene,
            up,
            frames,
            figures: HashMap::new(),
            rounds: HashMap::new(),
            played: HashMap::new(),
            rests: HashMap::new(),
            ways,
        }
    }

    /// An actor's line; `None` if the page can only show its vertices, or there is no room.
    pub(super) fn add(
        &mut self,
        stock: &mut Stock,
        object: usize,
        actor: &scene::Actor,
    ) -> Option<Actor> {
        let moments = self.moments(actor);
        let (&(first, _), count) = (moments.first()?, moments.len());
        if is_walking(actor) && !stock.has_room((STEP_BYTES + 2) * count) {
            return None;
        }
        let figure = self.figure(stock, actor)?;
        let line = Actor { object, body: figure.body, ..Actor::default() };
        let places: Vec<DAffine3> =
            moments.iter().map(|(_, moment)| moment.world_from_rig).collect();
        // First what may have no form, so that nothing is stored in vain.
        let play = self.play(stock, (&figure, object), actor, &moments)?;
        let mut line = line.placed(stock, &places, self.up)?;
        if count < self.frames.len() {
            (line.first, line.count) = (Some(first), Some(count));
        }
        line.plays = vec![play];
        Some(line)
    }

    /// Where it is in the frames in which it is there; these follow each other, for a way has one
    /// beginning and one end.
    fn moments(&self, actor: &scene::Actor) -> Vec<(usize, Moment)> {
        let timing = self.scene.timing();
        let at = |place: usize| Some((place, actor.at(timing.secs(self.frames.get(place)?))?));
        (0..self.frames.len()).filter_map(at).collect()
    }

    fn figure(&mut self, stock: &mut Stock, actor: &scene::Actor) -> Option<Rc<Figure>> {
        let key = rig_key(actor);
        let figure = self.figures.entry(key.clone());
        figure.or_insert_with(|| Figure::of(stock, &actor.rig, &key.1).map(Rc::new)).clone()
    }

    fn play(
        &mut self,
        stock: &mut Stock,
        (figure, object): (&Figure, usize),
        actor: &scene::Actor,
        moments: &[(usize, Moment)],
    ) -> Option<Play> {
        let rig = &*actor.rig;
        let from = moments.first()?.0;
        let held = |clip| Play { clip, from, sample: 0.0, rate: 0.0, samples: None, unit: None };
        let by_frame = |clip| Play { sample: from as f64, rate: 1.0, ..held(clip) };
        match &actor.motion {
            Motion::Rest => {
                let rest = self.rests.entry(rig_key(actor)).or_insert_with(|| {
                    let rest = std::iter::once(rig.rest_pose());
                    clip::of_poses(stock, (figure, rig), "at rest", rest)
                });
                rest.map(held)
            }
            Motion::Pose(pose) => {
                let poses = std::iter::once(pose.clone());
                clip::of_poses(stock, (figure, rig), "a pose", poses).map(held)
            }
            Motion::Poses(poses) => {
                let last = poses.len() - 1;
                let at = |place: usize| {
                    let frame = self.frames.get(place).unwrap_or_default();
                    poses[self.scene.timing().index(frame).min(last)].clone()
                };
                let all = (0..self.frames.len()).map(at);
                clip::of_poses(stock, (figure, rig), "poses", all).map(by_frame)
            }
            Motion::Clip(playback) if self.goes_round(figure, actor, playback) => {
                let key = (rig_key(actor), ptr::from_ref(&*playback.clip));
                let round = self.rounds.entry(key);
                let round =
                    round.or_insert_with(|| clip::round(stock, (figure, rig), &playback.clip));
                let round = (*round)?;
                let number = |(_, moment): &(usize, Moment)| {
                    round.number(moment.clip_secs.unwrap_or_default())
                };
                let numbers: Vec<u16> = moments.iter().map(number).collect();
                let name = format!("actor/{object}/samples");
                let samples = Some(stock.arrays.add(name, &numbers, Some(1)));
                Some(Play { samples, unit: Some(round.unit()), ..held(round.clip) })
            }
            Motion::Clip(playback) => {
                let played = self.played.entry((rig_key(actor), playback_key(playback)));
                let clip = played.or_insert_with(|| {
                    let at = |(_, moment): &(usize, Moment)| {
                        let mut pose = rig.rest_pose();
                        playback.clip.sample(moment.clip_secs.unwrap_or_default(), &mut pose);
                        pose
                    };
                    let (name, poses) = (playback.clip.name(), moments.iter().map(at));
                    clip::of_poses(stock, (figure, rig), name, poses)
                });
                clip.map(by_frame)
            }
        }
    }

    /// Whether a clip is smaller at its own times than at the frames of all who play it.
    fn goes_round(&self, figure: &Figure, actor: &scene::Actor, playback: &Playback) -> bool {
        if is_walking(actor) {
            return true;
        }
        let key = (rig_key(actor), ptr::from_ref(&*playback.clip));
        let users = self.ways.get(&key).map_or(1, HashSet::len);
        let by_frame = clip::bytes(figure, self.frames.len()).saturating_mul(users);
        clip::round_bytes(figure, &playback.clip) + 2 * self.frames.len() * users < by_frame
    }
}

fn is_walking(actor: &scene::Actor) -> bool {
    matches!(actor.whereabouts, Whereabouts::Walk { .. })
}

fn rig_key(actor: &scene::Actor) -> RigKey {
    let all = || (0..actor.rig.parts.len() as u32).collect();
    (ptr::from_ref(&*actor.rig), actor.parts.clone().unwrap_or_else(all))
}

fn playback_key(playback: &Playback) -> PlaybackKey {
    let Playback { clip, start_secs, speed, repeat } = playback;
    let repeats = *repeat == Repeat::Loop;
    (ptr::from_ref(&**clip), start_secs.to_bits(), speed.to_bits(), repeats)
}
