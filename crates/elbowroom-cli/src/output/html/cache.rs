//! Vertices by frame, of what has no other form: morphs, dual quaternions, what shears or mirrors,
//! vertices from outside.
//!
//! Those around the worst incidents come first and the rest as long as there is room; what never
//! moves is stored once.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use elbowroom_motion::scene::{Incident, Stage};
use glam::DVec3;
use serde::Serialize;

use super::actor::Actor;
use super::quantise::{Box3, grid};
use super::stock::Stock;
use crate::result::plan::Plan;

/// The most bytes of vertices, before they are packed.
const ROOM: usize = 10 << 20;

/// Frames that are shown before and after an incident, and at most to each side of its worst frame.
const AROUND: usize = 10;
const BESIDE_WORST: usize = 60;

#[derive(Serialize)]
pub(super) struct Cache {
    body: usize,
    runs: Vec<Run>,
}

#[derive(Serialize)]
struct Run {
    first: usize,
    count: usize,
    r#box: Box3,
    positions: String,
}

/// An object on its way into the container.
#[derive(Default)]
struct Filmed {
    triangles: Vec<u32>,
    vertices: usize,
    is_still: bool,
    /// By the index of the frame, all that were taken.
    frames: BTreeMap<usize, Vec<DVec3>>,
}

/// Takes the vertices of some objects around the incidents, and their lines.
pub(super) fn film(
    stock: &mut Stock,
    plan: &Plan,
    objects: &BTreeSet<usize>,
    incidents: &[Incident],
) -> (Vec<Cache>, Vec<Actor>) {
    if objects.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let mut film = Film { plan, objects: BTreeMap::new() };
    film.furnish(objects);
    let wanted = film.wanted(incidents);
    film.shoot(&wanted);
    film.stored(stock)
}

struct Film<'a> {
    plan: &'a Plan,
    objects: BTreeMap<usize, Filmed>,
}

impl Film<'_> {
    /// What every object consists of, as far as it is there in a first frame that can be posed.
    fn furnish(&mut self, objects: &BTreeSet<usize>) {
        let mut stage = Stage::new();
        let mut points = Vec::new();
        // People come and go, so only some frames are examined.
        for place in [0, self.plan.frames.len() / 2, self.plan.frames.len() - 1] {
            let Some(frame) = self.plan.frames.get(place) else { continue };
            if self.plan.scene.at(frame, &mut stage).is_err() {
                continue;
            }
            for &object in objects {
                if self.objects.contains_key(&object) {
                    continue;
                }
                let mut filmed = Filmed { is_still: true, ..Filmed::default() };
                for piece in stage.pieces().filter(|piece| piece.object().index() == object) {
                    piece.points(&mut points);
                    let offset = filmed.vertices as u32;
                    let corners = piece.triangles().iter().flatten().map(|corner| corner + offset);
                    filmed.triangles.extend(corners);
                    filmed.vertices += points.len();
                    filmed.is_still &= piece.is_still();
                }
                if filmed.vertices > 0 {
                    self.objects.insert(object, filmed);
                }
            }
        }
    }

    /// Which objects are needed in which frames, within the room there is.
    fn wanted(&self, incidents: &[Incident]) -> BTreeMap<usize, BTreeSet<usize>> {
        let mut wanted: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut room = ROOM;
        let mut take = |place: usize, object: usize| {
            let Some(filmed) = self.objects.get(&object) else { return };
            let bytes = filmed.vertices * 6;
            if bytes <= room && wanted.entry(place).or_default().insert(object) {
                room -= bytes;
            }
        };
        for (object, _) in self.objects.iter().filter(|(_, filmed)| filmed.is_still) {
            take(0, *object);
        }
        let moves = |object: &usize| !self.objects.get(object).is_none_or(|filmed| filmed.is_still);
        for incident in incidents {
            for place in self.around(incident) {
                let pair = BTreeSet::from([incident.a.index(), incident.b.index()]);
                pair.into_iter().filter(moves).for_each(|object| take(place, object));
            }
        }
        for place in 0..self.plan.frames.len() {
            self.objects
                .keys()
                .filter(|object| moves(object))
                .for_each(|&object| take(place, object));
        }
        wanted
    }

    fn place_of(&self, frame: u32) -> usize {
        let [first, _, step] = self.plan.frames.range();
        ((frame - first) / step) as usize
    }

    fn around(&self, incident: &Incident) -> Range<usize> {
        let [first, last, worst] =
            [incident.first, incident.last, incident.worst.frame].map(|frame| self.place_of(frame));
        let from = first.saturating_sub(AROUND).max(worst.saturating_sub(BESIDE_WORST));
        let to = (last + AROUND).min(worst + BESIDE_WORST).min(self.plan.frames.len() - 1);
        from..to + 1
    }

    fn shoot(&mut self, wanted: &BTreeMap<usize, BTreeSet<usize>>) {
        let mut stage = Stage::new();
        let mut points = Vec::new();
        for (&place, objects) in wanted {
            let Some(frame) = self.plan.frames.get(place) else { continue };
            if self.plan.scene.at(frame, &mut stage).is_err() {
                continue;
            }
            for piece in stage.pieces().filter(|piece| objects.contains(&piece.object().index())) {
                let Some(filmed) = self.objects.get_mut(&piece.object().index()) else { continue };
                piece.points(&mut points);
                filmed.frames.entry(place).or_default().extend_from_slice(&points);
            }
        }
    }

    fn stored(self, stock: &mut Stock) -> (Vec<Cache>, Vec<Actor>) {
        let (mut caches, mut actors) = (Vec::new(), Vec::new());
        for (object, filmed) in self.objects {
            let whole = |(_, points): &(&usize, &Vec<DVec3>)| points.len() == filmed.vertices;
            let Some((_, first)) = filmed.frames.iter().find(whole) else { continue };
            let name = &self.plan.scene.objects()[object].name;
            let body = stock.body(name, first.iter().copied(), &filmed.triangles, None);
            let cache = (!filmed.is_still).then(|| {
                caches.push(Cache { body, runs: runs(stock, object, &filmed) });
                caches.len() - 1
            });
            actors.push(Actor { object, body, cache, ..Actor::default() });
        }
        (caches, actors)
    }
}

/// Frames that follow each other make a run.
fn runs(stock: &mut Stock, object: usize, filmed: &Filmed) -> Vec<Run> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let places = filmed.frames.iter().filter(|(_, points)| points.len() == filmed.vertices);
    for (&place, _) in places {
        match runs.last_mut() {
            Some(run) if run.last() == Some(&(place - 1)) => run.push(place),
            _ => runs.push(vec![place]),
        }
    }
    let made = runs.iter().enumerate().map(|(index, run)| {
        let (r#box, numbers) =
            grid(run.iter().flat_map(|place| filmed.frames[place].iter().copied()));
        // From frame to frame little changes.
        let delta = Some(3 * filmed.vertices);
        let positions = stock.arrays.add(format!("cache/{object}/{index}"), &numbers, delta);
        Run { first: run[0], count: run.len(), r#box, positions }
    });
    made.collect()
}
