//! Two boxes are apart if and only if one of fifteen directions shows it.
//!
//! Two convex solids are apart if a plane separates them, and for two boxes it is enough to look
//! along the three face normals of each and the nine cross products of an edge of one with an edge
//! of the other. Along a direction, a box is an interval around its centre, and two intervals are
//! apart if the centres are farther apart than the radii together reach. With everything in the
//! first box's own frame most products are zeros and ones, and what is left are 15 comparisons, 60
//! additions, 81 multiplications and 24 absolute values.
//!
//! Source: Gottschalk, Lin and Manocha, *OBBTree: a hierarchical structure for rapid interference
//! detection*, 1996, section 5; the order of the axes is that of their program RAPID. We differ in
//! what keeps the answer safe: RAPID adds 1e-6 to every |R|, which guards against nearly parallel
//! edges; here a length is added to the radii, which bounds every error of the inputs as well (see
//! `docs/notes/volume-slack.md`). The directions that are cross products are not longer than 1, so
//! one length serves for all.
//!
//! The kernel is written once over [`Lane`] and has no branches but "all lanes are done".

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use glam::{DMat3, DVec3};

use crate::internal::arch::Lane;

/// Two boxes, seen from the first one's centre along its axes.
#[derive(Clone, Copy, Debug)]
pub struct ObbPair<L> {
    /// `r[i][j]` is the component along axis i of the first box of axis j of the second.
    pub r: [[L; 3]; 3],
    /// The second centre.
    pub t: [L; 3],
    /// Half the extents of the first box.
    pub a: [L; 3],
    /// Half the extents of the second box.
    pub b: [L; 3],
}

impl ObbPair<f64> {
    /// From vectors; the columns of `r` are the axes of the second box.
    pub fn new(r: DMat3, t: DVec3, a: DVec3, b: DVec3) -> Self {
        let rows = r.transpose().to_cols_array_2d();
        Self { r: rows, t: t.to_array(), a: a.to_array(), b: b.to_array() }
    }

    /// Whether the boxes are farther apart than the slack along one of the fifteen directions.
    ///
    /// Extents may be infinite, as those of a line or a plane with thickness: a direction along
    /// which an infinite edge has a component, however small, cannot separate; one that is
    /// exactly perpendicular to it can.
    #[inline]
    pub fn apart(&self, slack: f64) -> bool {
        // Nothing times infinity is NaN in the plain kernel, and NaN separates nothing: a yes is
        // right in any case.
        separated::<f64, true>(self, slack)
            || (self.has_infinite_extents() && self.extended_apart(slack))
    }

    fn has_infinite_extents(&self) -> bool {
        self.a.contains(&f64::INFINITY) || self.b.contains(&f64::INFINITY)
    }

    #[cold]
    fn extended_apart(&self, slack: f64) -> bool {
        let wrap = |v: [f64; 3]| v.map(Extended);
        let boxes =
            ObbPair { r: self.r.map(wrap), t: wrap(self.t), a: wrap(self.a), b: wrap(self.b) };
        separated::<Extended, true>(&boxes, Extended(slack))
    }
}

/// Which lanes are separated along one of the fifteen directions by more than the slack.
///
/// With `EARLY` it returns as soon as all lanes are. NaN separates nothing.
#[inline(always)]
pub fn separated<L: Lane, const EARLY: bool>(boxes: &ObbPair<L>, slack: L) -> L::Mask {
    let ObbPair { r, t, a, b } = *boxes;
    let mut x = [r[0][0], r[1][0], r[2][0]];
    let mut y = [r[0][1], r[1][1], r[2][1]];
    let mut z = [r[0][2], r[1][2], r[2][2]];
    ObbColumns { r: [&mut x, &mut y, &mut z], t, a, b, slack }.separated::<EARLY>(true)
}

/// Two boxes as [`ObbPair`] has them, but `r` by columns: `r[j][i]` is along axis i of the first
/// box.
///
/// On lanes with few registers, `r` and its magnitudes wait in memory from one group of directions
/// to the next, and only the rest is held.
pub(super) struct ObbColumns<'a, L> {
    pub(super) r: [&'a mut [L; 3]; 3],
    pub(super) t: [L; 3],
    pub(super) a: [L; 3],
    pub(super) b: [L; 3],
    pub(super) slack: L,
}

impl<L: Lane> ObbColumns<'_, L> {
    /// Lanes that are not eager look only once whether all of them are done, after the faces, and
    /// not at all if they are not told to.
    #[inline(always)]
    pub(super) fn separated<const EARLY: bool>(&mut self, looks: bool) -> L::Mask {
        let [x, y, z] = &mut self.r;
        let mut q0 = [x[0].abs(), x[1].abs(), x[2].abs()];
        let mut q1 = [y[0].abs(), y[1].abs(), y[2].abs()];
        let mut q2 = [z[0].abs(), z[1].abs(), z[2].abs()];
        let mut q = [&mut q0, &mut q1, &mut q2];
        self.set_down(&mut q);
        let mut mask = self.face_a(&q, 0);
        // Written out, so that every index is a constant. Lanes that are
        // not eager look once, after the faces.
        macro_rules! or {
            ($($direction:expr;)*) => {
                $(
                    if EARLY && L::EAGER && L::all(mask) {
                        return mask;
                    }
                    mask = mask | $direction;
                )*
                self.set_down(&mut q);
            };
        }
        or!(self.face_b(&q, 0););
        or!(self.face_a(&q, 1); self.face_a(&q, 2););
        or!(self.face_b(&q, 1); self.face_b(&q, 2););
        if EARLY && looks && L::all(mask) {
            return mask;
        }
        or!(self.edges(&q, 0, 0); self.edges(&q, 0, 1); self.edges(&q, 0, 2););
        or!(self.edges(&q, 1, 0); self.edges(&q, 1, 1); self.edges(&q, 1, 2););
        or!(self.edges(&q, 2, 0); self.edges(&q, 2, 1); self.edges(&q, 2, 2););
        mask
    }

    #[inline(always)]
    fn set_down(&mut self, q: &mut [&mut [L; 3]; 3]) {
        let [x, y, z] = &mut self.r;
        let [q0, q1, q2] = q;
        L::set_down(*x);
        L::set_down(*y);
        L::set_down(*z);
        L::set_down(*q0);
        L::set_down(*q1);
        L::set_down(*q2);
    }

    /// Along axis i of the first box.
    #[inline(always)]
    fn face_a(&self, q: &[&mut [L; 3]; 3], i: usize) -> L::Mask {
        let Self { t, a, b, slack, .. } = self;
        let radius = b[0].times_plus(q[0][i], a[i] + *slack);
        let radius = b[2].times_plus(q[2][i], b[1].times_plus(q[1][i], radius));
        t[i].abs().greater(radius)
    }

    /// Along axis j of the second box.
    #[inline(always)]
    fn face_b(&self, q: &[&mut [L; 3]; 3], j: usize) -> L::Mask {
        let Self { r, t, a, b, slack } = self;
        let distance = t[2].times_plus(r[j][2], t[1].times_plus(r[j][1], t[0] * r[j][0]));
        let radius = a[0].times_plus(q[j][0], b[j] + *slack);
        let radius = a[2].times_plus(q[j][2], a[1].times_plus(q[j][1], radius));
        distance.abs().greater(radius)
    }

    /// Along the cross product of axis i of the first box and axis j of the second.
    #[inline(always)]
    fn edges(&self, q: &[&mut [L; 3]; 3], i: usize, j: usize) -> L::Mask {
        let Self { r, t, a, b, slack } = self;
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
        let distance = t[i1].times_from(r[j][i2], t[i2] * r[j][i1]);
        let radius = a[i2].times_plus(q[j][i1], a[i1].times_plus(q[j][i2], *slack));
        let radius = b[j2].times_plus(q[j1][i], b[j1].times_plus(q[j2][i], radius));
        distance.abs().greater(radius)
    }
}

/// One-wide numbers where nothing times infinity is nothing.
#[derive(Clone, Copy)]
struct Extended(f64);

impl std::ops::Add for Extended {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl std::ops::Sub for Extended {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl std::ops::Mul for Extended {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        if self.0 == 0.0 || other.0 == 0.0 { Self(0.0) } else { Self(self.0 * other.0) }
    }
}

impl Lane for Extended {
    type Mask = bool;

    fn abs(self) -> Self {
        Self(self.0.abs())
    }

    fn greater(self, other: Self) -> bool {
        self.0 > other.0
    }

    fn all(mask: bool) -> bool {
        mask
    }
}
