//! Scores one item: all frames of its clips, all pairs of their bodies.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use elbowroom::interrupt::{Interrupt, Interrupted};
use elbowroom::{Mesh, Model};
use elbowroom_motion::metrics::{
    Body, Caps, ClipBuilder, Dissected, PairFrame, SelfFrame, legacy, measure,
};
use elbowroom_motion::scene::{Content, PenetrationSummary, Scene, Stage};
use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::item::Item;
use super::rows::{self, Legacy, LegacyMeans, Who};
use super::take::{self, Take};
use super::{Faces, ScoreArgs};
use crate::frames::Frames;
use crate::output::rows::Cell;
use crate::stop::Stop;

/// The most bytes of one list of pairs; see `stop.rs`.
const ROOM: u64 = 1 << 28;

/// The number of frames that a helper has at once, all in memory.
const BLOCK: usize = 16;

/// The rows of an item.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Scored {
    pub(super) item: usize,
    pub(super) clips: Vec<Vec<Cell>>,
    pub(super) frames: Vec<Vec<Cell>>,
    pub(super) assumed: Vec<String>,
}

/// What all items are scored with.
pub(super) struct Bench<'a> {
    pub(super) args: &'a ScoreArgs,
    pub(super) faces: &'a Faces,
    pub(super) stop: &'a Stop,
    /// The number of threads for the frames of one item.
    pub(super) helpers: usize,
    /// Whether rows of frames are wanted.
    pub(super) with_frames: bool,
}

impl Bench<'_> {
    /// Scores an item. `None` if the program is to stop.
    pub(super) fn score(&self, index: usize, item: &Item) -> Option<Scored> {
        let mut scored = Scored { item: index, ..Scored::default() };
        let limit = self.args.item_time_limit;
        let (begin, stop) = (Instant::now(), self.stop.clone());
        let is_late = move || limit.is_some_and(|limit| begin.elapsed() > limit.duration());
        let late = is_late;
        let interrupt = Interrupt::with_room(ROOM).asking(move || stop.is_set() || late());
        let done = interrupt.run(|| {
            take::each(self.args, self.faces, item, |take| {
                self.clip(&take, &interrupt, &mut scored)
            })
        });
        let why = match done {
            Ok(Ok(())) => return Some(scored),
            Ok(Err(why)) => why,
            Err(Interrupted::Full) => {
                "bodies meet in more pairs than can be held in memory".to_owned()
            }
            Err(_) if self.stop.is_set() => return None,
            Err(_) => match limit {
                Some(limit) => format!("took longer than --item-time-limit {limit}"),
                None => "was interrupted".to_owned(),
            },
        };
        // Of a clip without all its frames there is no row but this.
        scored.clips.clear();
        scored.frames.clear();
        scored.clips.push(rows::failed(&item.name, &why));
        Some(scored)
    }

    fn clip(&self, take: &Take, interrupt: &Interrupt, scored: &mut Scored) -> Result<(), String> {
        let mut clip = Clip::new(self, take)?;
        let timing = take.scene.timing();
        let wanted = self.args.frames.map(Frames::range);
        let [first, last, step] = wanted.unwrap_or([timing.first, timing.last, 1]);
        let frames: Vec<u32> = (first.max(timing.first)..=last.min(timing.last))
            .filter(|frame| (frame - first).is_multiple_of(step))
            .collect();
        if frames.is_empty() {
            return Err(format!(
                "no frame to examine; the clip has {} to {}",
                timing.first, timing.last
            ));
        }
        let mut stage = Stage::new();
        for block in frames.chunks(BLOCK * self.helpers) {
            let posed = block.iter().map(|&frame| posed(&take.scene, frame, &mut stage));
            let posed = posed.collect::<Result<Vec<_>, _>>()?;
            let found = clip.block(&posed, interrupt)?;
            for (&frame, found) in block.iter().zip(found) {
                clip.add(frame, &found, scored);
            }
        }
        clip.finish(scored);
        scored.assumed.extend(take.assumed.iter().map(|&text| text.to_owned()));
        Ok(())
    }
}

/// The vertices of all objects in a frame; none of an object that is not there.
fn posed(scene: &Scene, frame: u32, stage: &mut Stage) -> Result<Vec<Vec<DVec3>>, String> {
    scene.at(frame, stage).map_err(|error| format!("frame {frame}: {error}"))?;
    let mut all = vec![Vec::new(); scene.objects().len()];
    let mut points = Vec::new();
    for piece in stage.pieces() {
        piece.points(&mut points);
        all[piece.object().index()].append(&mut points);
    }
    Ok(all)
}

/// A body of a clip.
struct Member {
    name: String,
    object: usize,
    body: Body,
    /// Itself, by its parts.
    own: Option<Dissected>,
    /// The model of a body that is the same in all frames.
    still: Option<Arc<Model>>,
}

/// What a pair comes to so far.
struct Running {
    /// The same place twice is a body with itself.
    pair: [usize; 2],
    clip: ClipBuilder,
    legacy: LegacyMeans,
}

struct Clip<'a> {
    bench: &'a Bench<'a>,
    name: &'a str,
    members: Vec<Member>,
    running: Vec<Running>,
}

/// What a frame has for each pair; `None` if a body is not there.
type Found = Vec<Option<(PairFrame, Option<Legacy>)>>;

impl<'a> Clip<'a> {
    fn new(bench: &'a Bench<'a>, take: &'a Take) -> Result<Self, String> {
        let mut stage = Stage::new();
        let scene = &take.scene;
        let first = posed(scene, scene.timing().first, &mut stage)?;
        let mut members = Vec::new();
        for (at, object) in scene.objects().iter().enumerate() {
            let own = Shape::of(&stage, at);
            if own.faces.is_empty() || first[at].is_empty() {
                continue;
            }
            members.push(Member::new(bench.args, scene, at, &object.name, own, &first[at])?);
        }
        let count = members.len();
        let own = (0..count).filter(|&i| members[i].own.is_some()).map(|i| [i, i]);
        let others = (0..count).flat_map(|i| (i + 1..count).map(move |j| [i, j]));
        let running = |pair| {
            let clip = ClipBuilder::new(bench.args.gap);
            Running { pair, clip, legacy: LegacyMeans::default() }
        };
        let running: Vec<Running> = others.chain(own).map(running).collect();
        if running.is_empty() {
            return Err(nothing(bench.args, count));
        }
        Ok(Self { bench, name: &take.name, members, running })
    }

    /// Measures some frames, by as many threads as there are for it.
    fn block(
        &self,
        posed: &[Vec<Vec<DVec3>>],
        interrupt: &Interrupt,
    ) -> Result<Vec<Found>, String> {
        if self.bench.helpers < 2 || posed.len() < 2 {
            return posed.iter().map(|points| self.frame(points)).collect();
        }
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        let help = || loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(points) = posed.get(at) else { return };
            let Ok(found) = interrupt.run(|| self.frame(points)) else { return };
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, found));
        };
        std::thread::scope(|scope| {
            (0..self.bench.helpers).for_each(|_| drop(scope.spawn(help)));
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(at, _)| *at);
        if done.len() < posed.len() {
            // Ends here as it ended there.
            elbowroom::interrupt::look();
            return Err("bodies meet in more pairs than can be held in memory".to_owned());
        }
        done.into_iter().map(|(_, found)| found).collect()
    }

    fn frame(&self, points: &[Vec<DVec3>]) -> Result<Found, String> {
        let model = |member: &Member| {
            let points = &points[member.object];
            if points.is_empty() {
                return Ok(None);
            }
            if let Some(still) = &member.still {
                return Ok(Some(Arc::clone(still)));
            }
            let model = member.body.at(points).map_err(|error| format!("{}: {error}", member.name));
            model.map(|model| Some(Arc::new(model)))
        };
        let models = self.members.iter().map(model).collect::<Result<Vec<_>, String>>()?;
        let found = |running: &Running| {
            let [i, j] = running.pair;
            let (Some(a), Some(b)) = (&models[i], &models[j]) else { return Ok(None) };
            if i == j {
                let own = self.members[i].own.as_ref().map(|own| own.measure(&points[i]));
                let own = own.transpose().map_err(|error| error.to_string())?;
                return Ok(own.map(|own| (of_itself(&own), None)));
            }
            let args = self.bench.args;
            Ok(Some((measure(a, b, !args.no_distance), args.legacy.then(|| old(args, a, b)))))
        };
        self.running.iter().map(found).collect()
    }

    fn who(&self, [i, j]: [usize; 2]) -> Who<'_> {
        Who { clip: self.name, a: &self.members[i].name, b: &self.members[j].name }
    }

    fn add(&mut self, at: u32, found: &Found, scored: &mut Scored) {
        for (place, found) in found.iter().enumerate() {
            let Some((frame, legacy)) = found else { continue };
            if self.bench.with_frames {
                let who = self.who(self.running[place].pair);
                scored.frames.push(rows::frame(who, at, frame, legacy.as_ref()));
            }
            let running = &mut self.running[place];
            running.clip.push(frame);
            if let Some(legacy) = legacy {
                running.legacy.add(legacy);
            }
        }
    }

    fn finish(&mut self, scored: &mut Scored) {
        for running in std::mem::take(&mut self.running) {
            let pair = running.pair;
            let caps: Vec<&Caps> =
                pair.iter().filter_map(|&at| self.members[at].body.caps()).collect();
            let summary = running.clip.finish();
            scored.clips.push(rows::clip(self.who(pair), &summary, &caps, &running.legacy));
        }
    }
}

/// Why there is no pair.
fn nothing(args: &ScoreArgs, bodies: usize) -> String {
    let what = match bodies {
        0 => "no body with triangles",
        _ => "one body, and nothing to compare it with",
    };
    let how = if args.with_itself {
        "its parts are not labelled: add an array parts, or use a skinned character"
    } else {
        "name both bodies, as in 'clips/*/P{1,2}.npz' in quotes, add --with OBJECT, or --self"
    };
    format!("{what}; {how}")
}

fn of_itself(own: &SelfFrame) -> PairFrame {
    let overlap = PenetrationSummary {
        depth: own.depth,
        depth_upper: own.depth_upper,
        volume: own.volume,
        volume_error: own.volume_error,
        certainty: own.certainty,
        ..PenetrationSummary::default()
    };
    PairFrame { contact: own.contact, crossing: own.crossing, overlap, distance: None }
}

fn old(args: &ScoreArgs, a: &Model, b: &Model) -> Legacy {
    let pitch = args.pitch.number * args.pitch.unit.unwrap_or(1.0);
    Legacy {
        a: legacy::vertices_in(a, b),
        b: legacy::vertices_in(b, a),
        voxels: [(a, b), (b, a)].map(|(a, b)| legacy::surface_voxels(a, b, pitch)),
    }
}

/// The triangles of an object, and the part of each.
struct Shape {
    faces: Vec<[u32; 3]>,
    parts: Vec<u32>,
}

impl Shape {
    fn of(stage: &Stage, object: usize) -> Self {
        let (mut faces, mut parts, mut points) = (Vec::new(), Vec::new(), Vec::new());
        let mut first = 0;
        for piece in stage.pieces().filter(|piece| piece.object().index() == object) {
            let own = piece.triangles();
            faces.extend(own.iter().map(|corners| corners.map(|corner| corner + first)));
            parts.extend((0..own.len() as u32).map(|triangle| piece.part_of(triangle)));
            piece.points(&mut points);
            first += points.len() as u32;
        }
        Self { faces, parts }
    }
}

impl Member {
    fn new(
        args: &ScoreArgs,
        scene: &Scene,
        object: usize,
        name: &str,
        shape: Shape,
        points: &[DVec3],
    ) -> Result<Self, String> {
        let refuse = |error: elbowroom::MeshError| format!("{name}: {error}");
        let mesh = Mesh::new(points.to_vec(), shape.faces).map_err(refuse)?;
        let body = if args.cap { Body::capped(&mesh) } else { Body::new(&mesh) };
        let has_parts = shape.parts.windows(2).any(|pair| pair[0] != pair[1]);
        let own = (args.with_itself && has_parts).then(|| Dissected::new(&mesh, &shape.parts));
        let own = own.transpose().map_err(refuse)?;
        let timing = scene.timing();
        let is_still = timing.first == timing.last || is_still(scene, object);
        let still = is_still.then(|| body.at(points).map(Arc::new)).transpose();
        let still = still.map_err(|error| format!("{name}: {error}"))?;
        Ok(Self { name: name.to_owned(), object, body, own, still })
    }
}

fn is_still(scene: &Scene, object: usize) -> bool {
    matches!(scene.objects()[object].content, Content::Still { .. })
}
