//! Volumes around vertices that have moved, as fast as memory gives them.
//!
//! A refit looks at every vertex of a mesh several times, once for every triangle around it, and so
//! what can be worked out for a vertex alone is worked out first, once: a k-DOP's *row*, the vertex
//! along each of its directions. What is left is smallest and largest numbers, which lanes do side
//! by side and which never round:
//!
//! ```text
//!   vertices → rows         n vertices, k/2 − 3 additions each
//!   rows → leaves           3 rows a triangle: smallest, largest
//!   leaves → inner nodes    2 children a node: smallest, largest     (merged, in `Volume`)
//! ```
//!
//! * An AABB is exact.
//! * A k-DOP is exact along the axes. Along its diagonals a row is rounded to the nearest; a sum of
//!   two or three coordinates is then off by at most 3u of the sum of their magnitudes, and so
//!   every leaf is made wider by 4u of the *reach*, the largest such sum in the mesh. That is a
//!   sixty-fourth of the slack of any test, where `Kdop::of_points` rounds every sum by itself and
//!   takes ten times as long. Where sums overflow, it is asked after all.
//! * A ball has its centre in the middle of the box of its vertices and reaches the farthest of
//!   them: larger than the smallest ball, and found in two passes.
//! * An OBB takes the axes in which its vertices spread most: an eigenvalue problem a leaf, which
//!   is why soft bodies are better off with the others.
//!
//! Every number comes out the same on every instruction set: nothing is fused, and the largest of
//! numbers is the same in any order.

// What is here must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use glam::DVec3;

use elbowroom::internal::arch::F64x4;
use elbowroom::internal::volume::fit::point_axes;
use elbowroom::internal::volume::round::{TINY, U, distance_up};
use elbowroom::internal::volume::{Aabb, Kdop, Obb, Spatial, Sphere};

/// A volume that can be put around vertices that are named by a list.
pub(crate) trait Refit: Spatial {
    /// Whether registers of four numbers pay. A box has three: in them it took a third longer than
    /// in registers of two, as every machine has them.
    const WIDE: bool = false;

    /// What is worked out for all vertices before.
    type Rows: Clone + std::fmt::Debug + Default + Send + Sync;

    /// Works it out. The reach bounds the sum of the magnitudes of any vertex's coordinates.
    fn prepare(rows: &mut Self::Rows, vertices: &[DVec3], reach: f64);

    /// Encloses the vertices of a list, which has at least one.
    fn around(rows: &Self::Rows, vertices: &[DVec3], list: &[u32]) -> Self;

    /// The volume around two others, as by [`merged`](elbowroom::internal::volume::Volume::merged),
    /// as a part of a kernel.
    fn joined(&self, other: &Self) -> Self;

    /// Encloses the vertices of a list on four lanes, with the bits of [`around`](Self::around).
    #[inline(always)]
    fn around_on<F: F64x4>(rows: &Self::Rows, vertices: &[DVec3], list: &[u32]) -> Self {
        Self::around(rows, vertices, list)
    }

    /// The volume around two others on four lanes, with the bits of [`joined`](Self::joined).
    #[inline(always)]
    fn joined_on<F: F64x4>(&self, other: &Self) -> Self {
        self.joined(other)
    }
}

impl Refit for Aabb {
    type Rows = ();

    #[inline(always)]
    fn prepare((): &mut (), _: &[DVec3], _: f64) {}

    #[inline(always)]
    fn around((): &(), vertices: &[DVec3], list: &[u32]) -> Self {
        let at = |vertex: u32| vertices[vertex as usize];
        // Most lists are triangles.
        if let &[p, q, r] = list {
            let (p, q, r) = (at(p), at(q), at(r));
            return Self { min: p.min(q).min(r), max: p.max(q).max(r) };
        }
        let first = Self { min: at(list[0]), max: at(list[0]) };
        list[1..]
            .iter()
            .map(|&vertex| at(vertex))
            .fold(first, |bounds, p| Self { min: bounds.min.min(p), max: bounds.max.max(p) })
    }

    #[inline(always)]
    fn joined(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// Every vertex along every direction.
#[derive(Clone, Debug)]
pub(crate) struct KdopRows<const N: usize> {
    rows: Vec<[f64; N]>,
    /// What diagonals are widened by; infinite where rows are of no use.
    wider: f64,
}

impl<const N: usize> Default for KdopRows<N> {
    fn default() -> Self {
        Self { rows: Vec::new(), wider: f64::INFINITY }
    }
}

/// The smaller of two numbers, neither of which is NaN: one instruction, unlike `f64::min`.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The larger of two numbers, neither of which is NaN: one instruction, unlike `f64::max`.
#[inline(always)]
fn most(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The product with −1, 0 or 1. Nothing is −0, because adding that is nothing for a compiler, too.
#[inline(always)]
fn term(component: f64, coordinate: f64) -> f64 {
    if component == 0.0 {
        -0.0
    } else if component > 0.0 {
        coordinate
    } else {
        -coordinate
    }
}

impl<const N: usize> Refit for Kdop<N> {
    const WIDE: bool = true;

    type Rows = KdopRows<N>;

    #[inline(always)]
    fn prepare(rows: &mut KdopRows<N>, vertices: &[DVec3], reach: f64) {
        rows.rows.clear();
        rows.rows.extend(vertices.iter().map(|p| {
            std::array::from_fn(|i| {
                let d = Self::DIRECTIONS[i];
                term(d.x, p.x) + term(d.y, p.y) + term(d.z, p.z)
            })
        }));
        // A quarter is room for the sums themselves.
        let is_safe = reach < 0.25 * f64::MAX;
        rows.wider = if is_safe { reach * (4.0 * U) + TINY } else { f64::INFINITY };
    }

    #[inline(always)]
    fn around(rows: &KdopRows<N>, vertices: &[DVec3], list: &[u32]) -> Self {
        if rows.wider == f64::INFINITY {
            return around_far(vertices, list);
        }
        let (mut low, mut high) = (rows.rows[list[0] as usize], rows.rows[list[0] as usize]);
        for &vertex in &list[1..] {
            let row = &rows.rows[vertex as usize];
            for i in 0..N {
                low[i] = least(low[i], row[i]);
                high[i] = most(high[i], row[i]);
            }
        }
        for i in 3..N {
            low[i] -= rows.wider;
            high[i] += rows.wider;
        }
        Self { slabs: std::array::from_fn(|i| [low[i], high[i]]) }
    }

    #[inline(always)]
    fn joined(&self, other: &Self) -> Self {
        let slabs = std::array::from_fn(|i| {
            let (a, b) = (self.slabs[i], other.slabs[i]);
            [least(a[0], b[0]), most(a[1], b[1])]
        });
        Self { slabs }
    }

    /// Two slabs a register: smallest, largest, smallest, largest.
    #[inline(always)]
    fn around_on<F: F64x4>(rows: &KdopRows<N>, vertices: &[DVec3], list: &[u32]) -> Self {
        // Most lists are triangles.
        let (&[p, q, r], true) = (list, rows.wider < f64::INFINITY) else {
            return Self::around(rows, vertices, list);
        };
        let [p, q, r] = [p, q, r].map(|vertex| rows.rows[vertex as usize].as_chunks::<2>());
        let wider = rows.wider;
        // The negative zero leaves every number as it is.
        let (third, others) = ([-0.0, -0.0, -wider, wider], [-wider, wider, -wider, wider]);
        let (third, others) = (F::load(&third), F::load(&others));
        let mut slabs = [[0.0; 2]; N];
        let (fours, last) = slabs.as_flattened_mut().as_chunks_mut::<4>();
        for (k, four) in fours.iter_mut().enumerate() {
            let spans = F::twice(&p.0[k]).spans(F::twice(&q.0[k])).spans(F::twice(&r.0[k]));
            *four = match k {
                0 => spans,
                1 => spans + third,
                _ => spans + others,
            }
            .to_array();
        }
        match (last, p.1, q.1, r.1) {
            ([], [], [], []) => {}
            ([low, high], [p], [q], [r]) => {
                *low = least(least(*p, *q), *r) - wider;
                *high = most(most(*p, *q), *r) + wider;
            }
            _ => unreachable!("two slabs a register leave one or none of {N}"),
        }
        Self { slabs }
    }

    #[inline(always)]
    fn joined_on<F: F64x4>(&self, other: &Self) -> Self {
        let (a, last_a) = self.slabs.as_flattened().as_chunks::<4>();
        let (b, last_b) = other.slabs.as_flattened().as_chunks::<4>();
        let mut slabs = [[0.0; 2]; N];
        let (fours, last) = slabs.as_flattened_mut().as_chunks_mut::<4>();
        for ((four, a), b) in fours.iter_mut().zip(a).zip(b) {
            *four = F::load(a).spans(F::load(b)).to_array();
        }
        match (last, last_a, last_b) {
            ([], [], []) => {}
            ([low, high], [low_a, high_a], [low_b, high_b]) => {
                (*low, *high) = (least(*low_a, *low_b), most(*high_a, *high_b));
            }
            _ => unreachable!("two slabs a register leave one or none of {N}"),
        }
        Self { slabs }
    }
}

/// Where sums of coordinates may overflow.
#[cold]
#[inline(never)]
fn around_far<const N: usize>(vertices: &[DVec3], list: &[u32]) -> Kdop<N> {
    let one = |vertex: &u32| Kdop::of_points(&[vertices[*vertex as usize]]);
    list[1..].iter().map(one).fold(one(&list[0]), |all, next| all.joined(&next))
}

impl Refit for Sphere {
    type Rows = ();

    #[inline(always)]
    fn prepare((): &mut (), _: &[DVec3], _: f64) {}

    #[inline(always)]
    fn around((): &(), vertices: &[DVec3], list: &[u32]) -> Self {
        // Between them squares neither overflow nor vanish.
        const SQUARABLE: std::ops::Range<f64> = 1e-140..1e150;
        let bounds = Aabb::around(&(), vertices, list);
        let center = bounds.center();
        if !SQUARABLE.contains(&bounds.half().max_element()) {
            let reach = |&v: &u32| distance_up(vertices[v as usize], center);
            return Self { center, radius: list.iter().map(reach).fold(0.0, f64::max) };
        }
        let squared = |&v: &u32| (vertices[v as usize] - center).length_squared();
        let farthest = list.iter().map(squared).fold(0.0, most);
        // Difference, squares, their sum, root, and the multiplication here.
        Self { center, radius: farthest.sqrt() * (1.0 + 16.0 * U) }
    }

    #[inline(always)]
    fn joined(&self, other: &Self) -> Self {
        elbowroom::internal::volume::Volume::merged(self, other)
    }
}

impl Refit for Obb {
    type Rows = ();

    #[inline(always)]
    fn prepare((): &mut (), _: &[DVec3], _: f64) {}

    #[inline(always)]
    fn around((): &(), vertices: &[DVec3], list: &[u32]) -> Self {
        // Leaves are mostly triangles, and need no heap.
        if let &[p, q, r] = list {
            let points = [p, q, r].map(|vertex| vertices[vertex as usize]);
            return Self::of_points(&points, point_axes(&points));
        }
        let points: Vec<DVec3> = list.iter().map(|&vertex| vertices[vertex as usize]).collect();
        Self::of_points(&points, point_axes(&points))
    }

    #[inline(always)]
    fn joined(&self, other: &Self) -> Self {
        elbowroom::internal::volume::Volume::merged(self, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::internal::arch::{F64x4Kernel, SimdLevel, run_f64x4};
    use elbowroom_testkit::random::Random;

    /// Volumes around lists and of two at a time, by lanes and by single numbers.
    struct Both<'a, const N: usize> {
        rows: &'a KdopRows<N>,
        vertices: &'a [DVec3],
        lists: &'a [Vec<u32>],
        compared: &'a mut usize,
    }

    impl<const N: usize> F64x4Kernel for Both<'_, N> {
        #[inline(always)]
        fn run<F: F64x4>(self) {
            let bits = |volume: &Kdop<N>| volume.slabs.map(|slab| slab.map(f64::to_bits));
            let mut before: Option<Kdop<N>> = None;
            for list in self.lists {
                let plain = Kdop::<N>::around(self.rows, self.vertices, list);
                let lanes = Kdop::<N>::around_on::<F>(self.rows, self.vertices, list);
                assert_eq!(bits(&lanes), bits(&plain), "{list:?}");
                if let Some(other) = before.replace(plain) {
                    assert_eq!(bits(&plain.joined_on::<F>(&other)), bits(&plain.joined(&other)));
                }
                *self.compared += 1;
            }
        }
    }

    fn lanes_and_numbers_agree<const N: usize>(random: &mut Random) -> usize {
        let mut compared = 0;
        for size in [1.0, 1e-300, 1e300, 1e308] {
            let mut number = || match random.below(6) {
                0 => 0.0,
                1 => -0.0,
                _ => random.uniform(-size, size),
            };
            let vertices: Vec<DVec3> =
                (0..60).map(|_| DVec3::new(number(), number(), number())).collect();
            let reach = vertices.iter().map(|p| p.abs().element_sum()).fold(0.0, f64::max);
            let lists: Vec<Vec<u32>> = (0..400)
                .map(|_| (0..=random.below(5)).map(|_| random.below(60) as u32).collect())
                .collect();
            let mut rows = KdopRows::default();
            Kdop::<N>::prepare(&mut rows, &vertices, reach);
            for level in SimdLevel::ALL.into_iter().filter(|level| level.is_here()) {
                let both = Both {
                    rows: &rows,
                    vertices: &vertices,
                    lists: &lists,
                    compared: &mut compared,
                };
                run_f64x4(level, both);
            }
        }
        compared
    }

    #[test]
    fn lanes_give_the_bits_of_single_numbers() {
        let mut random = Random::new(18);
        let compared = lanes_and_numbers_agree::<7>(&mut random)
            + lanes_and_numbers_agree::<9>(&mut random)
            + lanes_and_numbers_agree::<12>(&mut random)
            + lanes_and_numbers_agree::<13>(&mut random);
        assert!(compared >= 4 * 4 * 400, "{compared}");
    }
}
