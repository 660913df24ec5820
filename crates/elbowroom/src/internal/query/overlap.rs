//! How much of two solids is in each other: the volume of what they have in common, and the areas
//! of their boundaries in it.
//!
//! The volume of a solid is a third of the sum, over its boundary, of area times height above the
//! origin (Gauss). The boundary of what two solids have in common consists of what each has within
//! the other, and of what both have in one place with both solids behind it. So only areas are to
//! be found, triangle by triangle:
//!
//! * a triangle that the other surface does not meet is wholly in or out, and so is all that hangs
//!   together with it;
//! * a triangle that it meets is cut by it along segments, at which winding numbers change
//!   (`slice.rs`), and its parts are added up without joining anything to anything (`wedges.rs`).
//!
//! What lies in one plane is told apart by what is behind and before it, exactly: a face of both
//! solids with the same side out counts once, with opposite sides not at all. Shells of one mesh
//! that overlap are one solid (winding number above one half).
//!
//! Sums are of f64, and the answer says how far they may be off. A mesh that is not closed encloses
//! nothing for certain: then the answer is an [estimate](Certainty). Derivation:
//! `docs/notes/overlap.md`.

mod slice;
mod wedges;

use glam::{DVec2, DVec3};

use slice::Plane;
use wedges::{CORNERS, Numbers, Part, Parts, Wedges};

use super::collide::{TrianglePair, visit};
use super::depth::{Field, Flood};
use super::solid::{Body, Certainty, side_of_point};
use crate::internal::exact::closest::Unit;
use crate::internal::geom::Aabb;
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;
use crate::interrupt::{checkpoint, hold};

/// The overlap of two solids: common volume, and areas of the boundaries in each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Overlap {
    /// The volume of what is in both.
    pub volume: f64,
    /// A bound of the rounding error of the volume, to first order.
    pub volume_error: f64,
    /// Areas of the first solid's boundary.
    pub a: OverlapAreas,
    /// Areas of the second solid's boundary.
    pub b: OverlapAreas,
    /// Whether both meshes are closed; else the numbers are estimates.
    pub certainty: Certainty,
}

/// How much of a solid's boundary is in another solid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OverlapAreas {
    /// The area strictly inside the other solid.
    pub inside: f64,
    /// The area on the other's boundary, with the same side out.
    pub shared: f64,
    /// The area on the other's boundary, with opposite sides out: the solids touch there.
    pub against: f64,
    /// A bound of the rounding error of each of these areas, to first order.
    pub error: f64,
}

/// Memory that is used again.
#[derive(Default)]
struct Memory {
    pairs: Vec<TrianglePair>,
    flood: Flood,
    /// The triangles that may be in the other solid.
    near: Vec<u32>,
    wedges: Wedges,
}

/// The overlap of two placed solids: the common volume, and areas.
///
/// The same with the arguments swapped, bit for bit, but for the names.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::Pose;
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let cube = Model::new(elbowroom_make::cuboid(DVec3::ONE));
/// let here = Pose::IDENTITY;
/// let there = Pose::from_translation(DVec3::new(1.5, 0.0, 0.0))?;
/// let amount = query::overlap(&cube, &here, &cube, &there, &mut Workspace::default());
/// // A slab of half a unit; one face of each is inside the other, four are partly in one plane.
/// assert!((amount.volume - 2.0).abs() < 1e-12 && amount.volume_error < 1e-10);
/// assert!((amount.a.inside - 4.0).abs() < 1e-12 && (amount.a.shared - 4.0).abs() < 1e-12);
/// # Ok::<(), elbowroom::PoseError>(())
/// ```
pub fn overlap(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    workspace: &mut Workspace,
) -> Overlap {
    let mut memory: Box<Memory> = workspace.kept.take();
    let bodies = [Body::new(a, pose_a), Body::new(b, pose_b)];
    let amount = measure(bodies, &mut memory, workspace);
    workspace.kept.put(memory);
    amount
}

fn measure(bodies: [Body; 2], memory: &mut Memory, workspace: &mut Workspace) -> Overlap {
    let [a, b] = bodies;
    let certainty = Certainty::of(a.model).and(Certainty::of(b.model));
    let mut amount = Overlap { certainty, ..Overlap::default() };
    let pairs = &mut memory.pairs;
    pairs.clear();
    // The visitor never breaks it off.
    let _ = visit(a.model, a.pose, b.model, b.pose, workspace, |pair| {
        pairs.push(pair);
        // Also once for each surface, in other words.
        hold(pairs.len(), 2 * size_of::<TrianglePair>());
        std::ops::ControlFlow::Continue(())
    });
    let frame = Frame::new(&bodies);
    if !frame.is_usable() {
        return Overlap { volume_error: f64::MAX, ..amount };
    }
    let fields = bodies.map(Field::new);
    let mut sums = [Sums::default(); 2];
    for own in 0..2 {
        memory.flood.fill([&bodies[own], &bodies[1 - own]], &memory.pairs, own == 1);
        let mut count = Count {
            frame: &frame,
            own: &fields[own],
            other: &fields[1 - own],
            sums: &mut sums[own],
        };
        count.surface(memory, workspace);
    }
    let [first, second] = sums;
    // What both have in one place is in both sums.
    let volume = (first.inside.moment + second.inside.moment)
        + 0.5 * (first.shared.moment + second.shared.moment);
    let error = first.moment_error + second.moment_error;
    amount.volume = frame.leave(volume / 6.0, 3).max(0.0);
    amount.volume_error = frame.leave(error / 6.0, 3);
    amount.a = first.areas(&frame);
    amount.b = second.areas(&frame);
    amount
}

/// The frame in which everything is measured.
struct Frame {
    unit: Unit,
    /// The origin of heights: in the middle of where both may be.
    middle: DVec3,
    /// How far a point may be off.
    lost: f64,
}

impl Frame {
    fn new(bodies: &[Body; 2]) -> Self {
        let corners = |body: &Body| {
            let Aabb { min: low, max: high } = body.model.bounds();
            let pose = *body.pose;
            (0..8).map(move |i| {
                let pick = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
                pose.apply(DVec3::new(pick(0), pick(1), pick(2)))
            })
        };
        let unit = Unit::around(bodies.iter().flat_map(corners));
        let [a, b] = bodies.each_ref().map(|body| {
            corners(body)
                .map(|corner| unit.enter(corner))
                .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), corner| {
                    (low.min(corner), high.max(corner))
                })
        });
        let middle = 0.5 * a.0.max(b.0) + 0.5 * a.1.min(b.1);
        let reach = |body: &Body| body.model.reach() + body.pose.translation().abs().element_sum();
        let lost = 8.0 * f64::EPSILON * (reach(&bodies[0]) + reach(&bodies[1]));
        let lost = unit.enter_length(lost) + 8.0 * f64::EPSILON;
        Self { unit, middle, lost }
    }

    fn is_usable(&self) -> bool {
        self.unit.enter_length(1.0).is_normal() && self.middle.is_finite() && self.lost.is_finite()
    }

    /// An area or a volume as it is in the world.
    fn leave(&self, amount: f64, dimension: i32) -> f64 {
        (0..dimension).fold(amount, |amount, _| self.unit.leave_length(amount))
    }

    fn corners(&self, body: &Body, triangle: u32) -> [DVec3; 3] {
        let corners = body.model.mesh().triangle(triangle as usize);
        corners.map(|p| self.unit.enter(body.pose.apply(p)))
    }
}

/// A sum of areas, and of areas times heights; both are twice what they are called, as cross
/// products have it.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    area: f64,
    moment: f64,
}

impl Sum {
    fn add(&mut self, part: Part, area: f64, moment: f64) {
        self.area += part.area * area;
        self.moment += part.facing * moment;
    }
}

/// What one surface adds.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    inside: Sum,
    shared: Sum,
    against: Sum,
    area_error: f64,
    moment_error: f64,
}

impl Sums {
    fn areas(&self, frame: &Frame) -> OverlapAreas {
        let area = |sum: Sum| frame.leave(0.5 * sum.area, 2).max(0.0);
        OverlapAreas {
            inside: area(self.inside),
            shared: area(self.shared),
            against: area(self.against),
            error: frame.leave(0.5 * self.area_error, 2),
        }
    }
}

/// Adds up one surface in the other solid.
struct Count<'a> {
    frame: &'a Frame,
    own: &'a Field<'a>,
    other: &'a Field<'a>,
    sums: &'a mut Sums,
}

impl Count<'_> {
    fn surface(&mut self, memory: &mut Memory, workspace: &mut Workspace) {
        let mut near = std::mem::take(&mut memory.near);
        memory.flood.list_near(&mut near);
        for &triangle in &near {
            checkpoint();
            if memory.flood.is_cut(triangle) {
                if self.own.may_bound(triangle) {
                    self.cut(triangle, memory, workspace);
                }
            } else {
                self.clear(triangle, memory, workspace);
            }
        }
        memory.near = near;
    }

    /// A triangle that the other surface does not meet.
    fn clear(&mut self, triangle: u32, memory: &mut Memory, workspace: &mut Workspace) {
        let body = self.own.body;
        let corner = body.shell.corners[triangle as usize][0];
        let number = memory.flood.number(&body, &self.other.body, corner, workspace);
        if number <= 0 || !self.own.may_bound(triangle) {
            return;
        }
        if self.own.is_single(triangle) {
            let whole = Parts { inside: Part { area: 1.0, facing: 1.0 }, ..Parts::default() };
            self.add(self.frame.corners(&body, triangle), whole, 0.0);
        } else {
            self.cut(triangle, memory, workspace);
        }
    }

    /// Adds parts of a triangle; an area that rounding may have moved comes along.
    fn add(&mut self, [a, b, c]: [DVec3; 3], parts: Parts, moved: f64) {
        let normal = (b - a).cross(c - a);
        let (area, moment) = (normal.length(), (a - self.frame.middle).dot(normal));
        self.sums.inside.add(parts.inside, area, moment);
        self.sums.shared.add(parts.shared, area, moment);
        self.sums.against.add(parts.against, area, moment);
        // Every corner may be off, and every sum rounds.
        let around = (b - a).length() + (c - b).length() + (a - c).length();
        let off = 2.0 * self.frame.lost * around + 2.0 * moved;
        self.sums.area_error += off;
        let height = if area > 0.0 { moment.abs() / area } else { 0.0 };
        self.sums.moment_error += off * height + 4.0 * self.frame.lost * area;
    }

    /// A triangle that meets the other surface, or its own.
    fn cut(&mut self, triangle: u32, memory: &mut Memory, workspace: &mut Workspace) {
        let body = self.own.body;
        let corners = self.frame.corners(&body, triangle);
        let plane = Plane::new(body.placed(triangle), corners);
        // What has next to no area adds next to nothing.
        if !plane.is_wide() {
            return;
        }
        let Memory { flood, wedges, .. } = memory;
        wedges.segments.clear();
        let mut moved = 0.0;
        let mut slice = |of: &Body, other: u32, change: fn([i32; 2]) -> Numbers| {
            if of.shell.flat[other as usize] {
                return;
            }
            let (placed, there) = (of.placed(other), self.frame.corners(of, other));
            moved += plane.cut(&placed, there, self.frame.lost, change, &mut wedges.segments);
        };
        for &(_, other) in flood.met_by(triangle) {
            slice(&self.other.body, other, |other| Numbers { other, ..Numbers::default() });
        }
        let partners = self.own.partners(triangle);
        let partners = partners.as_ref().map_or(&[][..], |partners| &partners.all);
        for &partner in partners {
            slice(&body, partner, |own| Numbers { own, ..Numbers::default() });
        }
        let met = flood.met_by(triangle);
        let may_cross =
            !partners.is_empty() || met.iter().any(|&(_, other)| self.other.meets_itself(other));
        let (apex, numbers) = self.apex(triangle, flood, wedges, workspace);
        let parts = wedges.parts(apex, numbers, may_cross);
        self.add(corners, parts, moved);
    }

    /// A point of a triangle that no segment comes near, and the winding numbers there.
    fn apex(
        &self,
        triangle: u32,
        flood: &mut Flood,
        wedges: &Wedges,
        workspace: &mut Workspace,
    ) -> (DVec2, Numbers) {
        let [body, other] = [self.own.body, self.other.body];
        let vertices = body.shell.corners[triangle as usize];
        let single = self.own.single_numbers(triangle);
        // A corner that is off the other surface is known by what hangs together with it.
        for (at, vertex) in CORNERS.into_iter().zip(vertices) {
            if !flood.is_free(vertex) || wedges.clearance(at) <= NEAR {
                continue;
            }
            if let Some(own) = self.own.numbers_at(triangle, vertex) {
                let number = flood.number(&body, &other, vertex, workspace);
                return (at, Numbers { own, other: [number; 2] });
            }
        }
        let at =
            |[p, q, r]: [i32; 3]| DVec2::new(f64::from(q), f64::from(r)) / f64::from(p + q + r);
        let mut best = (f64::NEG_INFINITY, INNER[0]);
        for weights in INNER {
            let clearance = wedges.clearance(at(weights));
            if clearance > best.0 {
                best = (clearance, weights);
            }
        }
        let (_, weights) = best;
        let mut around = |of: &Body| side_of_point(of, &body, triangle, weights, workspace);
        let own = single.unwrap_or_else(|| around(&body));
        (at(weights), Numbers { own, other: around(&other) })
    }
}

/// How near, as a part of the triangle, a segment may come to an apex in a corner.
const NEAR: f64 = 1e-6;

/// Points within a triangle, by the weights of its corners.
const INNER: [[i32; 3]; 13] = [
    [1, 1, 1],
    [2, 1, 1],
    [1, 2, 1],
    [1, 1, 2],
    [3, 3, 1],
    [1, 3, 3],
    [3, 1, 3],
    [7, 2, 1],
    [1, 7, 2],
    [2, 1, 7],
    [29, 13, 3],
    [3, 29, 13],
    [13, 3, 29],
];
