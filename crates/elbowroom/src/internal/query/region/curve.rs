//! Segments put together to polylines.

use std::collections::{BTreeMap, BTreeSet};

use super::pieces::Pieces;

/// A polyline of numbered corners; the first is not repeated if it is closed.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) nodes: Vec<u32>,
    pub(super) is_closed: bool,
}

/// The segments of the curve, each once, in order; ends that have no partner by name are joined by
/// place.
pub(super) fn segments(pieces: &mut Pieces) -> Vec<[u32; 2]> {
    // How many polygons have a side; a plain segment has none.
    let mut uses: BTreeMap<[u32; 2], Option<u32>> = BTreeMap::new();
    for piece in &pieces.list {
        for &[p, q] in &piece.sides {
            let count = uses.entry([p.min(q), p.max(q)]).or_default();
            if piece.is_area {
                *count = Some(count.unwrap_or(0) + 1);
            }
        }
    }
    let kept = uses.into_iter().filter(|&(_, count)| count.is_none_or(|count| count % 2 == 1));
    let mut segments: Vec<[u32; 2]> = kept.map(|(segment, _)| segment).collect();
    join_ends(pieces, &mut segments);
    segments
}

/// Makes ends that no other segment names one with another such end at the same point, two by two.
fn join_ends(pieces: &mut Pieces, segments: &mut Vec<[u32; 2]>) {
    let mut degrees = vec![0_u32; pieces.points.len()];
    for &node in segments.iter().flatten() {
        degrees[node as usize] += 1;
    }
    let mut partners: BTreeMap<[u64; 3], u32> = BTreeMap::new();
    let mut renamed: BTreeMap<u32, u32> = BTreeMap::new();
    for node in (0..degrees.len()).filter(|&node| degrees[node] == 1) {
        let key = pieces.points[node].to_array().map(|x| (x + 0.0).to_bits());
        match partners.remove(&key) {
            Some(partner) => {
                pieces.join(partner, node as u32);
                renamed.insert(node as u32, partner);
            }
            None => {
                partners.insert(key, node as u32);
            }
        }
    }
    if renamed.is_empty() {
        return;
    }
    let name = |node: u32| renamed.get(&node).copied().unwrap_or(node);
    let all: BTreeSet<[u32; 2]> = segments
        .iter()
        .map(|&[p, q]| [name(p).min(name(q)), name(p).max(name(q))])
        // Both ends of one segment may be at one rounded point.
        .filter(|[p, q]| p != q)
        .collect();
    *segments = all.into_iter().collect();
}

/// The polylines that segments make up, cut where there are not two of them.
pub(super) fn trace(segments: &[[u32; 2]], nodes: usize) -> Vec<Line> {
    let mut web = Web::new(segments, nodes);
    let mut lines = Vec::new();
    for node in (0..nodes as u32).filter(|&node| web.around(node).len() != 2).collect::<Vec<_>>() {
        while let Some(line) = web.walk(node) {
            lines.push(line);
        }
    }
    for node in 0..nodes as u32 {
        lines.extend(web.walk(node));
    }
    lines
}

/// Segments by their ends.
struct Web<'a> {
    segments: &'a [[u32; 2]],
    /// The segments around each corner, one corner after the other.
    around: Vec<u32>,
    starts: Vec<u32>,
    is_used: Vec<bool>,
}

impl<'a> Web<'a> {
    fn new(segments: &'a [[u32; 2]], nodes: usize) -> Self {
        let mut starts = vec![0; nodes + 1];
        for &node in segments.iter().flatten() {
            starts[node as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut around = vec![0; 2 * segments.len()];
        for (number, segment) in segments.iter().enumerate() {
            for &node in segment {
                around[next[node as usize] as usize] = number as u32;
                next[node as usize] += 1;
            }
        }
        Self { segments, around, starts, is_used: vec![false; segments.len()] }
    }

    fn around(&self, node: u32) -> &[u32] {
        let at = node as usize;
        &self.around[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// From a corner along the first segment that was not used, to where the curve does not simply
    /// go on, or back to the corner.
    fn walk(&mut self, from: u32) -> Option<Line> {
        let free = |web: &Self, node: u32| {
            web.around(node).iter().copied().find(|&number| !web.is_used[number as usize])
        };
        let mut number = free(self, from)?;
        let mut nodes = vec![from];
        loop {
            self.is_used[number as usize] = true;
            let [p, q] = self.segments[number as usize];
            let node = if nodes.last() == Some(&p) { q } else { p };
            if node == from {
                return Some(Line { nodes, is_closed: true });
            }
            nodes.push(node);
            if self.around(node).len() != 2 {
                return Some(Line { nodes, is_closed: false });
            }
            match free(self, node) {
                Some(next) => number = next,
                None => return Some(Line { nodes, is_closed: false }),
            }
        }
    }
}
