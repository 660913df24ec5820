//! What of a surface hangs together without meeting another one.
//!
//! Along an edge that is clear of the other surface nothing changes: either end is inside the other
//! solid, or neither is. So vertices joined by such edges share their winding number, and one probe
//! tells it.

use std::collections::HashMap;

use super::Body;
use crate::internal::exact::meets_segment;
use crate::internal::geom::Parts;
use crate::internal::traverse::Workspace;

/// One surface's vertices, joined over the edges that are clear of another surface.
pub(crate) struct Clear<'a> {
    own: Body<'a>,
    other: Body<'a>,
    /// The other's triangles that meet an edge, of edges that are not clear.
    pub(crate) met: HashMap<u32, Vec<u32>>,
    parts: Parts,
    numbers: HashMap<u32, i32>,
}

impl<'a> Clear<'a> {
    /// From the triangles of the other surface that each triangle of this one meets.
    pub(crate) fn new(own: Body<'a>, other: Body<'a>, met_by: &HashMap<u32, Vec<u32>>) -> Self {
        let shell = own.shell;
        let mut met: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut parts = Parts::new(own.model.mesh().vertices().len());
        for (edge, &[from, to]) in (0..).zip(&shell.edges) {
            // What meets an edge meets all triangles on it, so the list of the first will do.
            let candidates = shell.on_edge(edge).first().and_then(|first| met_by.get(first));
            let met_here = candidates.map_or(Vec::new(), |candidates| {
                let segment = own.placed_segment([from, to]);
                let meets = |&&t: &&u32| meets_segment(&other.placed(t), &segment);
                candidates.iter().filter(meets).copied().collect()
            });
            if met_here.is_empty() {
                parts.join(from, to);
            } else {
                met.insert(edge, met_here);
            }
        }
        Self { own, other, met, parts, numbers: HashMap::new() }
    }

    /// What stands for all vertices that are joined to this one.
    pub(crate) fn root(&mut self, vertex: u32) -> u32 {
        self.parts.root(vertex)
    }

    /// The other's winding number around a vertex that has a clear edge, and around all that are
    /// joined to it.
    pub(crate) fn number(&mut self, vertex: u32, workspace: &mut Workspace) -> i32 {
        let root = self.parts.root(vertex);
        *self
            .numbers
            .entry(root)
            .or_insert_with(|| super::winding_of_vertex(&self.other, &self.own, vertex, workspace))
    }
}
