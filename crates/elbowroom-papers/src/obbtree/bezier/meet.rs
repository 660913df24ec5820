//! Two patches: certainly apart, or near each other, and where.
//!
//! Pairs of parts are compared from the whole patches down. If the boxes around their control
//! points are apart, so are they, for certain. If both are flat within a quarter of the tolerance,
//! the triangles between their corners decide: farther apart than the two flatnesses together, and
//! the parts do not meet, for certain; else they come within the tolerance of each other, for
//! certain, too. Otherwise the less flat one is halved. A part is halved at most once, however many
//! pairs it is in.
//!
//! Certain means: with all roundings on the safe side. Control points of parts are rounded by
//! halving and boxes by placing; both are within one margin, which is added to the boxes and to the
//! distances.

use glam::DVec3;

use crate::obbtree::bezier::{BezierError, BezierPatch, check_tolerance, net};
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::query::contact::{Unit, distance};
use elbowroom::internal::traverse::Tally;
use elbowroom::internal::volume::{
    Aabb, Cylinder, Family, Fit, Kdop14, Kdop18, Kdop24, Kdop26, Meet, Obb, Rigid, Spatial, Sphere,
};

/// Parts are kept as long as they have no more control points than this together: some 200 MB.
const MOST_POINTS: usize = 1 << 22;

/// Options of a query about two patches: the tolerance, and limits of the work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchQuestion {
    /// The tolerance. Parts that cannot be separated by this distance count as near; those that
    /// can are clear, even if they are closer.
    pub tolerance: f64,
    /// The shape of the volumes around control points.
    pub family: Family,
    /// The most halvings of halvings.
    pub levels: u32,
    /// The greatest number of visited pairs of parts.
    pub pairs: u64,
}

/// Oriented boxes, a thousandth, and limits that no reasonable question meets.
impl Default for PatchQuestion {
    fn default() -> Self {
        Self { tolerance: 1e-3, family: Family::Obb, levels: 48, pairs: 1 << 20 }
    }
}

/// The verdict on two patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Closeness {
    /// The patches have no point in common. Certain, though they may be closer than the tolerance.
    Clear,
    /// The patches come within the tolerance of each other, and may touch. Certain.
    Within,
    /// A limit was met before either was certain.
    Unknown,
}

/// A part of a patch: intervals of both parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// The range of u.
    pub u: [f64; 2],
    /// The range of v.
    pub v: [f64; 2],
}

/// Two parts that come within the tolerance of each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The part of the first patch.
    pub a: Rectangle,
    /// The part of the second patch.
    pub b: Rectangle,
}

/// The result of a query about two patches.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearness {
    /// The verdict.
    pub closeness: Closeness,
    /// The places where they come within the tolerance: all of them if `finished`.
    pub near: Vec<Near>,
    /// Whether the search was complete; else it reached a limit of levels, pairs or memory.
    pub finished: bool,
    /// The number of parts that were halved, of both patches together.
    pub subdivisions: u64,
    /// Pairs of volumes and of triangles tested.
    pub tally: Tally,
}

/// Whether two placed patches are clear of each other or come within a tolerance, and where.
///
/// ```
/// use elbowroom::Pose;
/// use elbowroom_papers::obbtree::{BezierPatch, Closeness, PatchQuestion, meet_patches};
/// use glam::DVec3;
///
/// let arch = |y: f64| [0.0, 1.0, 2.0, 3.0].map(|x| DVec3::new(x, y, x * (3.0 - x)));
/// let arch = BezierPatch::new([1, 3], [arch(0.0), arch(1.0)].concat())?;
/// let line = |z: f64| BezierPatch::curve(vec![DVec3::new(-1.0, 0.5, z), DVec3::new(4.0, 0.5, z)]);
/// let here = Pose::IDENTITY;
/// let ask = |z: f64| meet_patches(&arch, &here, &line(z)?, &here, &PatchQuestion::default());
/// assert_eq!(ask(1.51)?.closeness, Closeness::Clear);
/// let through = ask(1.0)?;
/// assert_eq!(through.closeness, Closeness::Within);
/// // Through both sides of the arch, not through its top.
/// assert!(through.near.iter().all(|near| near.a.v[1] < 0.4 || near.a.v[0] > 0.6));
/// # Ok::<(), elbowroom_papers::obbtree::BezierError>(())
/// ```
///
/// # Errors
/// If the tolerance is not above zero and finite.
pub fn meet_patches(
    a: &BezierPatch,
    place_a: &Pose,
    b: &BezierPatch,
    place_b: &Pose,
    question: &PatchQuestion,
) -> Result<Nearness, BezierError> {
    check_tolerance(question.tolerance)?;
    let sides = [(a, place_a), (b, place_b)];
    Ok(match question.family {
        Family::Sphere => Meeting::<Sphere>::run(sides, question),
        Family::Aabb => Meeting::<Aabb>::run(sides, question),
        Family::Obb | Family::TimeBox | Family::TimeObb => Meeting::<Obb>::run(sides, question),
        Family::Kdop14 => Meeting::<Kdop14>::run(sides, question),
        Family::Kdop18 => Meeting::<Kdop18>::run(sides, question),
        Family::Kdop24 => Meeting::<Kdop24>::run(sides, question),
        Family::Kdop26 => Meeting::<Kdop26>::run(sides, question),
        Family::Cylinder => Meeting::<Cylinder>::run(sides, question),
    })
}

/// A part of a patch.
struct Part<V> {
    net: Vec<DVec3>,
    volume: V,
    /// How far it is from the triangles between its corners.
    flatness: f64,
    span: Rectangle,
    level: u32,
    /// The first of two halves that stand side by side, once they are needed.
    halves: Option<usize>,
}

/// A patch and those of its parts that were needed so far.
struct Side<V> {
    degrees: [usize; 2],
    parts: Vec<Part<V>>,
}

impl<V: Spatial> Side<V> {
    fn new(patch: &BezierPatch) -> Self {
        let span = Rectangle { u: [0.0, 1.0], v: [0.0, 1.0] };
        let mut side = Self { degrees: patch.degrees, parts: Vec::new() };
        side.push(patch.control.clone(), span, 0);
        side
    }

    fn push(&mut self, net: Vec<DVec3>, span: Rectangle, level: u32) {
        let points: Vec<[DVec3; 3]> =
            net.chunks(3).map(|p| [p[0], p[p.len() / 2], p[p.len() - 1]]).collect();
        self.parts.push(Part {
            // Points, not a surface, so it is the points that are to be spread along the axes.
            volume: V::of_triangles(&points, Fit::Vertices),
            flatness: net::flatness(self.degrees, &net),
            net,
            span,
            level,
            halves: None,
        });
    }

    /// The halves of a part, and whether they had to be made.
    fn halves(&mut self, part: usize) -> ([usize; 2], bool) {
        if let Some(first) = self.parts[part].halves {
            return ([first, first + 1], false);
        }
        let first = self.parts.len();
        let Part { net, span, level, .. } = &self.parts[part];
        let (span, level) = (*span, level + 1);
        let direction = net::direction(self.degrees, net);
        let [low, high] = net::halve(self.degrees, net, direction);
        let [low_span, high_span] = span.halves(direction);
        self.push(low, low_span, level);
        self.push(high, high_span, level);
        self.parts[part].halves = Some(first);
        ([first, first + 1], true)
    }

    /// The two triangles between the corners of a part.
    fn triangles(&self, part: usize) -> [[DVec3; 3]; 2] {
        let [p00, p10, p01, p11] = net::corners(self.degrees, &self.parts[part].net);
        [[p00, p10, p11], [p00, p11, p01]]
    }

    /// How many control points are kept.
    fn size(&self) -> usize {
        self.parts.len() * self.parts[0].net.len()
    }
}

impl Rectangle {
    fn halves(self, direction: usize) -> [Self; 2] {
        let cut = |[from, to]: [f64; 2]| {
            let middle = 0.5 * (from + to);
            [[from, middle], [middle, to]]
        };
        if direction == 0 {
            cut(self.u).map(|u| Self { u, ..self })
        } else {
            cut(self.v).map(|v| Self { v, ..self })
        }
    }
}

struct Meeting<'a, V: Meet + Spatial> {
    a: Side<V>,
    b: Side<V>,
    /// The second patch in the first one's frame; its allowance bounds what halving and placing
    /// round.
    rigid: Rigid,
    space: V::Space,
    question: &'a PatchQuestion,
    near: Vec<Near>,
    subdivisions: u64,
    tally: Tally,
}

impl<'a, V: Meet + Spatial> Meeting<'a, V> {
    fn run([a, b]: [(&'a BezierPatch, &'a Pose); 2], question: &'a PatchQuestion) -> Nearness {
        let rounding = halving(a.0, question.levels) + halving(b.0, question.levels);
        let rigid = Rigid::new(a.1, reach(a.0), b.1, reach(b.0), rounding);
        let mut meeting = Self {
            a: Side::new(a.0),
            b: Side::new(b.0),
            rigid,
            space: (&rigid).into(),
            question,
            near: Vec::new(),
            subdivisions: 0,
            tally: Tally::default(),
        };
        let finished = meeting.descend();
        let closeness = match (meeting.near.is_empty(), finished) {
            (false, _) => Closeness::Within,
            (true, true) => Closeness::Clear,
            (true, false) => Closeness::Unknown,
        };
        let Self { near, subdivisions, tally, .. } = meeting;
        Nearness { closeness, near, finished, subdivisions, tally }
    }

    /// Whether the search was complete.
    fn descend(&mut self) -> bool {
        let flat = 0.25 * self.question.tolerance;
        let mut finished = true;
        let mut stack = vec![(0, 0)];
        while let Some((a, b)) = stack.pop() {
            let size = self.a.size() + self.b.size();
            if self.tally.volumes() >= self.question.pairs || size > MOST_POINTS {
                return false;
            }
            self.tally.count_volume(V::FAMILY);
            let (part_a, part_b) = (&self.a.parts[a], &self.b.parts[b]);
            if !part_a.volume.may_meet(&part_b.volume, &self.space) {
                continue;
            }
            // A margin that drowns the tolerance leaves nothing flat: the limits will say so.
            let is_flat = |part: &Part<V>| part.flatness + self.rigid.allowance() <= flat;
            let first_gives_way = part_a.flatness >= part_b.flatness;
            if is_flat(part_a) && is_flat(part_b) {
                self.decide(a, b);
                continue;
            }
            let part = if first_gives_way { part_a } else { part_b };
            if part.level >= self.question.levels {
                finished = false;
            } else if first_gives_way {
                let ([low, high], made) = self.a.halves(a);
                self.subdivisions += u64::from(made);
                stack.extend([(high, b), (low, b)]);
            } else {
                let ([low, high], made) = self.b.halves(b);
                self.subdivisions += u64::from(made);
                stack.extend([(a, high), (a, low)]);
            }
        }
        finished
    }

    /// Two flat parts, by their triangles.
    fn decide(&mut self, a: usize, b: usize) {
        let triangles_b = self.b.triangles(b).map(|t| t.map(|p| self.rigid.apply(p)));
        let (part_a, part_b) = (&self.a.parts[a], &self.b.parts[b]);
        let limit = part_a.flatness + part_b.flatness + 2.0 * self.rigid.allowance();
        for first in self.a.triangles(a) {
            for second in triangles_b {
                self.tally.primitives += 1;
                let unit = Unit::around(first.into_iter().chain(second));
                let enter = |t: [DVec3; 3]| t.map(|p| unit.enter(p));
                let gap = unit.leave_length(distance(enter(first), enter(second)));
                // What cannot be compared is not clear.
                if gap <= limit || gap.is_nan() {
                    self.near.push(Near { a: part_a.span, b: part_b.span });
                    return;
                }
            }
        }
    }
}

/// Bounds the sum of the magnitudes of the coordinates of a patch.
fn reach(patch: &BezierPatch) -> f64 {
    patch.control.iter().map(|p| p.abs().element_sum()).fold(0.0, f64::max)
}

/// Bounds the rounding errors of a number of levels of halving (see [`net`]), and of a flatness,
/// which has two dozen operations.
fn halving(patch: &BezierPatch, levels: u32) -> f64 {
    let degree = patch.degrees[0].max(patch.degrees[1]) as f64;
    reach(patch) * (f64::from(levels) * degree + 24.0) * f64::EPSILON + f64::MIN_POSITIVE
}
