//! Which triangles of one surface are inside another solid, which outside, and which are cut.
//!
//! A triangle that meets no triangle of the other surface is wholly in or out, and so are all that hang together with it over such
//! triangles: one winding number tells for all of them. What is left are the cut ones, which the other surface meets.
//!
//! Winding numbers are worked out when they are first asked for. They are exact if the other mesh is closed; else they are 1 for what
//! is likely within, and 0 for what is not.

use super::super::collide::TrianglePair;
use super::super::solid::{Body, winding_of_vertex};
use crate::descend::Workspace;
use crate::geom::Parts;

/// What is known of one surface's vertices and triangles in another solid. Memory that is used again.
#[derive(Clone, Debug)]
pub(in crate::query) struct Flood {
    /// Pairs of triangles that meet, this surface's first, sorted.
    pub(in crate::query) met: Vec<(u32, u32)>,
    is_cut: Vec<bool>,
    /// Whether a vertex is of a triangle that is not cut, and so off the other surface.
    is_free: Vec<bool>,
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
            parts: Parts::new(0),
            numbers: Vec::new(),
        }
    }
}

impl Flood {
    /// From the pairs of triangles that meet.
    pub(in crate::query) fn fill(&mut self, own: &Body, pairs: &[TrianglePair], is_swapped: bool) {
        self.met.clear();
        self.met.extend(pairs.iter().map(|p| if is_swapped { (p.b, p.a) } else { (p.a, p.b) }));
        self.met.sort_unstable();
        let shell = own.shell;
        self.is_cut.clear();
        self.is_cut.resize(shell.corners.len(), false);
        for &(triangle, _) in &self.met {
            self.is_cut[triangle as usize] = true;
        }
        let vertices = own.model.mesh().vertices().len();
        self.parts.reset(vertices);
        self.is_free.clear();
        self.is_free.resize(vertices, false);
        for (triangle, &[a, b, c]) in shell.corners.iter().enumerate() {
            if !self.is_cut[triangle] && !shell.flat[triangle] {
                self.parts.join(a, b);
                self.parts.join(a, c);
                for vertex in [a, b, c] {
                    self.is_free[vertex as usize] = true;
                }
            }
        }
        self.numbers.clear();
        self.numbers.resize(vertices, None);
    }

    pub(in crate::query) fn is_cut(&self, triangle: u32) -> bool {
        self.is_cut[triangle as usize]
    }

    /// Whether a vertex is known to be off the other surface.
    pub(in crate::query) fn is_free(&self, vertex: u32) -> bool {
        self.is_free[vertex as usize]
    }

    /// The other solid's winding number around a vertex that is not on its surface.
    pub(in crate::query) fn number(
        &mut self,
        own: &Body,
        other: &Body,
        vertex: u32,
        workspace: &mut Workspace,
    ) -> i32 {
        let root = self.parts.root(vertex);
        let known = self.numbers[root as usize];
        known.unwrap_or_else(|| {
            let number = winding_of_vertex(other, own, root, workspace);
            self.numbers[root as usize] = Some(number);
            number
        })
    }

    /// The triangles of the other surface that a triangle of this one meets.
    pub(in crate::query) fn met_by(&self, triangle: u32) -> &[(u32, u32)] {
        let start = self.met.partition_point(|&(own, _)| own < triangle);
        let end = self.met.partition_point(|&(own, _)| own <= triangle);
        &self.met[start..end]
    }
}
