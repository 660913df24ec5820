//! What the page plays: vertices of the objects around their incidents, as points on a grid of 65,536 steps an axis.
//!
//! Whatever an object is, it is stored as vertices by frame (a *cache*), of which those around the worst incidents come first and the rest as long as
//! there is room; what never moves is stored once. Triangles that meet in the worst frame of an incident are marked.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use elbowroom::scene::{Finder, Incident, ObjectId, Seek, Stage};
use glam::DVec3;
use serde::Serialize;

use super::container::{Arrays, Box3, grid};
use crate::shot::ShotPlan;

/// The most bytes of vertices, before they are packed.
const ROOM: usize = 12 << 20;

/// So many frames are shown before an incident and after it, and at most so many to each side of its worst frame.
const AROUND: usize = 10;
const BESIDE_WORST: usize = 60;

/// So many incidents have the triangles marked that meet where they are worst, and so many triangles of each side.
const MARKED: usize = 50;
const MARKS: usize = 10_000;

#[derive(Serialize)]
struct Directory {
    version: u32,
    arrays: BTreeMap<String, super::container::Array>,
    bodies: Vec<Body>,
    clips: [(); 0],
    caches: Vec<Cache>,
    actors: Vec<Actor>,
    marks: Vec<Mark>,
}

#[derive(Serialize)]
struct Body {
    name: String,
    r#box: Box3,
    positions: String,
    indices: String,
}

#[derive(Serialize)]
struct Cache {
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

#[derive(Serialize)]
struct Actor {
    object: usize,
    body: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache: Option<usize>,
    place: [f64; 3],
}

#[derive(Serialize)]
struct Mark {
    incident: usize,
    frame: u32,
    a: String,
    b: String,
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

/// The container; nothing if there is nothing to show.
pub(crate) fn container(plan: &ShotPlan, incidents: &[Incident]) -> Option<Vec<u8>> {
    let mut film =
        Film { plan, objects: BTreeMap::new(), marks: Vec::new(), arrays: Arrays::default() };
    film.furnish()?;
    let wanted = film.wanted(incidents);
    film.shoot(&wanted, incidents);
    Some(film.packed())
}

struct Film<'a> {
    plan: &'a ShotPlan,
    objects: BTreeMap<usize, Filmed>,
    marks: Vec<Mark>,
    arrays: Arrays,
}

impl Film<'_> {
    /// What every object consists of, as far as it is there in a first frame that can be posed.
    fn furnish(&mut self) -> Option<()> {
        let mut stage = Stage::new();
        let mut points = Vec::new();
        // People come and go, so some frames are looked at.
        for place in [0, self.plan.frames.len() / 2, self.plan.frames.len() - 1] {
            let Some(frame) = self.plan.frames.get(place) else { continue };
            if self.plan.scene.at(frame, &mut stage).is_err() {
                continue;
            }
            for object in 0..self.plan.scene.objects().len() {
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
        (!self.objects.is_empty()).then_some(())
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

    /// Takes the vertices of what is wanted, and the triangles that meet in the worst frames.
    fn shoot(&mut self, wanted: &BTreeMap<usize, BTreeSet<usize>>, incidents: &[Incident]) {
        let mut stage = Stage::new();
        let seek = Seek { most_listed: MARKS, ..Seek::default() };
        let mut finder = Finder::new(seek);
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
            let worst = incidents.iter().enumerate().take(MARKED);
            let worst: Vec<_> =
                worst.filter(|(_, incident)| incident.worst.frame == frame).collect();
            if worst.is_empty() {
                continue;
            }
            let found = finder.find(&self.plan.scene, &stage);
            for (index, incident) in worst {
                let pair = (incident.a, incident.b);
                let met = found.meetings.iter().find(|met| (met.a, met.b) == pair);
                let sides = met.map(|met| met.triangles.iter().map(|pair| [pair.a, pair.b]));
                let sides: Vec<[u32; 2]> = sides.into_iter().flatten().collect();
                self.mark(index + 1, frame, &sides);
            }
        }
    }

    fn mark(&mut self, incident: usize, frame: u32, pairs: &[[u32; 2]]) {
        let mut side = |which: usize, name: &str| {
            let triangles: BTreeSet<u32> = pairs.iter().map(|pair| pair[which]).collect();
            let name = format!("mark/{incident}/{name}");
            self.arrays.u32(&name, &triangles.into_iter().collect::<Vec<_>>());
            name
        };
        let (a, b) = (side(0, "a"), side(1, "b"));
        self.marks.push(Mark { incident, frame, a, b });
    }

    fn packed(mut self) -> Vec<u8> {
        let (mut bodies, mut caches, mut actors) = (Vec::new(), Vec::new(), Vec::new());
        for (object, filmed) in std::mem::take(&mut self.objects) {
            let whole = |(_, points): &(&usize, &Vec<DVec3>)| points.len() == filmed.vertices;
            let Some((_, first)) = filmed.frames.iter().find(whole) else { continue };
            let name = &self.plan.scene.objects()[ObjectId(object as u32).index()].name;
            let (positions, indices) = (format!("body/{object}"), format!("body/{object}/indices"));
            let (r#box, numbers) = grid(&[first]);
            self.arrays.u16(&positions, &numbers, None);
            self.arrays.u32(&indices, &filmed.triangles);
            let cache = (!filmed.is_still).then(|| {
                let runs = self.runs(object, &filmed);
                caches.push(Cache { body: bodies.len(), runs });
                caches.len() - 1
            });
            actors.push(Actor { object, body: bodies.len(), cache, place: [0.0; 3] });
            bodies.push(Body { name: name.clone(), r#box, positions, indices });
        }
        let Self { marks, arrays, .. } = self;
        let (arrays, data) = arrays.done();
        let directory = Directory { version: 1, arrays, bodies, clips: [], caches, actors, marks };
        super::container::packed(&directory, &data)
    }

    /// Frames that follow each other make a run.
    fn runs(&mut self, object: usize, filmed: &Filmed) -> Vec<Run> {
        let mut runs: Vec<Vec<usize>> = Vec::new();
        let places = filmed.frames.iter().filter(|(_, points)| points.len() == filmed.vertices);
        for (&place, _) in places {
            match runs.last_mut() {
                Some(run) if run.last() == Some(&(place - 1)) => run.push(place),
                _ => runs.push(vec![place]),
            }
        }
        let made = runs.iter().enumerate().map(|(index, run)| {
            let points: Vec<&[DVec3]> =
                run.iter().map(|place| filmed.frames[place].as_slice()).collect();
            let (r#box, numbers) = grid(&points);
            let positions = format!("cache/{object}/{index}");
            // From frame to frame little changes.
            self.arrays.u16(&positions, &numbers, Some(3 * filmed.vertices));
            Run { first: run[0], count: run.len(), r#box, positions }
        });
        made.collect()
    }
}
