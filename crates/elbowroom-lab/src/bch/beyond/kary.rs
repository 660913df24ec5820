//! Pieces of a contour under circles that give way to two, or to four at once.
//!
//! Both trees are made and asked by one text, so that only the number of children differs.

use elbowroom::internal::geom::Contour;
use elbowroom::internal::geom::circle::smallest_circle;
use elbowroom::internal::math::planar::Planar;
use glam::DVec2;

/// The tree; children follow each other.
pub(super) struct Kary {
    nodes: Vec<Node>,
}

#[derive(Clone, Copy)]
struct Node {
    center: DVec2,
    radius: f64,
    first: u32,
    count: u32,
    /// Longer over shorter side of the box around the part.
    longish: f64,
}

/// What a tree is like.
pub(super) struct Shape {
    pub(super) nodes: usize,
    pub(super) leaves: Vec<(DVec2, f64)>,
    /// Mean over all inner nodes of the longer over the shorter side of their parts.
    pub(super) longish: f64,
}

impl Kary {
    /// Cut across the longer side (two) or across both (four), at the mean, down to circles below
    /// the threshold.
    pub(super) fn new(contour: &Contour, threshold: f64, ways: usize) -> Self {
        let mut pieces: Vec<[DVec2; 2]> = Vec::new();
        for [p, q] in contour.segments() {
            let count = (p.distance(q) / (2.0 * threshold)).ceil().max(1.0);
            let mut at = 0.0;
            while at < count {
                pieces.push([p.lerp(q, at / count), p.lerp(q, (at + 1.0) / count)]);
                at += 1.0;
            }
        }
        let mut nodes = vec![node(&pieces)];
        let mut groups = vec![pieces];
        let mut next = 0;
        while next < nodes.len() {
            let group = std::mem::take(&mut groups[next]);
            if nodes[next].radius >= threshold && group.len() > 1 {
                let parts = cut(group, ways);
                nodes[next].first = nodes.len() as u32;
                nodes[next].count = parts.len() as u32;
                nodes.extend(parts.iter().map(|part| node(part)));
                groups.extend(parts);
            }
            next += 1;
        }
        Self { nodes }
    }

    pub(super) fn shape(&self) -> Shape {
        let inner: Vec<&Node> = self.nodes.iter().filter(|node| node.count > 0).collect();
        let leaves = self.nodes.iter().filter(|node| node.count == 0);
        Shape {
            nodes: self.nodes.len(),
            leaves: leaves.map(|node| (node.center, node.radius)).collect(),
            longish: inner.iter().map(|node| node.longish).sum::<f64>() / inner.len().max(1) as f64,
        }
    }

    /// Whether leaves of both meet; counts the circles compared.
    pub(super) fn meets(
        &self,
        other: &Self,
        there: &Planar,
        stack: &mut Vec<(u32, u32)>,
        tests: &mut u64,
    ) -> bool {
        stack.clear();
        stack.push((0, 0));
        while let Some((i, j)) = stack.pop() {
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            *tests += 1;
            let reach = a.radius + b.radius;
            if there.apply(b.center).distance_squared(a.center) > reach * reach {
                continue;
            }
            if a.count == 0 && b.count == 0 {
                return true;
            }
            if a.count > 0 && (b.count == 0 || a.radius >= b.radius) {
                stack.extend((a.first..a.first + a.count).rev().map(|child| (child, j)));
            } else {
                stack.extend((b.first..b.first + b.count).rev().map(|child| (i, child)));
            }
        }
        false
    }
}

fn node(pieces: &[[DVec2; 2]]) -> Node {
    let ends: Vec<DVec2> = pieces.iter().flatten().copied().collect();
    let (center, radius) = smallest_circle(&ends);
    let low = ends.iter().copied().fold(DVec2::INFINITY, DVec2::min);
    let high = ends.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
    let size = high - low;
    let longish = size.max_element() / size.min_element().max(0.1 * size.max_element());
    Node { center, radius, first: 0, count: 0, longish }
}

/// At the mean of the middles; all on one side are halved.
fn cut(mut pieces: Vec<[DVec2; 2]>, ways: usize) -> Vec<Vec<[DVec2; 2]>> {
    let middle = |[p, q]: &[DVec2; 2]| 0.5 * (*p + *q);
    let weight: f64 = pieces.iter().map(|[p, q]| p.distance(*q)).sum();
    let mean = pieces
        .iter()
        .map(|piece| middle(piece) * (piece[0].distance(piece[1]) / weight))
        .sum::<DVec2>();
    let low = pieces.iter().flatten().copied().fold(DVec2::INFINITY, DVec2::min);
    let high = pieces.iter().flatten().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
    let is_tall = high.y - low.y > high.x - low.x;
    let side = |piece: &[DVec2; 2]| {
        let at = middle(piece);
        let (right, above) = (usize::from(at.x >= mean.x), usize::from(at.y >= mean.y));
        match (ways, is_tall) {
            (2, false) => right,
            (2, true) => above,
            _ => right + 2 * above,
        }
    };
    let mut parts = vec![Vec::new(); ways];
    for piece in &pieces {
        parts[side(piece)].push(*piece);
    }
    parts.retain(|part| !part.is_empty());
    if parts.len() < 2 {
        let rest = pieces.split_off(pieces.len() / 2);
        return vec![pieces, rest];
    }
    parts
}
