//! How far a body may move straight ahead until it touches another: how close two may stand.
//!
//! Two convex shapes, one of which slides, touch during one stretch of the way: for discs it is
//! closed form, for boxes and triangles it is what all separating directions leave over. A pair of
//! nodes whose stretch is empty, or begins behind the best that is known, ends there; the others
//! give way to their children, the nearest first. What is below a pair touches only while the pair
//! does, so stretches are cut with those above them: the answer is the first place at which
//! [`ask`](super::ask) or [`ask_boxes`](super::ask_boxes) would not say *clear*, to the same level.
//! (Boxes of one size give way together here, and one after the other there, which may see a little
//! more room at a level.)
//!
//! Source: Stüvel, Magnenat-Thalmann, Thalmann, Egges and van der Stappen, *Hierarchical structures
//! for collision checking between virtual characters*, 2014, §5.1, where bodies are slid in steps
//! until a query answers.
//!
//! Invariants: never late. All radii are longer by what rounding may have lost, and the way is
//! shorter by as much; it is off by rounding alone, but where bodies graze each other, where
//! rounding counts by its root. A body in a ring of the other touches it at once.

mod stretch;

use glam::{DMat3, DVec2, DVec3};
use stretch::{Course, Element, Stretch, unit};

use super::boxes::{Boxes, order};
use super::{BoxParts, Footprint, Look};
use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::math::sort::few_by;
use elbowroom::internal::volume::Volume;

/// The shapes that slide, and that they slide against, in any combination.
#[derive(Clone, Copy, Debug)]
pub enum SlideShape<'a> {
    /// Circles, at whatever height.
    Circles(&'a Footprint),
    /// Oriented boxes. Full ones are triangles in space against full ones, and seen from above
    /// against all else.
    Boxes(&'a Boxes),
}

impl<'a> From<&'a Footprint> for SlideShape<'a> {
    fn from(footprint: &'a Footprint) -> Self {
        Self::Circles(footprint)
    }
}

impl<'a> From<&'a Boxes> for SlideShape<'a> {
    fn from(boxes: &'a Boxes) -> Self {
        Self::Boxes(boxes)
    }
}

/// Memory that sliding uses while it runs, and how many pairs of shapes it compared so far.
#[derive(Clone, Debug, Default)]
pub struct SlideWork {
    stack: Vec<Pair>,
    /// Pairs of circles, boxes, triangles or segments that were compared.
    pub tests: u64,
}

/// Two nodes, and while what is below them may touch.
#[derive(Clone, Copy, Debug)]
struct Pair {
    a: NodeId,
    b: NodeId,
    stretch: Stretch,
}

/// How far the first body can move along a direction, whose length does not matter, until it
/// touches the second: 0 if it touches from the start, `None` if it never does. Without a direction
/// nothing moves.
///
/// ```
/// use elbowroom_motion::footprint::{BoxParts, Boxes, Footprint, FootprintConfig, Look, SlideWork, slide};
/// use elbowroom::internal::math::planar::Planar;
/// use glam::DVec2;
///
/// let ball = elbowroom_make::icosphere(16);
/// let circles = Footprint::of_mesh(&ball, &FootprintConfig::default());
/// let boxes = Boxes::of_mesh(&ball, BoxParts::Full)?;
/// let (here, there) = (Planar::IDENTITY, Planar::from_angle(1.0, DVec2::new(5.0, 0.0))?);
/// let (look, mut work) = (Look::default(), SlideWork::default());
/// let exact = slide(&boxes, &here, &boxes, &there, DVec2::X, &look, &mut work).expect("they meet");
/// let bound = slide(&circles, &here, &boxes, &there, DVec2::X, &look, &mut work).expect("so do these");
/// assert!(bound < exact && bound > 2.97 && exact < 3.01);
/// assert_eq!(slide(&boxes, &here, &boxes, &there, DVec2::NEG_X, &look, &mut work), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn slide<'a>(
    a: impl Into<SlideShape<'a>>,
    at_a: &Planar,
    b: impl Into<SlideShape<'a>>,
    at_b: &Planar,
    direction: DVec2,
    look: &Look,
    work: &mut SlideWork,
) -> Option<f64> {
    let mut along = unit(direction.extend(0.0)).map_or(DVec2::ZERO, DVec3::truncate);
    // These numbers are equal in either order of the bodies.
    let (mut a, mut b) = ((a.into(), at_a), (b.into(), at_b));
    if order(at_a) > order(at_b) {
        (a, b) = (b, a);
        along = -along;
    }
    let is_solid = a.0.is_full() && b.0.is_full();
    if !is_solid && (lies_within(a, b) || lies_within(b, a)) {
        return Some(0.0);
    }
    let course = Course::new(a.1, b.1, along, [a.0, b.0].map(|s| s.reach()), |slack| {
        look.margin.max(0.0) + a.0.margin() + b.0.margin() + slack
    });
    let search = Search { a: a.0, b: b.0, course, level: look.level, is_solid };
    search.first(work).map(|way| (way - search.course.slack).max(0.0))
}

/// Whether two bodies touch where they stand, seen from above.
pub(super) fn touches_flat(
    a: SlideShape,
    at_a: &Planar,
    b: SlideShape,
    at_b: &Planar,
    look: &Look,
    work: &mut SlideWork,
) -> bool {
    slide(a, at_a, b, at_b, DVec2::ZERO, look, work).is_some()
}

impl SlideShape<'_> {
    fn is_full(&self) -> bool {
        matches!(self, Self::Boxes(boxes) if boxes.parts() == BoxParts::Full)
    }

    fn tree(&self) -> &Tree {
        match self {
            Self::Circles(footprint) => footprint.tree(),
            Self::Boxes(boxes) => boxes.tree(),
        }
    }

    fn margin(&self) -> f64 {
        match self {
            // Circles hold the contour's error.
            Self::Circles(_) => 0.0,
            Self::Boxes(boxes) => boxes.margin(),
        }
    }

    fn reach(&self) -> f64 {
        match self {
            Self::Circles(footprint) => footprint.packed.reach,
            Self::Boxes(boxes) => boxes.reach(),
        }
    }

    /// How large a node is, to tell which gives way.
    fn size(&self, node: NodeId) -> f64 {
        match self {
            Self::Circles(footprint) => footprint.column()[node].radius,
            Self::Boxes(boxes) => boxes.column()[node].reach(),
        }
    }

    /// What encloses a node, in its own frame.
    fn hull(&self, node: NodeId) -> Element {
        match self {
            Self::Circles(footprint) => {
                let circle = footprint.column()[node];
                Element::Disc { center: circle.center, radius: circle.radius }
            }
            Self::Boxes(boxes) => {
                let of_node = boxes.column()[node];
                Element::Box { center: of_node.center, axes: of_node.axes, half: of_node.half }
            }
        }
    }

    /// What is in a leaf, one after the other.
    fn contents(&self, leaf: NodeId) -> impl Iterator<Item = Element> + '_ {
        let (circle, triangles) = match self {
            Self::Circles(_) => (Some(self.hull(leaf)), None),
            Self::Boxes(boxes) => (None, Some((boxes.leaves(), boxes.tree().members(leaf)))),
        };
        let corners = triangles.into_iter().flat_map(|(mesh, members)| {
            members.iter().map(|&id| Element::Corners(mesh.triangle(id as usize)))
        });
        circle.into_iter().chain(corners)
    }

    /// Whether a point of each piece is in an area, where nothing of them crosses its rings.
    fn begins_in(&self, is_in: impl Fn(DVec2) -> bool) -> bool {
        let contour = match self {
            Self::Circles(footprint) => footprint.contour(),
            Self::Boxes(boxes) => boxes.contour(),
        };
        match (contour, self) {
            (Some(contour), _) => {
                contour.rings().iter().any(|ring| is_in(ring[0]))
                    || contour.strays().iter().any(|stray| is_in(stray[0]))
            }
            (None, Self::Circles(footprint)) => {
                let tree = footprint.tree();
                tree.nodes()
                    .any(|node| tree.is_leaf(node) && is_in(footprint.column()[node].center))
            }
            (None, Self::Boxes(boxes)) => {
                let mesh = boxes.leaves();
                let corners = mesh.triangles().iter().map(|t| mesh.vertices()[t[0] as usize]);
                corners.map(DVec3::truncate).any(is_in)
            }
        }
    }
}

/// Whether the first, or a piece of it, begins in the area of the second's contour.
fn lies_within(
    (inner, at_inner): (SlideShape, &Planar),
    (outer, at_outer): (SlideShape, &Planar),
) -> bool {
    let contour = match outer {
        SlideShape::Circles(footprint) => footprint.contour(),
        SlideShape::Boxes(boxes) => boxes.contour(),
    };
    let Some(contour) = contour else { return false };
    // Most stand apart altogether.
    let apart = at_inner.translation().distance(at_outer.translation());
    if apart > 2.0 * (inner.reach() + outer.reach()) {
        return false;
    }
    let (cos, sin) = at_outer.turn();
    inner.begins_in(|p| {
        let p = at_inner.apply(p) - at_outer.translation();
        contour.contains(DVec2::new(cos * p.x + sin * p.y, cos * p.y - sin * p.x))
    })
}

/// One question.
struct Search<'a> {
    a: SlideShape<'a>,
    b: SlideShape<'a>,
    course: Course,
    level: Option<u32>,
    is_solid: bool,
}

impl Search<'_> {
    fn first(&self, work: &mut SlideWork) -> Option<f64> {
        let mut best = f64::INFINITY;
        work.stack.clear();
        let root = (NodeId::ROOT, NodeId::ROOT);
        self.push([root], Stretch::AHEAD, best, work);
        while let Some(pair) = work.stack.pop() {
            if pair.stretch.from >= best {
                continue;
            }
            best = best.min(self.open(pair, best, work));
            if best <= 0.0 {
                break;
            }
        }
        best.is_finite().then_some(best)
    }

    /// Puts what comes below a pair on the stack, or says where it touches.
    fn open(&self, pair: Pair, best: f64, work: &mut SlideWork) -> f64 {
        let Pair { a, b, stretch } = pair;
        let (trees, limit) = ([self.a.tree(), self.b.tree()], self.level.unwrap_or(u32::MAX));
        let below = |tree: &Tree, node| tree.children(node).filter(|_| tree.level(node) < limit);
        let (size_a, size_b) = (self.a.size(a), self.b.size(b));
        match (below(trees[0], a), below(trees[1], b)) {
            (None, None) if trees[0].is_leaf(a) && trees[1].is_leaf(b) => {
                return self.leaves(pair, best, work);
            }
            (None, None) => return stretch.from,
            (Some([left, right]), other) if other.is_none() || size_a > size_b => {
                self.push([(left, b), (right, b)], stretch, best, work);
            }
            (other, Some([left, right])) if other.is_none() || size_b > size_a => {
                self.push([(a, left), (a, right)], stretch, best, work);
            }
            (Some([i, j]), Some([k, l])) => {
                self.push([(i, k), (i, l), (j, k), (j, l)], stretch, best, work);
            }
            _ => {}
        }
        f64::INFINITY
    }

    /// Puts pairs on the stack that touch before the best: the nearest on top.
    fn push<const N: usize>(
        &self,
        pairs: [(NodeId, NodeId); N],
        above: Stretch,
        best: f64,
        work: &mut SlideWork,
    ) {
        let first = work.stack.len();
        for (a, b) in pairs {
            work.tests += 1;
            let hulls = (self.first_hull(a), self.second_hull(b));
            if let Some(stretch) =
                self.course.stretch(&hulls.0, &hulls.1, self.is_solid, above, best)
            {
                work.stack.push(Pair { a, b, stretch });
            }
        }
        few_by(&mut work.stack[first..], |p, q| {
            q.stretch.from.total_cmp(&p.stretch.from).then(q.a.cmp(&p.a)).then(q.b.cmp(&p.b))
        });
    }

    fn leaves(&self, pair: Pair, best: f64, work: &mut SlideWork) -> f64 {
        if let (SlideShape::Circles(_), SlideShape::Circles(_)) = (self.a, self.b) {
            return pair.stretch.from;
        }
        let mut best = best;
        for first in self.a.contents(pair.a) {
            let first = first.seen(self.is_solid);
            for second in self.b.contents(pair.b) {
                work.tests += 1;
                let second = self.course.seen(second, self.is_solid);
                let stretch =
                    self.course.stretch(&first, &second, self.is_solid, pair.stretch, best);
                best = stretch.map_or(best, |stretch| stretch.from.min(best));
            }
        }
        best
    }

    fn first_hull(&self, node: NodeId) -> Element {
        self.a.hull(node).seen(self.is_solid)
    }

    fn second_hull(&self, node: NodeId) -> Element {
        self.course.seen(self.b.hull(node), self.is_solid)
    }
}

/// A turn about the vertical.
fn turn(cos: f64, sin: f64) -> DMat3 {
    DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z)
}
