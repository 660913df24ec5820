//! Who meets whom between two frames.
//!
//! From one frame to the next every vertex is taken to move in a straight line, whatever moves it.
//! Two parts of two objects that do not meet in the first frame, but do before the next or in it,
//! are told with the time at which they come together; so nothing gets through anything else
//! between frames unseen. What meets in the first frame already is that frame's to tell, and is
//! left out.
//!
//! Who comes or goes between the frames is there for a part of the step ([`Moved::span`]), and
//! moves in a straight line from where it comes, or was, to where it goes, or is. Two of them are
//! compared while both are there.
//!
//! Invariants: a passing is never late and none is missed ([`contacts_swept`]); they are ordered by
//! their objects, and follow from the two stages alone.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use glam::DVec3;

use super::allow::Leave;
use super::contact::Meeting;
use super::find::Key;
use super::object::ObjectId;
use super::own::OwnRule;
use super::scene::Scene;
use super::stage::{Piece, Stage};
use elbowroom::internal::broad_phase::{Broad, Method};
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::math::sort::many_by;
use elbowroom::internal::query::{
    CcdOptions, Neighbours, Steps, SweptMesh, TimeOfImpact, contacts_self, contacts_swept,
    time_of_impact_swept,
};
use elbowroom::internal::volume::Aabb;
use elbowroom::interrupt::{checkpoint, hold};

/// Two objects that come together between two frames, or two parts of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Passing {
    /// The object that comes first in the scene.
    pub a: ObjectId,
    /// The other.
    pub b: ObjectId,
    /// When: 0 is the first of the two frames, 1 the second. No later than the contact.
    pub time: f64,
    /// Where, to rounding.
    pub point: DVec3,
    /// The parts that come together, the earliest first; one pair where an object meets itself,
    /// the lower part first.
    pub parts: Vec<PartPassing>,
}

/// Two parts that come together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartPassing {
    /// The part of the first object, by its place in [`Scene::parts`].
    pub a: u32,
    /// The part of the second.
    pub b: u32,
    /// When.
    pub time: f64,
}

/// Looks between frames, and keeps its memory from step to step.
///
/// ```
/// use std::sync::Arc;
/// use elbowroom_motion::scene::{Between, Content, Object, Scene, Stage, Timing};
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
/// let model = Arc::new(Model::new(mesh));
/// let path = [3.0, -1.0].map(|z| Pose::from_translation(DVec3::Z * z));
/// let path = path.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let objects = vec![
///     Object::new("floor", Content::Still { model: Arc::clone(&model), place: Pose::IDENTITY }),
///     Object::new("falls", Content::Moving { model, path }),
/// ];
/// let scene = Scene::new(Timing::new(30.0, 0, 1), objects, &[])?;
/// let (mut before, mut after) = (Stage::new(), Stage::new());
/// scene.at(0, &mut before)?;
/// scene.at(1, &mut after)?;
/// let passings = Between::default().find(&scene, &before, &after, &[]);
/// assert!((passings[0].time - 0.75).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Between {
    asked: CcdOptions,
    broad: Broad,
    steps: Steps,
    edges: Edges,
    /// The scene whose pieces these are.
    of: Option<Arc<()>>,
    pieces: Vec<Moved>,
}

impl Default for Between {
    fn default() -> Self {
        Self {
            asked: CcdOptions::default(),
            broad: Broad::new(Method::Tree),
            steps: Steps::default(),
            edges: Edges::default(),
            of: None,
            pieces: Vec::new(),
        }
    }
}

/// Who comes and who goes between two frames, where they do.
#[derive(Debug, Default)]
struct Edges {
    coming: Stage,
    going: Stage,
}

/// From the one frame to the other.
#[derive(Clone, Copy)]
struct Step<'a> {
    before: &'a Stage,
    after: &'a Stage,
    edges: &'a Edges,
}

impl<'a> Step<'a> {
    /// A piece where it is first.
    fn first(self, number: u32) -> Option<Piece<'a>> {
        self.before.piece(number).or_else(|| self.edges.coming.piece(number))
    }

    /// A piece where it is last.
    fn last(self, number: u32) -> Option<Piece<'a>> {
        self.after.piece(number).or_else(|| self.edges.going.piece(number))
    }

    fn pieces(self) -> impl Iterator<Item = Piece<'a>> {
        (0..self.before.len() as u32).filter_map(move |number| self.first(number))
    }
}

/// All of a step.
const WHOLE: [f64; 2] = [0.0, 1.0];

/// A piece on its way.
#[derive(Debug, Default)]
struct Moved {
    /// When it is there, as parts of the step.
    span: [f64; 2],
    swept: Option<SweptMesh>,
    /// Whether it is set for this step.
    is_set: bool,
    ends: [Vec<DVec3>; 2],
}

/// The parts of two objects, and when and where they come together; of one object each two parts by
/// themselves.
type Sums = BTreeMap<Key, BTreeMap<(u32, u32), (f64, DVec3)>>;

impl Between {
    /// Who comes together between two stages of one scene, given the meetings on the first. Stages
    /// of another scene are empty.
    pub fn find(
        &mut self,
        scene: &Scene,
        before: &Stage,
        after: &Stage,
        met: &[Meeting],
    ) -> Vec<Passing> {
        let is_ours = |stage: &Stage| {
            stage.of.as_ref().is_some_and(|(token, _)| Arc::ptr_eq(token, &scene.token))
        };
        if !is_ours(before) || !is_ours(after) {
            return Vec::new();
        }
        if !self.of.as_ref().is_some_and(|token| Arc::ptr_eq(token, &scene.token)) {
            *self = Self { of: Some(Arc::clone(&scene.token)), ..Self::default() };
            self.pieces.resize_with(before.len(), Moved::default);
        }
        let mut edges = std::mem::take(&mut self.edges);
        self.set_edges(scene, (before, after), &mut edges);
        let sums = self.sums(scene, Step { before, after, edges: &edges }, &known(met));
        self.edges = edges;
        sums.into_iter().filter_map(|(key, parts)| passing(key, parts)).collect()
    }

    fn sums(&mut self, scene: &Scene, step: Step<'_>, known: &Known) -> Sums {
        self.set_boxes(step);
        let mut sums = Sums::new();
        for (i, j) in self.pairs(step) {
            checkpoint();
            let (Some(a), Some(b)) = (step.first(i), step.first(j)) else { continue };
            let leave = scene.leave(a.object().index(), b.object().index());
            let lone = a.only_part().zip(b.only_part());
            let is_known = lone.is_some_and(|parts| known.contains(&named((a, b), parts)));
            if leave == Leave::All || is_known {
                continue;
            }
            let found = self.across(step, (a, b), lone.is_some());
            add(&mut sums, scene, (a, b), &found, leave, known);
        }
        self.find_within(scene, step, known, &mut sums);
        sums
    }

    /// Who comes or goes between the frames, and when.
    fn set_edges(&mut self, scene: &Scene, (before, after): (&Stage, &Stage), edges: &mut Edges) {
        let (Some(from), Some(to)) = (before.frame(), after.frame()) else { return };
        let (from, to) = (scene.timing().secs(from), scene.timing().secs(to));
        scene.clear(&mut edges.coming);
        scene.clear(&mut edges.going);
        for object in (0..scene.objects().len() as u32).map(ObjectId) {
            let are_there = [before, after].map(|stage| stage.is_present(scene, object));
            let mut span = WHOLE;
            if let (Some((start, end)), true) = (scene.there(object), are_there != [true; 2]) {
                let times = [
                    if are_there[0] { from } else { start.max(from) },
                    if are_there[1] { to } else { end.min(to) },
                ];
                if times[0] > times[1] {
                    continue;
                }
                span = times.map(|time| ((time - from) / (to - from)).clamp(0.0, 1.0));
                let edges = [&mut edges.coming, &mut edges.going];
                for ((stage, time), _) in
                    edges.into_iter().zip(times).zip(are_there).filter(|(_, is_there)| !is_there)
                {
                    scene.set_at(object, time, stage);
                }
            }
            for number in scene.pieces(object) {
                self.pieces[number as usize].span = span;
            }
        }
    }

    fn set_boxes(&mut self, step: Step<'_>) {
        for number in 0..step.before.len() as u32 {
            self.pieces[number as usize].is_set = false;
            let both = step.first(number).zip(step.last(number));
            let bounds = both.map(|(first, last)| {
                let (first, last) = (first.bounds(), last.bounds());
                Aabb { min: first.min.min(last.min), max: first.max.max(last.max) }
            });
            // A box that is refused is not finite, and a stage has none such.
            if bounds.is_none_or(|bounds| self.broad.set(number, bounds).is_err()) {
                self.broad.remove(number);
            }
        }
    }

    /// The pairs of pieces whose boxes overlap and of which one moves, in order. What never moves
    /// asks for none: there may be billions.
    fn pairs(&mut self, step: Step<'_>) -> Vec<(u32, u32)> {
        self.broad.refresh();
        let moves = |piece: &Piece<'_>| !piece.is_still();
        let (mut pairs, mut near) = (Vec::new(), Vec::new());
        for piece in step.pieces().filter(moves) {
            let own = piece.number();
            let Some(bounds) = self.broad.get(own) else { continue };
            self.broad.near(bounds, &mut near);
            let is_mine = |&&other: &&u32| {
                other > own || (other < own && step.first(other).is_some_and(|it| it.is_still()))
            };
            pairs
                .extend(near.iter().filter(is_mine).map(|&other| (own.min(other), own.max(other))));
            hold(pairs.len(), size_of::<(u32, u32)>());
        }
        pairs.sort_unstable();
        pairs
    }

    /// Sets a piece from where it is first to where it is last.
    fn set(&mut self, step: Step<'_>, number: u32) {
        let moved = &mut self.pieces[number as usize];
        if moved.is_set {
            return;
        }
        moved.is_set = true;
        let (Some(first), Some(last)) = (step.first(number), step.last(number)) else { return };
        // What never moves is made once.
        if first.is_still() && moved.swept.is_some() {
            return;
        }
        first.points(&mut moved.ends[0]);
        last.points(&mut moved.ends[1]);
        if moved.swept.is_none() {
            let triangles = first.triangles().to_vec();
            moved.swept = Mesh::new(moved.ends[0].clone(), triangles).ok().map(SweptMesh::new);
        }
        let [start, end] = &moved.ends;
        let is_moved = moved.swept.as_mut().is_some_and(|swept| swept.set(start, end).is_ok());
        debug_assert!(is_moved, "a piece has the same vertices in all frames");
    }

    /// When the triangles of two pieces come together: of pieces of one part each, the first.
    fn across(
        &mut self,
        step: Step<'_>,
        (a, b): (Piece<'_>, Piece<'_>),
        are_lone: bool,
    ) -> Vec<TimeOfImpact> {
        let both = [a, b];
        for piece in both {
            self.set(step, piece.number());
        }
        let Self { pieces, asked, steps, .. } = self;
        let [first, second] = both.map(|piece| &pieces[piece.number() as usize]);
        let span = [0, 1].map(|end| match end {
            0 => first.span[0].max(second.span[0]),
            _ => first.span[1].min(second.span[1]),
        });
        if span[0] > span[1] {
            return Vec::new();
        }
        let [cut_a, cut_b] = both.map(|piece| pieces[piece.number() as usize].cut(piece, span));
        let (a, b) =
            (cut_a.as_ref().or(first.swept.as_ref()), cut_b.as_ref().or(second.swept.as_ref()));
        let found = match (a, b) {
            (Some(a), Some(b)) if are_lone => {
                time_of_impact_swept(a, b, asked, steps).into_iter().collect()
            }
            (Some(a), Some(b)) => contacts_swept(a, b, asked, steps),
            _ => Vec::new(),
        };
        found.into_iter().map(|since| in_step(span, since)).collect()
    }

    /// As who meets itself in a frame is looked for.
    fn find_within(&mut self, scene: &Scene, step: Step<'_>, known: &Known, sums: &mut Sums) {
        for piece in step.pieces() {
            let is_asked = scene.own_pairs(piece.object()) > 0;
            let Some(rule) = scene.own_rule(piece).filter(|_| is_asked) else { continue };
            if piece.is_rigid() || step.last(piece.number()).is_none() {
                continue;
            }
            self.set(step, piece.number());
            let Moved { swept: Some(swept), span, .. } = &self.pieces[piece.number() as usize]
            else {
                continue;
            };
            let span = *span;
            let found = contacts_self(swept, Neighbours::Skip, &self.asked, &mut self.steps);
            let (found, leave) = match rule {
                OwnRule::Whole => (found, Leave::None),
                OwnRule::By(_) => {
                    let counts = |since: &TimeOfImpact| !rule.leaves_out(piece, (since.a, since.b));
                    (found.into_iter().filter(counts).collect(), Leave::Parts)
                }
            };
            let found: Vec<_> = found.into_iter().map(|since| in_step(span, since)).collect();
            add(sums, scene, (piece, piece), &found, leave, known);
        }
    }
}

impl Moved {
    /// The way in a part of the step, unless that is its whole way or it stands still.
    fn cut(&self, piece: Piece<'_>, span: [f64; 2]) -> Option<SweptMesh> {
        if span == self.span || piece.is_still() {
            return None;
        }
        let [start, end] = &self.ends;
        let length = self.span[1] - self.span[0];
        let [from, to] = span.map(|time| {
            let part = if length > 0.0 { (time - self.span[0]) / length } else { 0.0 };
            start.iter().zip(end).map(|(&p, &q)| p + (q - p) * part).collect::<Vec<_>>()
        });
        let mut swept = SweptMesh::new(Mesh::new(from.clone(), piece.triangles().to_vec()).ok()?);
        swept.set(&from, &to).ok().map(|()| swept)
    }
}

/// A contact by times of the step, from one by times within a part of it.
fn in_step(span: [f64; 2], mut since: TimeOfImpact) -> TimeOfImpact {
    if span != WHOLE {
        since.time = span[0] + (span[1] - span[0]) * since.time;
    }
    since
}

/// Objects and parts that meet in the first frame, the lower part first for an object with itself.
type Known = HashSet<(u32, u32, u32, u32)>;

fn known(met: &[Meeting]) -> Known {
    let mut known = Known::new();
    for meeting in met {
        // Parts that are only near have no triangle in common.
        for pair in meeting.parts.iter().filter(|pair| pair.touching + pair.crossing > 0) {
            known.insert((meeting.a.0, meeting.b.0, pair.a, pair.b));
        }
        // Where parts are not told, each object is one.
        if meeting.parts.is_empty() && meeting.triangle_pairs() > 0 {
            known.insert((meeting.a.0, meeting.b.0, 0, 0));
        }
    }
    known
}

fn named((a, b): (Piece<'_>, Piece<'_>), (i, j): (u32, u32)) -> (u32, u32, u32, u32) {
    let (first, second) = (a.object(), b.object());
    let (i, j) = if first == second { (i.min(j), i.max(j)) } else { (i, j) };
    (first.0, second.0, i, j)
}

/// Keeps the first time of every two parts that count.
fn add(
    sums: &mut Sums,
    scene: &Scene,
    (a, b): (Piece<'_>, Piece<'_>),
    found: &[TimeOfImpact],
    leave: Leave,
    known: &Known,
) {
    let (first, second) = (a.object(), b.object());
    for since in found {
        let name = named((a, b), (a.part_of(since.a), b.part_of(since.b)));
        let (_, _, i, j) = name;
        let is_left = leave == Leave::Parts && scene.may_touch(first, i, second, j);
        if is_left || known.contains(&name) {
            continue;
        }
        let here = (since.time, 0.5 * (since.points[0] + since.points[1]));
        let own = (first == second).then_some((i, j));
        let parts = sums.entry((first.0, second.0, own)).or_default();
        let parts = parts.entry((i, j)).or_insert(here);
        if here.0 < parts.0 {
            *parts = here;
        }
    }
}

fn passing((a, b, _): Key, parts: BTreeMap<(u32, u32), (f64, DVec3)>) -> Option<Passing> {
    let (time, point) = parts.values().copied().min_by(|p, q| p.0.total_cmp(&q.0))?;
    let part = |((a, b), (time, _)): ((u32, u32), (f64, DVec3))| PartPassing { a, b, time };
    let mut parts: Vec<PartPassing> = parts.into_iter().map(part).collect();
    // Stable, so that equals stay in the order of the parts.
    many_by(&mut parts, |p, q| p.time.total_cmp(&q.time));
    Some(Passing { a: ObjectId(a), b: ObjectId(b), time, point, parts })
}
