//! The contour of a mesh seen from above: the outline of the union of its triangles, holes and all.
//!
//! ```text
//!     corners ──▶ grid ──▶ directed edges, opposite ones cancelled ──▶ loops ──▶ union ──▶ rings
//! ```
//!
//! Turned so that they all go round to the left, the triangles cover every point of the union at
//! least once, and so do the loops that are left when edges shared by two of them cancel: the
//! silhouette. Of a body of three thousand triangles some hundred edges remain, and their union is
//! the same area. The union is the work of `i_overlay`, in integers.
//!
//! A contour is a *bound*: whatever the grid moved is within [`Contour::margin`] of it. Corners
//! move by half a step and crossings of edges by a few, far less than the margin of 1024 steps;
//! only what is hardly wider than a step can be lost whole. So slivers are examined again
//! afterwards, and those of their edges that stick out are kept as *strays*, segments without area:
//! a plank seen from its end, a curtain.
//!
//! Source: Stüvel, Magnenat-Thalmann, Thalmann, Egges and van der Stappen, *Hierarchical structures
//! for collision checking between virtual characters*, 2014, who take the union of all triangles;
//! that is [`Contour::of_all`].

use glam::DVec2;
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_float::int::point::IntPoint;

use crate::internal::math::sort::many_by_key;

/// Steps of the grid that a contour may be off, everything included.
const MARGIN: f64 = 1024.0;

/// A triangle counts as a sliver if its length is this multiple of its height.
const SLIVER: i64 = 256;

/// The outline of flat triangles: rings around what they cover, and strays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contour {
    rings: Vec<Vec<DVec2>>,
    strays: Vec<[DVec2; 2]>,
    margin: f64,
}

impl Contour {
    /// Of triangles over finite points, by the edges of their silhouette.
    ///
    /// ```
    /// use elbowroom::internal::geom::Contour;
    /// use glam::DVec2;
    ///
    /// let corners = [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y];
    /// let square = Contour::of(&corners, &[[0, 1, 2], [0, 3, 2]]);
    /// assert_eq!((square.rings().len(), square.rings()[0].len()), (1, 4));
    /// assert!((square.area() - 1.0).abs() < 1e-6);
    /// ```
    ///
    /// # Panics
    /// If a triangle names a point that is not there.
    pub fn of(points: &[DVec2], triangles: &[[u32; 3]]) -> Self {
        let grid = Grid::of(points);
        let flat: Vec<Flat> = triangles.iter().map(|&corners| grid.flat(corners)).collect();
        let loops = silhouette(&grid, &flat);
        grid.contour(&loops, &flat)
    }

    /// The contour by the union of all triangles: slower, and the paper's method.
    ///
    /// # Panics
    /// If a triangle names a point that is not there.
    pub fn of_all(points: &[DVec2], triangles: &[[u32; 3]]) -> Self {
        let grid = Grid::of(points);
        let flat: Vec<Flat> = triangles.iter().map(|&corners| grid.flat(corners)).collect();
        let loops: Vec<Vec<u32>> =
            flat.iter().filter(|flat| flat.area > 0).map(|flat| flat.corners.to_vec()).collect();
        grid.contour(&loops, &flat)
    }

    /// Rings of at least three points; around the area to the left, around holes to the right.
    pub fn rings(&self) -> &[Vec<DVec2>] {
        &self.rings
    }

    /// Segments without area that stick out of the rings.
    pub fn strays(&self) -> &[[DVec2; 2]] {
        &self.strays
    }

    /// No point of the triangles is farther than this from the rings' area and the strays.
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// All that it is made of, as segments.
    pub fn segments(&self) -> impl Iterator<Item = [DVec2; 2]> + '_ {
        let of_ring = |ring: &'_ Vec<DVec2>| {
            let next = ring.iter().copied().cycle().skip(1);
            ring.iter().copied().zip(next).map(|(p, q)| [p, q]).collect::<Vec<_>>()
        };
        self.rings.iter().flat_map(of_ring).chain(self.strays.iter().copied())
    }

    /// The area within, holes left out.
    pub fn area(&self) -> f64 {
        self.rings.iter().map(|ring| area(ring)).sum()
    }

    /// Without its holes. A bound of what it bounded, with fewer segments.
    #[must_use]
    pub fn filled(mut self) -> Self {
        self.rings.retain(|ring| area(ring) > 0.0);
        self
    }

    /// Whether a point lies in the area, to rounding where it is on a ring.
    pub fn contains(&self, point: DVec2) -> bool {
        let mut inside = false;
        for ring in &self.rings {
            let mut from = ring[ring.len() - 1];
            for &to in ring {
                inside ^= crosses(from, to, point);
                from = to;
            }
        }
        inside
    }
}

/// Whether an edge crosses the ray to the right of a point.
fn crosses(from: DVec2, to: DVec2, point: DVec2) -> bool {
    (from.y > point.y) != (to.y > point.y) && {
        let turn = (to - from).perp_dot(point - from);
        (turn > 0.0) == (to.y > from.y)
    }
}

fn area(ring: &[DVec2]) -> f64 {
    let origin = ring[0];
    let twice = |pair: &[DVec2]| (pair[0] - origin).perp_dot(pair[1] - origin);
    0.5 * ring.windows(2).map(twice).sum::<f64>()
}

/// Points on a grid of integers, equal ones as one.
struct Grid {
    origin: DVec2,
    step: f64,
    /// The place of every point in `places`.
    ids: Vec<u32>,
    places: Vec<IntPoint>,
}

/// A triangle on the grid, turned to the left, or without area.
struct Flat {
    corners: [u32; 3],
    /// Twice its area, in steps.
    area: i64,
    is_sliver: bool,
}

impl Grid {
    fn of(points: &[DVec2]) -> Self {
        let low = points.iter().fold(DVec2::INFINITY, |low, &p| low.min(p));
        let high = points.iter().fold(DVec2::NEG_INFINITY, |high, &p| high.max(p));
        let origin = 0.5 * low + 0.5 * high;
        let half = (0.5 * high - 0.5 * low).max_element().max(f64::MIN_POSITIVE * 2_f64.powi(40));
        // A power of two keeps numbers as they are; 2²⁸ steps leave room for products in 64 bits.
        let step = half.log2().ceil().exp2() * 2_f64.powi(-28);
        let snapped: Vec<(i32, i32)> = points
            .iter()
            .map(|&p| {
                let place = ((p - origin) / step).round();
                (place.x as i32, place.y as i32)
            })
            .collect();
        let mut sorted = snapped.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let ids = snapped.iter().map(|place| sorted.partition_point(|other| other < place) as u32);
        let ids = ids.collect();
        let places = sorted.into_iter().map(|(x, y)| IntPoint { x, y }).collect();
        Self { origin, step, ids, places }
    }

    fn flat(&self, corners: [u32; 3]) -> Flat {
        let [p, q, r] = corners.map(|corner| self.ids[corner as usize]);
        let step = |from: u32, to: u32| {
            let (from, to) = (self.places[from as usize], self.places[to as usize]);
            (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y))
        };
        let ((ax, ay), (bx, by), (cx, cy)) = (step(p, q), step(p, r), step(q, r));
        let area = ax * by - ay * bx;
        let longest = [(ax, ay), (bx, by), (cx, cy)].map(|(x, y)| x * x + y * y);
        let longest = longest.into_iter().fold(0, i64::max);
        let corners = if area < 0 { [p, r, q] } else { [p, q, r] };
        let area = area.abs();
        Flat { corners, area, is_sliver: area < longest / SLIVER + 1 }
    }

    fn point(&self, place: IntPoint) -> DVec2 {
        self.origin + self.step * DVec2::new(f64::from(place.x), f64::from(place.y))
    }

    fn contour(&self, loops: &[Vec<u32>], flat: &[Flat]) -> Contour {
        let edges = loops.iter().map(Vec::len).sum();
        let mut overlay = Overlay::<i32>::new(edges);
        for ring in loops {
            let path = ring.iter().map(|&id| self.places[id as usize]);
            overlay.add_path_iter(path, ShapeType::Subject);
        }
        let shapes = overlay.overlay(OverlayRule::Subject, FillRule::NonZero);
        let back = |ring: Vec<IntPoint>| ring.into_iter().map(|place| self.point(place)).collect();
        let rings = shapes.into_iter().flatten().filter(|ring| ring.len() > 2).map(back).collect();
        let mut contour = Contour { rings, strays: Vec::new(), margin: MARGIN * self.step };
        contour.strays = self.strays(flat, &contour);
        contour
    }

    /// Edges of slivers that no wider triangle has and that the contour does not cover.
    fn strays(&self, flat: &[Flat], contour: &Contour) -> Vec<[DVec2; 2]> {
        let named = |flat: &Flat| edges(flat.corners).map(|(p, q)| (p.min(q), p.max(q)));
        let (slivers, wide): (Vec<_>, Vec<_>) = flat.iter().partition(|flat| flat.is_sliver);
        if slivers.is_empty() {
            return Vec::new();
        }
        let mut thin: Vec<_> = slivers.into_iter().flat_map(named).collect();
        thin.sort_unstable();
        thin.dedup();
        let mut is_thin = vec![false; self.places.len()];
        for edge in &thin {
            is_thin[edge.0 as usize] = true;
        }
        let mut is_wide = vec![false; thin.len()];
        for edge in wide.into_iter().flat_map(named).filter(|edge| is_thin[edge.0 as usize]) {
            if let Ok(place) = thin.binary_search(&edge) {
                is_wide[place] = true;
            }
        }
        let mut is_wide = is_wide.into_iter();
        thin.retain(|_| is_wide.next() == Some(false));
        // A point at the end of an edge is on it.
        let mut ends: Vec<u32> =
            thin.iter().filter(|e| e.0 != e.1).flat_map(|e| [e.0, e.1]).collect();
        ends.sort_unstable();
        thin.retain(|&(p, q)| p != q || ends.binary_search(&p).is_err());
        let ends = |(p, q)| [p, q].map(|id: u32| self.point(self.places[id as usize]));
        let segments: Vec<_> = contour.segments().collect();
        let mut strays: Vec<_> = thin.into_iter().map(ends).collect();
        strays.retain(|&stray| !is_covered(stray, contour, &segments));
        strays
    }
}

fn edges([p, q, r]: [u32; 3]) -> [(u32, u32); 3] {
    [(p, q), (q, r), (r, p)]
}

/// Closed loops of the edges that do not cancel.
fn silhouette(grid: &Grid, flat: &[Flat]) -> Vec<Vec<u32>> {
    let mut all = uncancelled(flat, grid.places.len());
    all.retain(|edge| edge.2 != 0);
    // A closed mesh has every edge of its silhouette twice, from above and from below.
    let share = if all.iter().all(|edge| edge.2 % 2 == 0) { 2 } else { 1 };
    let mut edges: Vec<(u32, u32)> = Vec::with_capacity(all.len());
    for (p, q, times) in all {
        let edge = if times > 0 { (p, q) } else { (q, p) };
        edges.extend(std::iter::repeat_n(edge, times.unsigned_abs() as usize / share));
    }
    edges.sort_unstable();
    chained(&edges, grid.places.len())
}

/// By edge, in order: how often it is there from the lower number to the higher, less how often
/// back. Edges are put in the place of their lower end, of which few have more than a handful:
/// sorting them all would take as long as the union.
fn uncancelled(flat: &[Flat], count: usize) -> Vec<(u32, u32, i32)> {
    let proper = || flat.iter().filter(|flat| flat.area > 0).flat_map(|flat| edges(flat.corners));
    let mut next = vec![0_u32; count + 1];
    for (p, q) in proper() {
        next[p.min(q) as usize + 1] += 1;
    }
    for place in 0..count {
        next[place + 1] += next[place];
    }
    let mut ends = vec![(0, 0); next[count] as usize];
    for (p, q) in proper() {
        let place = &mut next[p.min(q) as usize];
        ends[*place as usize] = (p.max(q), if p < q { 1 } else { -1 });
        *place += 1;
    }
    // By now each place's next is where the following one begins.
    let (mut all, mut first) = (Vec::new(), 0);
    for (low, &last) in next[..count].iter().enumerate() {
        let of_low = &mut ends[first..last as usize];
        many_by_key(of_low, |end: &(u32, i32)| end.0);
        let same = |a: &(u32, i32), b: &(u32, i32)| a.0 == b.0;
        let sum = |ends: &[(u32, i32)]| (low as u32, ends[0].0, ends.iter().map(|e| e.1).sum());
        all.extend(of_low.chunk_by(same).map(sum));
        first = last as usize;
    }
    all
}

/// Every point has as many edges in as out, so that a walk along unused ones ends where it began.
fn chained(edges: &[(u32, u32)], count: usize) -> Vec<Vec<u32>> {
    let mut next: Vec<u32> = vec![0; count + 1];
    for &(from, _) in edges {
        next[from as usize + 1] += 1;
    }
    for place in 0..count {
        next[place + 1] += next[place];
    }
    let ends: Vec<u32> = next[1..].to_vec();
    let mut loops = Vec::new();
    for start in 0..count as u32 {
        while next[start as usize] < ends[start as usize] {
            let mut ring = Vec::new();
            let mut at = start;
            loop {
                ring.push(at);
                let edge = next[at as usize];
                next[at as usize] += 1;
                at = edges[edge as usize].1;
                if at == start {
                    break;
                }
            }
            loops.push(ring);
        }
    }
    loops
}

/// Whether no point of a segment is farther from the contour's area than half of its margin.
fn is_covered(segment: [DVec2; 2], contour: &Contour, segments: &[[DVec2; 2]]) -> bool {
    let near = 0.5 * contour.margin;
    // What is outside of the box around it, and not near, has no part in this.
    let (low, high) = (segment[0].min(segment[1]) - near, segment[0].max(segment[1]) + near);
    let is_near = |[p, q]: &&[DVec2; 2]| p.min(*q).cmple(high).all() && p.max(*q).cmpge(low).all();
    let segments: Vec<[DVec2; 2]> = segments.iter().filter(is_near).copied().collect();
    let mut waiting = vec![segment];
    while let Some([p, q]) = waiting.pop() {
        let middle = 0.5 * (p + q);
        let half = 0.5 * p.distance(q);
        let gap = segments.iter().map(|&edge| gap(middle, edge)).fold(f64::INFINITY, f64::min);
        // The whole piece lies on one side of all rings.
        if gap > half {
            if contour.contains(middle) {
                continue;
            }
            return false;
        }
        let along = |&edge: &[DVec2; 2]| gap_within(p, edge, near) && gap_within(q, edge, near);
        if segments.iter().any(along) {
            continue;
        }
        if half < 0.25 * near {
            // It crosses a ring here and is as good as on it.
            continue;
        }
        waiting.extend([[p, middle], [middle, q]]);
    }
    true
}

fn gap_within(point: DVec2, edge: [DVec2; 2], limit: f64) -> bool {
    gap(point, edge) <= limit
}

/// How far a point is from a segment.
fn gap(point: DVec2, [p, q]: [DVec2; 2]) -> f64 {
    let (edge, to) = (q - p, point - p);
    let squared = edge.length_squared();
    let share = if squared > 0.0 { (to.dot(edge) / squared).clamp(0.0, 1.0) } else { 0.0 };
    to.distance(share * edge)
}

#[cfg(test)]
mod tests;
