//! Which triangles of one surface are inside another solid, which outside, and which are cut.
//!
//! A triangle that meets no triangle of the other surface is wholly in or out, and so are all that
//! hang together with it over such triangles: one winding number tells for all of them. What is
//! left are the cut ones, which the other surface meets.
//!
//! What is outside the other solid's bounds is outside, with all that hangs together with it. So
//! only triangles within the bounds are joined.
//!
//! Winding numbers are worked out when they are first asked for. They are exact if the other mesh
//! is closed; else they are 1 for what is likely within, and 0 for what is not.

use glam::{DMat3, DVec3};

use super::super::collide::TrianglePair;
use super::super::solid::{Body, winding_of_vertex};
use crate::internal::geom::Aabb;
use crate::internal::geom::Parts;
use crate::internal::traverse::Workspace;

/// What is known of one surface's vertices and triangles in another solid. Memory that is used
/// again.
#[derive(Clone, Debug)]
pub(crate) struct Flood {
    /// Pairs of triangles that meet, this surface's first, sorted.
    pub(crate) met: Vec<(u32, u32)>,
    is_cut: Vec<bool>,
    /// Whether a vertex is of a triangle that is not cut, and so off the other surface.
    is_free: Vec<bool>,
    /// Whether a vertex is outside the other solid's bounds.
    is_beyond: Vec<bool>,
    /// Triangles with area that are not cut and not beyond.
    within: Vec<u32>,
    /// Vertices that are not beyond themselves, but of triangles that are.
    shore: Vec<u32>,
    parts: Parts,
    /// By the root of each part.
    numbers: Vec<Option<i32>>,
}

impl Default for Flood {
    fn default() -> Self {
        Self {
            met: Vec::new(),
            is_cut: Vec::new(),
            is_free: Vec::new(),
            is_beyond: Vec::new(),
            within: Vec::new(),
            shore: Vec::new(),
            parts: Parts::new(0),
            numbers: Vec::new(),
        }
    }
}

impl Flood {
    /// Of the first body in the second, from the pairs of triangles that meet.
    pub(crate) fn fill(
        &mut self,
        [own, other]: [&Body; 2],
        pairs: &[TrianglePair],
        is_swapped: bool,
    ) {
        self.met.clear();
        self.met.extend(pairs.iter().map(|p| if is_swapped { (p.b, p.a) } else { (p.a, p.b) }));
        // As one number, which is compared without a branch.
        self.met.sort_unstable_by_key(|&(own, other)| u64::from(own) << 32 | u64::from(other));
        let shell = own.shell;
        self.is_cut.clear();
        self.is_cut.resize(shell.corners.len(), false);
        for &(triangle, _) in &self.met {
            self.is_cut[triangle as usize] = true;
        }
        let vertices = own.model.mesh().vertices();
        let bounds = Bounds::new(own, other);
        self.is_beyond.clear();
        self.is_beyond.extend(vertices.iter().map(|&vertex| bounds.are_left(vertex)));
        self.is_free.clear();
        self.is_free.resize(vertices.len(), false);
        self.numbers.clear();
        self.numbers.resize(vertices.len(), None);
        self.join(own);
    }

    /// Finds out what hangs together.
    fn join(&mut self, own: &Body) {
        let shell = own.shell;
        self.parts.reset(self.is_free.len());
        self.within.clear();
        self.shore.clear();
        for (triangle, &corners) in shell.corners.iter().enumerate() {
            if self.is_cut[triangle] || shell.flat[triangle] {
                continue;
            }
            let [a, b, c] = corners;
            let beyond = corners.map(|corner| self.is_beyond[corner as usize]);
            if beyond == [false; 3] {
                self.parts.join(a, b);
                self.parts.join(a, c);
                self.within.push(triangle as u32);
            } else if beyond != [true; 3] {
                let dry = corners.into_iter().zip(beyond).filter(|&(_, is_beyond)| !is_beyond);
                self.shore.extend(dry.map(|(corner, _)| corner));
            }
            for corner in corners {
                self.is_free[corner as usize] = true;
            }
        }
        for &vertex in &self.shore {
            let root = self.parts.root(vertex);
            self.numbers[root as usize] = Some(0);
        }
    }

    /// The triangles that may be wholly inside, in ascending order.
    pub(crate) fn within(&self) -> &[u32] {
        &self.within
    }

    /// The triangles that are cut, in ascending order.
    pub(crate) fn cut(&self) -> impl Iterator<Item = u32> {
        self.met.chunk_by(|(p, _), (q, _)| p == q).map(|same| same[0].0)
    }

    /// Lists the triangles that are cut or may be wholly inside, in ascending order.
    pub(crate) fn list_near(&self, near: &mut Vec<u32>) {
        near.clear();
        near.extend(self.cut());
        near.extend(&self.within);
        near.sort_unstable();
    }

    pub(crate) fn is_cut(&self, triangle: u32) -> bool {
        self.is_cut[triangle as usize]
    }

    /// Whether a vertex is known to be off the other surface.
    pub(crate) fn is_free(&self, vertex: u32) -> bool {
        self.is_free[vertex as usize]
    }

    /// The other solid's winding number around a vertex that is not on its surface.
    pub(crate) fn number(
        &mut self,
        own: &Body,
        other: &Body,
        vertex: u32,
        workspace: &mut Workspace,
    ) -> i32 {
        if self.is_beyond[vertex as usize] {
            return 0;
        }
        let root = self.parts.root(vertex);
        let known = self.numbers[root as usize];
        known.unwrap_or_else(|| {
            let number = winding_of_vertex(other, own, root, workspace);
            self.numbers[root as usize] = Some(number);
            number
        })
    }

    /// The triangles of the other surface that a triangle of this one meets.
    pub(crate) fn met_by(&self, triangle: u32) -> &[(u32, u32)] {
        let start = self.met.partition_point(|&(own, _)| own < triangle);
        let end = self.met.partition_point(|&(own, _)| own <= triangle);
        &self.met[start..end]
    }
}

/// A solid's bounds, for points of another body.
struct Bounds {
    /// From the body's frame to the solid's.
    turn: DMat3,
    step: DVec3,
    low: DVec3,
    high: DVec3,
    /// Beside a part of the coordinates: more than poses and rounding can do.
    room: f64,
}

impl Bounds {
    fn new(own: &Body, other: &Body) -> Self {
        let back = other.pose.rotation().transpose();
        let (from, to) = (own.pose.translation(), other.pose.translation());
        let Aabb { min: low, max: high } = other.model.bounds();
        let reach = own.model.reach() + other.model.reach();
        let away = from.abs().element_sum() + to.abs().element_sum();
        Self {
            turn: back * own.pose.rotation(),
            step: back * (from - to),
            low,
            high,
            room: PART * (reach + away),
        }
    }

    /// Whether a point is outside for certain. What overflows is not.
    fn are_left(&self, point: DVec3) -> bool {
        let at = self.turn * point + self.step;
        let room = self.room + PART * at.abs().element_sum();
        let out = (self.low - at).max(at - self.high).max_element();
        out > room
    }
}

/// Far beyond roundings, and beyond what a matrix that is not quite a rotation does.
const PART: f64 = 1e-8;
