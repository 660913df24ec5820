//! Curved surfaces: Bézier curves and patches, near each other or not.
//!
//! A patch is given by a net of control points; its surface lies in their convex hull, and de
//! Casteljau's halving gives the nets of its parts (Farin, *Curves and surfaces for CAGD*, 1988).
//! So a box around control points is a box around the surface, and halving what cannot be told
//! apart yet is a tree that grows only where a query goes: future work that Gottschalk, Lin and
//! Manocha propose (1996, section 8). Oriented boxes should need fewer halvings than aligned ones,
//! because their thickness falls with the square of a part's size.
//!
//! A curve is a patch of degree 0 in the second direction, so there is one of everything.
//!
//! ```text
//!   b30 ── b31 ── b32 ── b33       u runs up from row to row, v along them;
//!    │      │      │      │        control points are given row by row
//!   ...
//!   b00 ── b01 ── b02 ── b03
//! ```
//!
//! How we differ from a plain halving down to points: a part is replaced by two triangles as soon
//! as they are within a quarter of the tolerance of it, with a bound that holds point by point (see
//! [`BezierPatch::flatness`]).

mod meet;
mod net;

use glam::DVec3;

use elbowroom::internal::geom::mesh::Mesh;
pub use meet::{Closeness, Near, Nearness, PatchQuestion, Rectangle, meet_patches};

/// The highest degree in either direction. The bound on rounding grows with it, and drawing
/// programs use no higher one.
const MOST_DEGREE: usize = 32;

/// The most triangles that a tessellation may have.
const MOST_TRIANGLES: f64 = 16_777_216.0;

/// A tensor-product Bézier patch of any degrees up to 32, or a curve.
///
/// ```
/// use elbowroom_papers::obbtree::BezierPatch;
/// use glam::DVec3;
///
/// // An arch: cubic along x, straight along y.
/// let arch = |y: f64| [0.0, 1.0, 2.0, 3.0].map(|x| DVec3::new(x, y, x * (3.0 - x)));
/// let patch = BezierPatch::new([1, 3], [arch(0.0), arch(1.0)].concat())?;
/// assert!(patch.point(0.5, 0.5).abs_diff_eq(DVec3::new(1.5, 0.5, 1.5), 1e-15));
/// let mesh = patch.tessellate(0.01)?;
/// assert!(mesh.triangles().len() >= 16);
/// # Ok::<(), elbowroom_papers::obbtree::BezierError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BezierPatch {
    degrees: [usize; 2],
    /// Row by row, `degrees[0] + 1` rows of `degrees[1] + 1` points.
    control: Vec<DVec3>,
}

impl BezierPatch {
    /// A patch from degrees in u and v and control points row by row: the first `degrees[1] + 1` of
    /// them are for u = 0.
    ///
    /// # Errors
    /// If a degree is above 32, there are not as many control points as the degrees say, or one is
    /// not finite.
    pub fn new(degrees: [usize; 2], control: Vec<DVec3>) -> Result<Self, BezierError> {
        if let Some(&degree) = degrees.iter().find(|&&degree| degree > MOST_DEGREE) {
            return Err(BezierErrorKind::DegreeTooHigh { degree }.into());
        }
        let expected = (degrees[0] + 1) * (degrees[1] + 1);
        if control.len() != expected {
            return Err(BezierErrorKind::WrongCount { expected, given: control.len() }.into());
        }
        for (index, point) in control.iter().enumerate() {
            if let Some(axis) = (0..3).find(|&axis| !point[axis].is_finite()) {
                return Err(BezierErrorKind::NonFinite { index, axis, value: point[axis] }.into());
            }
        }
        Ok(Self { degrees, control })
    }

    /// A bicubic patch.
    ///
    /// # Errors
    /// Names the control point that is not finite.
    pub fn bicubic(rows: [[DVec3; 4]; 4]) -> Result<Self, BezierError> {
        Self::new([3, 3], rows.as_flattened().to_vec())
    }

    /// A curve of any degree up to 32: a patch of degree 0 in v.
    ///
    /// # Errors
    /// As [`BezierPatch::new`].
    pub fn curve(control: Vec<DVec3>) -> Result<Self, BezierError> {
        Self::new([control.len().saturating_sub(1), 0], control)
    }

    /// The degrees in u and v.
    pub fn degrees(&self) -> [usize; 2] {
        self.degrees
    }

    /// The control points, row by row.
    pub fn control(&self) -> &[DVec3] {
        &self.control
    }

    /// The point at parameters in 0..=1.
    pub fn point(&self, u: f64, v: f64) -> DVec3 {
        let mut row: Vec<DVec3> = self
            .control
            .chunks(self.degrees[1] + 1)
            .map(|row| net::evaluate(&mut row.to_vec(), v))
            .collect();
        net::evaluate(&mut row, u)
    }

    /// How far, at most, the patch is anywhere from the two triangles (p00, p10, p11) and
    /// (p00, p11, p01) between its corners, each point against the point at the same parameters.
    ///
    /// The difference of the patch and the bilinear patch through its corners is a patch, too,
    /// whose control points bound it; and the bilinear patch is within a quarter of its twist of
    /// the two triangles.
    pub fn flatness(&self) -> f64 {
        net::flatness(self.degrees, &self.control)
    }

    /// Triangles within a tolerance of the patch, each point against the point at the same
    /// parameters, on a regular grid without cracks. A curve becomes segments, which are degenerate
    /// triangles.
    ///
    /// The grid is as fine as second derivatives ask for (Filip, Magedson and Markot, *Surface
    /// algorithms using bounds on derivatives*, 1986).
    ///
    /// # Errors
    /// If the tolerance is not above zero and finite, or would take more than 2²⁴ triangles.
    pub fn tessellate(&self, tolerance: f64) -> Result<Mesh, BezierError> {
        check_tolerance(tolerance)?;
        let steps = self.steps(tolerance)?;
        let [along_u, along_v] = steps;
        let at = |i: u32, n: u32| f64::from(i) / f64::from(n.max(1));
        let mut vertices = Vec::new();
        for i in 0..=along_u {
            for j in 0..=along_v {
                vertices.push(self.point(at(i, along_u), at(j, along_v)));
            }
        }
        let index = |i: u32, j: u32| i * (along_v + 1) + j;
        let mut triangles = Vec::new();
        for i in 0..along_u.max(1) {
            for j in 0..along_v.max(1) {
                let (next_i, next_j) = ((i + 1).min(along_u), (j + 1).min(along_v));
                let [a, b] = [index(i, j), index(next_i, j)];
                let [c, d] = [index(next_i, next_j), index(i, next_j)];
                triangles.push([a, b, c]);
                if along_u > 0 && along_v > 0 {
                    triangles.push([a, c, d]);
                }
            }
        }
        // Points of the patch are within the hull of finite points.
        Mesh::new(vertices, triangles).map_err(|_| BezierErrorKind::TooFine { tolerance }.into())
    }

    /// How many steps a grid needs in u and v; none along a direction of degree 0.
    ///
    /// With second derivatives of at most A, B, C (uu, uv, vv), a grid of n×m steps is within
    /// (A/n² + 2B/nm + C/m²)/8 of the patch. The direction that adds more is doubled until that is
    /// enough.
    fn steps(&self, tolerance: f64) -> Result<[u32; 2], BezierError> {
        let bends = net::second_derivatives(self.degrees, &self.control);
        let mut steps = self.degrees.map(|degree| u32::from(degree > 0));
        loop {
            let [n, m] = steps.map(|n| f64::from(n.max(1)));
            let parts = [bends[0] / (n * n), 2.0 * bends[1] / (n * m), bends[2] / (m * m)];
            // Compared so that what overflows is not fine.
            if parts.iter().sum::<f64>() / 8.0 <= tolerance {
                return Ok(steps);
            }
            if 4.0 * n * m > MOST_TRIANGLES {
                return Err(BezierErrorKind::TooFine { tolerance }.into());
            }
            let mostly_v = parts[2] > parts[0] || (parts[2] == parts[0] && m < n);
            steps[usize::from(steps[1] > 0 && (mostly_v || steps[0] == 0))] *= 2;
        }
    }
}

fn check_tolerance(tolerance: f64) -> Result<(), BezierError> {
    if tolerance > 0.0 && tolerance.is_finite() {
        Ok(())
    } else {
        Err(BezierErrorKind::BadTolerance { tolerance }.into())
    }
}

elbowroom::declare_error! {
    /// Why a patch, or a question about it, was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BezierError;

    /// What was wrong with a patch, or with a question about it.
    #[derive(Clone, Debug, PartialEq)]
    pub enum BezierErrorKind {
        /// A coordinate of a control point is NaN or infinite.
        #[error(
            "{} of control point {index} is {value}, which is not finite",
            ["x", "y", "z"][*axis]
        )]
        NonFinite {
            /// The control point, counted from 0.
            index: usize,
            /// 0, 1 or 2 for x, y or z.
            axis: usize,
            /// The coordinate.
            value: f64,
        },
        /// The degrees ask for another number of control points.
        #[error("the degrees ask for {expected} control points, but {given} were given")]
        WrongCount {
            /// How many they ask for.
            expected: usize,
            /// How many there are.
            given: usize,
        },
        /// A degree is above 32.
        #[error(
            "degree {degree} is above {MOST_DEGREE}: split the surface into patches of lower \
             degree"
        )]
        DegreeTooHigh {
            /// The degree.
            degree: usize,
        },
        /// A tolerance is not above zero and finite.
        #[error("the tolerance is {tolerance}, but must be finite and above 0")]
        BadTolerance {
            /// The tolerance.
            tolerance: f64,
        },
        /// The tolerance would take too many triangles.
        #[error(
            "a tolerance of {tolerance} would take more than {MOST_TRIANGLES} triangles: choose a \
             larger one"
        )]
        TooFine {
            /// The tolerance.
            tolerance: f64,
        },
    }
}
