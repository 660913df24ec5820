//! While one convex shape slides past another: the stretch of the way on which they touch.
//!
//! Along any direction the shadows of two shapes overlap on a stretch of the way, and two convex
//! shapes touch where all do. Of polygons and polyhedra the directions across faces and across
//! pairs of edges are enough (the separating axis theorem); of degenerate ones also those along
//! edges, across edges in the plane of both, and along and across the way itself. A direction too
//! many, or one that is off by rounding, never shortens a stretch wrongly. A disc touches a polygon
//! where it touches a segment between two corners, and two triangles within a distance of each
//! other are a disc and the polygon of all their corners' differences.

use glam::{DMat3, DVec2, DVec3};

use super::turn;
use elbowroom::internal::math::planar::Planar;

/// A part of the way, in its length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) from: f64,
    to: f64,
}

impl Stretch {
    /// All that lies ahead.
    pub(super) const AHEAD: Self = Self { from: 0.0, to: f64::INFINITY };

    const NONE: Self = Self { from: f64::INFINITY, to: f64::NEG_INFINITY };

    /// The whole way, and behind.
    const ALL: Self = Self { from: f64::NEG_INFINITY, to: f64::INFINITY };

    /// Between two numbers; beyond the largest ones nothing is certain.
    fn between(from: f64, to: f64) -> Self {
        if from.is_nan() || to.is_nan() { Self::ALL } else { Self { from, to } }
    }

    /// All or nothing.
    fn all_if(touches: bool) -> Self {
        if touches { Self::ALL } else { Self::NONE }
    }

    /// What both have.
    fn cut(self, other: Self) -> Option<Self> {
        let cut = Self { from: self.from.max(other.from), to: self.to.min(other.to) };
        (cut.from <= cut.to).then_some(cut)
    }

    /// From the first of both to the last.
    fn joined(self, other: Self) -> Self {
        Self { from: self.from.min(other.from), to: self.to.max(other.to) }
    }
}

/// A convex shape.
#[derive(Clone, Copy, Debug)]
pub(super) enum Element {
    Disc { center: DVec2, radius: f64 },
    Box { center: DVec3, axes: DMat3, half: DVec3 },
    Corners([DVec3; 3]),
}

impl Element {
    /// As it is, or from above.
    pub(super) fn seen(self, is_solid: bool) -> Self {
        let flat = |p: DVec3| DVec3::new(p.x, p.y, 0.0);
        match self {
            Self::Disc { .. } => self,
            _ if is_solid => self,
            Self::Corners(corners) => Self::Corners(corners.map(flat)),
            Self::Box { center, axes, half } => Self::Box {
                center: flat(center),
                axes: DMat3::from_cols(flat(axes.x_axis), flat(axes.y_axis), flat(axes.z_axis)),
                half,
            },
        }
    }

    /// The shadow on a direction of length 1.
    fn shadow(&self, axis: DVec3) -> (f64, f64) {
        match self {
            Self::Disc { center, radius } => {
                let middle = axis.truncate().dot(*center);
                (middle - radius, middle + radius)
            }
            Self::Box { center, axes, half } => {
                let reach = (axes.transpose() * axis).abs().dot(*half);
                let middle = axis.dot(*center);
                (middle - reach, middle + reach)
            }
            Self::Corners(corners) => {
                let [p, q, r] = corners.map(|corner| axis.dot(corner));
                (p.min(q).min(r), p.max(q).max(r))
            }
        }
    }

    fn edges(&self) -> [DVec3; 3] {
        match self {
            Self::Disc { .. } => [DVec3::ZERO; 3],
            Self::Box { axes, half, .. } => {
                [axes.x_axis * half.x, axes.y_axis * half.y, axes.z_axis * half.z]
            }
            Self::Corners([p, q, r]) => [q - p, r - q, p - r],
        }
    }

    /// The corners from above.
    fn corners(&self) -> Points {
        match self {
            Self::Disc { center, .. } => Points::of([*center]),
            Self::Corners(corners) => Points::of(corners.map(DVec3::truncate)),
            Self::Box { center, .. } => {
                let [x, y, z] = self.edges();
                Points::of([0, 1, 2, 3, 4, 5, 6, 7].map(|corner: u32| {
                    let side = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                    (center + side(0) * x + side(1) * y + side(2) * z).truncate()
                }))
            }
        }
    }
}

/// A few points on the floor.
struct Points {
    all: [DVec2; 9],
    count: usize,
}

impl Points {
    fn of<const N: usize>(points: [DVec2; N]) -> Self {
        let mut all = [DVec2::ZERO; 9];
        all[..N].copy_from_slice(&points);
        Self { all, count: N }
    }
}

/// The corners of a shape as a point sees them.
fn from_point(element: &Element, point: DVec2) -> Points {
    let mut points = element.corners();
    points.all.iter_mut().for_each(|corner| *corner -= point);
    points
}

/// What the corners of the second triangle are away from those of the first; of segments there are
/// fewer.
fn differences(a: &[DVec3; 3], b: &[DVec3; 3]) -> Points {
    let own = |corners: &[DVec3; 3]| if corners[1] == corners[2] { 2 } else { 3 };
    let mut points = Points { all: [DVec2::ZERO; 9], count: 0 };
    for p in &a[..own(a)] {
        for q in &b[..own(b)] {
            points.all[points.count] = (q - p).truncate();
            points.count += 1;
        }
    }
    points
}

/// How the second body stands in the frame of the first, and where the first goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    rotation: DMat3,
    shift: DVec3,
    along: DVec3,
    /// What is added to the distance at which two shapes touch.
    allowance: f64,
    /// Bounds every error of a shadow and of a way.
    pub(super) slack: f64,
}

impl Course {
    pub(super) fn new(
        at_a: &Planar,
        at_b: &Planar,
        along: DVec2,
        reach: [f64; 2],
        allowance: impl Fn(f64) -> f64,
    ) -> Self {
        const U: f64 = f64::EPSILON / 2.0;
        let ((cos_a, sin_a), (cos_b, sin_b)) = (at_a.turn(), at_b.turn());
        let apart = at_b.translation() - at_a.translation();
        let back = |p: DVec2| DVec3::new(cos_a * p.x + sin_a * p.y, cos_a * p.y - sin_a * p.x, 0.0);
        let size = reach[0] + reach[1] + apart.abs().element_sum() + allowance(0.0);
        let deviation = at_a.deviation() + at_b.deviation();
        // Four times what volumes take (docs/notes/volume-slack.md): paths are as long as all that,
        // and their directions are rounded.
        let slack = 4.0 * size * (256.0 * U + 4.0 * deviation) + f64::MIN_POSITIVE;
        Self {
            rotation: turn(cos_a * cos_b + sin_a * sin_b, cos_a * sin_b - sin_a * cos_b),
            shift: back(apart),
            along: back(along),
            allowance: allowance(slack),
            slack,
        }
    }

    /// A shape of the second body as the first one sees it.
    pub(super) fn seen(&self, element: Element, is_solid: bool) -> Element {
        let apply = |p: DVec3| self.rotation * p + self.shift;
        let turned = match element {
            Element::Disc { center, radius } => {
                Element::Disc { center: apply(center.extend(0.0)).truncate(), radius }
            }
            Element::Box { center, axes, half } => {
                Element::Box { center: apply(center), axes: self.rotation * axes, half }
            }
            Element::Corners(corners) => Element::Corners(corners.map(apply)),
        };
        turned.seen(is_solid)
    }

    /// The part of a stretch on which two shapes touch. `None` if there is none before the best.
    pub(super) fn stretch(
        &self,
        a: &Element,
        b: &Element,
        is_solid: bool,
        within: Stretch,
        best: f64,
    ) -> Option<Stretch> {
        let within = Stretch { to: within.to.min(best), ..within };
        let along = self.along.truncate();
        let found = match (a, b) {
            (Element::Disc { center, radius }, _) => {
                within.cut(past_hull(&from_point(b, *center), along, radius + self.reach_of(b)))
            }
            (_, Element::Disc { center, radius }) => {
                within.cut(past_hull(&from_point(a, *center), -along, radius + self.reach_of(a)))
            }
            (Element::Corners(a), Element::Corners(b)) if !is_solid => {
                within.cut(past_hull(&differences(a, b), along, self.allowance))
            }
            _ if is_solid => self.past_axes(a, b, solid_axes, within),
            _ => self.past_axes(a, b, flat_axes, within),
        }?;
        (found.from < best).then_some(found)
    }

    /// The distance at which a point touches a shape, beyond the hull of its corners.
    fn reach_of(&self, element: &Element) -> f64 {
        let own = if let Element::Disc { radius, .. } = element { *radius } else { 0.0 };
        own + self.allowance
    }

    fn past_axes(
        &self,
        a: &Element,
        b: &Element,
        axes: impl Fn(&Element, &Element, DVec3, &mut dyn FnMut(DVec3) -> bool) -> bool,
        within: Stretch,
    ) -> Option<Stretch> {
        let mut left = Some(within);
        axes(a, b, self.along, &mut |axis: DVec3| {
            if let (Some(axis), Some(before)) = (unit(axis), left) {
                left = before.cut(self.past_shadow(a.shadow(axis), b.shadow(axis), axis));
            }
            left.is_some()
        });
        left
    }

    /// While two shadows overlap, the second of which goes back as the first body goes ahead.
    fn past_shadow(&self, a: (f64, f64), b: (f64, f64), axis: DVec3) -> Stretch {
        let speed = axis.dot(self.along);
        let (near, far) = (b.0 - a.1 - self.allowance, b.1 - a.0 + self.allowance);
        if speed > 0.0 {
            Stretch::between(near / speed, far / speed)
        } else if speed < 0.0 {
            Stretch::between(far / speed, near / speed)
        } else {
            let is_apart = near > 0.0 || far < 0.0;
            Stretch::all_if(!is_apart)
        }
    }
}

/// A vector of the same direction and length 1, however long or short it is. `None` if it has no
/// direction.
pub(super) fn unit(vector: DVec3) -> Option<DVec3> {
    (vector / vector.abs().max_element()).try_normalize()
}

/// While a point that goes ahead from the origin is within a distance of the hull of others.
fn past_hull(points: &Points, along: DVec2, reach: f64) -> Stretch {
    let stands = along == DVec2::ZERO;
    let along = if stands { DVec2::X } else { along };
    let points = &points.all[..points.count];
    let mut whole = Stretch::NONE;
    for (i, &p) in points.iter().enumerate() {
        whole = whole.joined(past_point(p, along, reach));
        for &q in &points[..i] {
            whole = whole.joined(past_segment(p, q, along, reach));
        }
    }
    // Who does not move touches where someone who comes by would.
    if stands { Stretch::all_if(whole.from <= 0.0 && whole.to >= 0.0) } else { whole }
}

/// While a point that goes ahead from the origin is near another.
fn past_point(there: DVec2, along: DVec2, reach: f64) -> Stretch {
    let (ahead, beside) = (there.dot(along), there.perp_dot(along).abs());
    if beside > reach {
        return Stretch::NONE;
    }
    // Two roots, as the product may be too large or too small for a number.
    let half = (reach - beside).sqrt() * (reach + beside).sqrt();
    Stretch::between(ahead - half, ahead + half)
}

/// While a point that goes ahead from the origin is beside a segment and near it.
fn past_segment(p: DVec2, q: DVec2, along: DVec2, reach: f64) -> Stretch {
    let Some(edge) = unit((q - p).extend(0.0)).map(DVec3::truncate) else { return Stretch::NONE };
    let slab = |axis: DVec2, low: f64, high: f64| {
        let speed = axis.dot(along);
        if speed == 0.0 {
            let is_apart = low > 0.0 || high < 0.0;
            return Stretch::all_if(!is_apart);
        }
        let (x, y) = (low / speed, high / speed);
        Stretch::between(x.min(y), x.max(y))
    };
    let across = edge.perp();
    let beside = across.dot(p);
    let near = slab(across, beside - reach, beside + reach);
    near.cut(slab(edge, edge.dot(p), edge.dot(q))).unwrap_or(Stretch::NONE)
}

/// Shows the directions that tell two shapes apart seen from above, until one is enough.
fn flat_axes(a: &Element, b: &Element, along: DVec3, show: &mut dyn FnMut(DVec3) -> bool) -> bool {
    let (a, b) = (a.edges(), b.edges());
    let ways = [along, DVec3::X, DVec3::Y];
    ways.iter()
        .chain(&a)
        .chain(&b)
        .all(|&edge| show(DVec3::new(-edge.y, edge.x, 0.0)) && show(edge))
}

/// Shows the directions that tell two shapes apart in space, until one is enough.
fn solid_axes(a: &Element, b: &Element, along: DVec3, show: &mut dyn FnMut(DVec3) -> bool) -> bool {
    let (edges_a, edges_b) = (a.edges(), b.edges());
    let edges = || edges_a.iter().chain(&edges_b);
    let across = DVec3::new(-along.y, along.x, 0.0);
    if ![across, along, DVec3::Z].iter().all(|&axis| show(axis)) {
        return false;
    }
    let crossed = |show: &mut dyn FnMut(DVec3) -> bool| {
        edges_a.iter().all(|&e| edges_b.iter().all(|&f| show(e.cross(f))))
    };
    if let (Element::Box { axes: own, .. }, Element::Box { axes: other, .. }) = (a, b) {
        // Boxes without thickness have a direction across all the same.
        let normals =
            [own.x_axis, own.y_axis, own.z_axis, other.x_axis, other.y_axis, other.z_axis];
        return normals.iter().all(|&normal| show(normal)) && crossed(show);
    }
    let (m, n) = (edges_a[0].cross(edges_a[1]), edges_b[0].cross(edges_b[1]));
    let in_planes = |edge: &DVec3| {
        let swept = edge.cross(along);
        [m.cross(*edge), n.cross(*edge), *edge, swept, swept.cross(*edge)]
    };
    let shown = show(m)
        && show(n)
        && crossed(show)
        && edges().all(|edge| in_planes(edge).iter().all(|&axis| show(axis)));
    // Needles have no plane of their own.
    let is_needle = m == DVec3::ZERO || n == DVec3::ZERO;
    shown
        && (!is_needle
            || edges_a.iter().all(|&e| {
                edges_b.iter().all(|&f| {
                    let both = e.cross(f);
                    show(both.cross(e)) && show(both.cross(f))
                })
            }))
}
