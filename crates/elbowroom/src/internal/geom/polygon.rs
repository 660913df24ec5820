//! Polygons into triangles.
//!
//! The polygon is projected along the axis that shows most of it, and every question is an exact
//! turn of three of its corners there. If the fan from the first corner nowhere turns back, the fan
//! is right, and it is what every other reader makes of a convex face. Otherwise ears are clipped
//! (Meisters, *Polygons have ears*, 1975): a corner whose neighbours see each other inside the
//! polygon is cut off, until three are left. Only reflex corners can stand in the way of an ear,
//! and clipping an ear changes the state of its two neighbours only, so a polygon of n corners, r
//! of them reflex, takes n·r steps at most. A grid finds the corners near an ear: where ears are
//! small beside the polygon, the time grows little faster than n.
//!
//! Every corner is used, so a flat one too becomes part of a triangle, and neighbouring faces still
//! meet corner to corner. A polygon that crosses itself may run out of ears; the rest becomes a
//! fan. Which way it turns as a whole must be right too, or every ear would be taken for a hollow:
//! where the rounded area does not tell for certain, the exact one does.

use std::collections::VecDeque;

use glam::DVec3;

use crate::internal::exact::{Sign, outline, turn};
use crate::internal::math::sort::few_by;

/// Beyond this, n·r steps are no longer a matter of seconds, and no modeller makes such faces by
/// hand.
pub(super) const MOST_CONCAVE_CORNERS: usize = 32_768;

/// The polygon is concave and has more than [`MOST_CONCAVE_CORNERS`].
pub(super) struct TooManyCorners;

/// Appends the n − 2 triangles of a polygon of n > 3 corners.
pub(super) fn triangulate(
    vertices: &[DVec3],
    polygon: &[u32],
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), TooManyCorners> {
    let points: Vec<DVec3> = polygon.iter().map(|&corner| vertices[corner as usize]).collect();
    let view = View::of(points);
    if view.is_fan() {
        triangles.extend(fan(polygon));
        return Ok(());
    }
    if polygon.len() > MOST_CONCAVE_CORNERS {
        return Err(TooManyCorners);
    }
    triangles.extend(Clipper::new(&view).run().map(|ear| ear.map(|corner| polygon[corner])));
    Ok(())
}

fn fan(polygon: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    polygon[1..].windows(2).map(|pair| [polygon[0], pair[0], pair[1]])
}

/// A polygon, projected along an axis.
struct View {
    points: Vec<DVec3>,
    axis: usize,
    /// How it turns as a whole.
    outline: Sign,
}

impl View {
    fn of(points: Vec<DVec3>) -> Self {
        // Twice the area seen along each axis (Newell). Scaling first keeps it from overflowing.
        let origin = points[0] * 0.25;
        let size =
            points.iter().map(|p| (*p * 0.25 - origin).abs().max_element()).fold(0.0, f64::max);
        let scaled = |i: usize| (points[i % points.len()] * 0.25 - origin) / size;
        let area: DVec3 = (0..points.len()).map(|i| scaled(i).cross(scaled(i + 1))).sum();
        // The axis that shows most comes first. Coordinates are up to 1 and off by 4 roundings, so
        // each of the n terms is off by less than 32, and each partial sum, of up to 2n, by
        // one more.
        let n = points.len() as f64;
        let bound = (32.0 * n + 2.0 * n * n) * f64::EPSILON;
        let mut order = [0, 1, 2];
        few_by(&mut order, |&i, &j| area[j].abs().total_cmp(&area[i].abs()));
        let sign = |axis: usize| {
            if area[axis].abs() > bound { Sign::of(area[axis]) } else { outline(axis, &points) }
        };
        let seen =
            order.into_iter().map(|axis| (axis, sign(axis))).find(|seen| seen.1 != Sign::Zero);
        let (axis, outline) = seen.unwrap_or((0, Sign::Zero));
        Self { points, axis, outline }
    }

    /// Positive where the three corners turn as the whole polygon does.
    fn turn(&self, corners: [usize; 3]) -> Sign {
        let sign = turn(self.axis, corners.map(|corner| self.points[corner]));
        if self.outline == Sign::Negative { sign.flipped() } else { sign }
    }

    /// Whether the fan from the first corner turns back nowhere. Where nothing can be seen of the
    /// polygon (all in one line, or as much turned left as right) a fan is as good as anything.
    fn is_fan(&self) -> bool {
        self.outline == Sign::Zero
            || (1..self.points.len() - 1).all(|i| self.turn([0, i, i + 1]) != Sign::Negative)
    }

    /// A corner as it is seen along the axis.
    fn flat(&self, corner: usize) -> [f64; 2] {
        let point = self.points[corner];
        [point[(self.axis + 1) % 3], point[(self.axis + 2) % 3]]
    }

    fn is_in_triangle(&self, corner: usize, [a, b, c]: [usize; 3]) -> bool {
        let [p, q, r] = [a, b, c].map(|i| self.flat(i));
        let at = self.flat(corner);
        let outside_box =
            |k: usize| at[k] < p[k].min(q[k]).min(r[k]) || at[k] > p[k].max(q[k]).max(r[k]);
        // Corners that coincide, as where a hole is joined by a bridge, do not block each other.
        !(outside_box(0) || outside_box(1) || at == p || at == q || at == r)
            && [[a, b], [b, c], [c, a]]
                .iter()
                .all(|&[u, v]| self.turn([u, v, corner]) != Sign::Negative)
    }
}

/// Corners in square cells, about one in each.
struct Grid {
    low: [f64; 2],
    /// Cells in a unit of length; 0 along an axis in which the polygon has no extent, or one beyond
    /// the numbers.
    per_unit: [f64; 2],
    side: usize,
    cells: Vec<Vec<usize>>,
}

impl Grid {
    fn new(view: &View, corners: impl Iterator<Item = usize>) -> Self {
        let all = || (0..view.points.len()).map(|corner| view.flat(corner));
        let [low, high] = [f64::min, f64::max].map(|pick| {
            all().reduce(|a, b| [pick(a[0], b[0]), pick(a[1], b[1])]).unwrap_or_default()
        });
        let side = view.points.len().isqrt() + 1;
        let per_unit = [0, 1].map(|k| {
            let per_unit = side as f64 / (high[k] - low[k]);
            if per_unit.is_finite() { per_unit } else { 0.0 }
        });
        let mut grid = Self { low, per_unit, side, cells: vec![Vec::new(); side * side] };
        for corner in corners {
            let cell = grid.cell(view.flat(corner));
            grid.cells[cell[0] * side + cell[1]].push(corner);
        }
        grid
    }

    /// The cell of a point. It does not fall as a coordinate rises, so that what lies in a box lies
    /// in the cells between those of its corners.
    #[expect(clippy::cast_sign_loss, reason = "it is not below 0")]
    fn cell(&self, point: [f64; 2]) -> [usize; 2] {
        [0, 1].map(|k| {
            let at = (point[k] - self.low[k]) * self.per_unit[k];
            (at.max(0.0) as usize).min(self.side - 1)
        })
    }

    fn remove(&mut self, corner: usize, point: [f64; 2]) {
        let [x, y] = self.cell(point);
        self.cells[x * self.side + y].retain(|&other| other != corner);
    }

    /// Whether a corner in a box is meant.
    fn any(&self, points: [[f64; 2]; 3], mut is_meant: impl FnMut(usize) -> bool) -> bool {
        let [a, b, c] = points.map(|point| self.cell(point));
        let [from, to] =
            [usize::min, usize::max].map(|pick| [0, 1].map(|k| pick(a[k], pick(b[k], c[k]))));
        (from[0]..=to[0]).any(|x| {
            let row = &self.cells[x * self.side + from[1]..=x * self.side + to[1]];
            row.iter().flatten().any(|&corner| is_meant(corner))
        })
    }
}

/// Cuts ears off a ring of corners.
struct Clipper<'a> {
    view: &'a View,
    next: Vec<usize>,
    previous: Vec<usize>,
    is_cut: Vec<bool>,
    /// Corners that were not strictly convex at their last test.
    blockers: Grid,
    left: usize,
    ears: Vec<[usize; 3]>,
}

impl<'a> Clipper<'a> {
    fn new(view: &'a View) -> Self {
        let n = view.points.len();
        let mut clipper = Self {
            view,
            next: (0..n).map(|i| (i + 1) % n).collect(),
            previous: (0..n).map(|i| (i + n - 1) % n).collect(),
            is_cut: vec![false; n],
            blockers: Grid::new(view, std::iter::empty()),
            left: n,
            ears: Vec::with_capacity(n - 2),
        };
        let blockers = (0..n).filter(|&corner| !clipper.is_convex(corner));
        clipper.blockers = Grid::new(view, blockers);
        clipper
    }

    fn around(&self, corner: usize) -> [usize; 3] {
        [self.previous[corner], corner, self.next[corner]]
    }

    fn is_convex(&self, corner: usize) -> bool {
        self.view.turn(self.around(corner)) == Sign::Positive
    }

    fn is_ear(&self, corner: usize) -> bool {
        let ear = self.around(corner);
        self.is_convex(corner)
            && !self.blockers.any(ear.map(|i| self.view.flat(i)), |other| {
                !ear.contains(&other) && self.view.is_in_triangle(other, ear)
            })
    }

    fn cut(&mut self, corner: usize) {
        let [previous, _, next] = self.around(corner);
        self.ears.push([previous, corner, next]);
        self.next[previous] = next;
        self.previous[next] = previous;
        self.is_cut[corner] = true;
        self.left -= 1;
        for neighbour in [previous, next] {
            if self.is_convex(neighbour) {
                self.blockers.remove(neighbour, self.view.flat(neighbour));
            }
        }
    }

    fn run(mut self) -> impl Iterator<Item = [usize; 3]> {
        let n = self.view.points.len();
        loop {
            let before = self.left;
            let mut waiting: VecDeque<usize> = (0..n).filter(|&i| !self.is_cut[i]).collect();
            while self.left > 3 {
                let Some(corner) = waiting.pop_front() else { break };
                if !self.is_cut[corner] && self.is_ear(corner) {
                    let [previous, _, next] = self.around(corner);
                    self.cut(corner);
                    waiting.extend([previous, next]);
                }
            }
            if self.left == 3 || self.left == before {
                break;
            }
        }
        // Three corners, or what of a polygon that crosses itself has no ears.
        let rest: Vec<usize> = (0..n).filter(|&i| !self.is_cut[i]).collect();
        self.ears.extend(rest[1..].windows(2).map(|pair| [rest[0], pair[0], pair[1]]));
        self.ears.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;

    use super::*;
    use crate::Mesh;

    fn cut(corners: &[[f64; 2]]) -> Vec<[u32; 3]> {
        let vertices = corners.iter().map(|&[x, y]| DVec3::new(x, y, x + 2.0 * y)).collect();
        let polygon: Vec<u32> = (0..corners.len() as u32).collect();
        Mesh::from_polygons(vertices, [polygon.as_slice()]).unwrap().triangles().to_vec()
    }

    fn area(corners: &[[f64; 2]], triangle: [u32; 3]) -> f64 {
        let [p, q, r] = triangle.map(|i| corners[i as usize]);
        0.5 * ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))
    }

    /// All triangles turn as the polygon does and their areas add up to its: nothing overlaps,
    /// nothing is missing, nothing sticks out.
    fn assert_covers(corners: &[[f64; 2]], expected_area: f64) {
        let triangles = cut(corners);
        assert_eq!(triangles.len(), corners.len() - 2);
        let areas: Vec<f64> = triangles.iter().map(|&t| area(corners, t)).collect();
        assert!(areas.iter().all(|a| a * expected_area >= 0.0), "{areas:?}");
        let sum: f64 = areas.iter().sum();
        assert!((sum - expected_area).abs() <= 1e-9 * expected_area.abs(), "{sum} {expected_area}");
    }

    #[test]
    fn convex_faces_are_fans() {
        let pentagon = [[0.0, 0.0], [2.0, 0.0], [3.0, 1.0], [1.0, 3.0], [-1.0, 1.0]];
        assert_eq!(cut(&pentagon), [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    }

    #[test]
    fn concave_faces_are_covered_once() {
        let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        // From every first corner, in both directions.
        for shift in 0..6 {
            let mut turned = l;
            turned.rotate_left(shift);
            assert_covers(&turned, 3.0);
            turned.reverse();
            assert_covers(&turned, -3.0);
        }
        let arrow = [[0.0, 0.0], [4.0, 2.0], [0.0, 4.0], [1.0, 2.0]];
        assert_covers(&arrow, 6.0);
        // A square hole in a square, joined by a bridge: corners 0 and 5, 1 and 10 coincide.
        let bridged = [
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 2.0],
            [2.0, 2.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [0.0, 0.0],
            [3.0, 0.0],
            [3.0, 3.0],
            [0.0, 3.0],
        ];
        assert_covers(&bridged, 8.0);
        // Flat corners on every side.
        let flat = [
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 0.0],
            [2.0, 2.0],
            [1.0, 2.0],
            [1.0, 1.0],
            [0.0, 1.0],
            [0.0, 0.5],
        ];
        assert_covers(&flat, 3.0);
    }

    /// Star-shaped polygons around the origin with random radii, seen from random first corners.
    #[test]
    fn random_stars_are_covered_once() {
        let mut random = Random::new(3);
        let mut concave = 0;
        for _ in 0..300 {
            let n = 4 + random.below(40) as usize;
            let corners: Vec<[f64; 2]> = (0..n)
                .map(|i| {
                    let angle = std::f64::consts::TAU * i as f64 / n as f64;
                    let radius = 0.1 + random.unit();
                    [radius * angle.cos(), radius * angle.sin()]
                })
                .collect();
            let whole: f64 = (0..n)
                .map(|i| {
                    let ([x, y], [u, v]) = (corners[i], corners[(i + 1) % n]);
                    0.5 * (x * v - y * u)
                })
                .sum();
            assert_covers(&corners, whole);
            concave += u32::from(
                cut(&corners) != fan(&(0..n as u32).collect::<Vec<_>>()).collect::<Vec<_>>(),
            );
        }
        assert!(concave > 200, "{concave}");
    }

    /// A comb has half its corners reflex: the hardest ordinary case, and beyond the limit an
    /// error.
    #[test]
    fn combs_take_reasonable_time_and_then_are_refused() {
        let comb = |teeth: usize| -> Vec<[f64; 2]> {
            let top = (0..2 * teeth).map(|i| [i as f64, if i % 2 == 0 { 1.0 } else { 2.0 }]);
            top.rev().chain([[0.0, 0.0], [2.0 * teeth as f64, 0.0]]).collect()
        };
        let corners = comb(4000);
        let whole: f64 = cut(&corners).iter().map(|&t| area(&corners, t)).sum();
        assert!(cut(&corners).iter().all(|&t| area(&corners, t) >= 0.0) && whole > 0.0);

        let long = comb(MOST_CONCAVE_CORNERS);
        let vertices = long.iter().map(|&[x, y]| DVec3::new(x, y, 0.0)).collect();
        let polygon: Vec<u32> = (0..long.len() as u32).collect();
        let error = Mesh::from_polygons(vertices, [polygon.as_slice()]).unwrap_err();
        assert!(error.to_string().contains("face 0 is concave and has 65538 corners"), "{error}");
    }

    /// A maze of one wall that winds inwards: of 12,000 corners half are reflex, and its ears are
    /// small.
    #[test]
    fn mazes_of_many_corners_are_covered_once() {
        let turns = 3_000;
        let corner = |i: usize, inset: f64| {
            let r = (turns - i / 4) as f64 - inset;
            [[r, r], [-r, r], [-r, -r], [r - 1.0, -r]][i % 4]
        };
        let outer = (0..2 * turns).map(|i| corner(i, 0.0));
        let inner = (0..2 * turns).rev().map(|i| corner(i, 0.5));
        let corners: Vec<[f64; 2]> = outer.chain(inner).collect();
        let whole: f64 = (0..corners.len())
            .map(|i| {
                let ([x, y], [u, v]) = (corners[i], corners[(i + 1) % corners.len()]);
                0.5 * (x * v - y * u)
            })
            .sum();
        assert_eq!(corners.len(), 12_000);
        assert_covers(&corners, whole);
    }

    /// A dart whose area is lost to rounding: flat beyond what f64 can multiply, and so nearly in
    /// one line that the rounded area has the wrong sign.
    #[test]
    fn thin_concave_faces_are_cut_the_right_way() {
        let exact_turns = |corners: &[DVec3]| -> Vec<Sign> {
            let polygon: Vec<u32> = (0..corners.len() as u32).collect();
            let mesh = Mesh::from_polygons(corners.to_vec(), [polygon.as_slice()]).unwrap();
            (0..mesh.triangles().len()).map(|i| turn(2, mesh.triangle(i))).collect()
        };
        let flat = [[0.0, 0.0], [1.0, 1.0], [4.0, 0.0], [1.0, 4.0]]
            .map(|[x, y]| DVec3::new(x * 1e200, y * 1e-200, 0.0));
        assert_eq!(exact_turns(&flat), [Sign::Positive; 2]);
        let mut random = Random::new(17);
        let mut darts = 0;
        for _ in 0..4000 {
            let along = [(); 4].map(|()| random.uniform(1.0, 2.0));
            let nudged = |x: f64, random: &mut Random| {
                DVec3::new(x, (0..random.below(5)).fold(x, |y, _| y.next_up()), 0.0)
            };
            let corners = along.map(|x| nudged(x, &mut random));
            let at = |i: usize| turn(2, [corners[(i + 3) % 4], corners[i], corners[(i + 1) % 4]]);
            let turns = [0, 1, 2, 3].map(at);
            let left = turns.iter().filter(|&&t| t == Sign::Positive).count();
            let right = turns.iter().filter(|&&t| t == Sign::Negative).count();
            // Three turns one way and one the other is a dart: simple and concave.
            if left.min(right) == 1 && left + right == 4 {
                let whole = if left == 3 { Sign::Positive } else { Sign::Negative };
                assert_eq!(exact_turns(&corners), [whole; 2], "{corners:?}");
                darts += 1;
            }
        }
        assert!(darts > 300, "{darts}");
    }

    #[test]
    fn what_crosses_itself_or_is_flat_still_becomes_triangles() {
        let bow_tie = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
        assert_eq!(cut(&bow_tie).len(), 2);
        let pentagram: Vec<[f64; 2]> = (0..5)
            .map(|i| f64::from(i) * 2.0 * std::f64::consts::TAU / 5.0)
            .map(|a| [a.cos(), a.sin()])
            .collect();
        assert_eq!(cut(&pentagram).len(), 3);
        assert_eq!(cut(&[[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [2.0, 0.0], [1.5, 0.0]]).len(), 3);
        assert_eq!(cut(&[[1.0, 1.0]; 6]).len(), 4);
        let huge: Vec<[f64; 2]> = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 0.25]]
            .map(|p| p.map(|x| x * 5e307))
            .to_vec();
        assert_eq!(cut(&huge).len(), 2);
    }
}
