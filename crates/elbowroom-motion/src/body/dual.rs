//! Dual quaternion skinning: a vertex is moved by the weighted sum of its joints' rigid motions.
//!
//! Source: Kavan, Collins, Žára and O'Sullivan, Geometric skinning with approximate dual quaternion
//! blending, 2008. A sum of matrices of different rotations shrinks what it moves, most of all
//! where a limb is twisted; a sum of dual quaternions, brought back to length one, is a rigid
//! motion again. As there, signs are chosen to agree with one influence, of which we take the
//! heaviest; and what is not rigid in a joint's matrix, its stretch, is blended linearly and
//! applied first. We differ in that no root is taken: the motion is divided by the square of the
//! length, once.
//!
//! The quaternions are blended vertex by vertex, as matrices are in `linear`; then the blended
//! motions of a block are applied side by side. Every operation rounds once, in the order written.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::linear::{self, Columns};
use super::skin::{Run, Skin};
use elbowroom::internal::arch::{F64x4, F64x4Kernel, SimdLevel, run_f64x4};

/// A rigid motion: a unit quaternion, and half the translation times it; x, y, z, w each.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
struct Dual {
    real: [f64; 4],
    dual: [f64; 4],
}

impl Dual {
    fn new(rotation: DQuat, translation: DVec3) -> Self {
        let half = 0.5 * translation;
        let dual = DQuat::from_xyzw(half.x, half.y, half.z, 0.0) * rotation;
        Self { real: rotation.to_array(), dual: dual.to_array() }
    }
}

/// The memory that blending dual quaternions needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    motions: Vec<Dual>,
    stretches: Vec<Columns>,
    stretched: Vec<DVec3>,
}

impl Workspace {
    /// Skins a mesh. There is room for every vertex in `out`.
    pub(super) fn blend(
        &mut self,
        level: SimdLevel,
        skin: &Skin,
        world: &[DAffine3],
        rest: &[DVec3],
        out: &mut [DVec3],
    ) {
        self.motions.clear();
        self.stretches.clear();
        let mut rigid = true;
        for world_from_mesh in linear::world_from_mesh(skin, world) {
            let (rotation, stretch) = polar(&world_from_mesh.matrix3);
            let rotation = DQuat::from_mat3(&rotation).normalize();
            self.motions.push(Dual::new(rotation, world_from_mesh.translation));
            self.stretches.push(Columns::new(&stretch, DVec3::ZERO));
            rigid &= stretch.abs_diff_eq(DMat3::IDENTITY, RIGID);
        }
        let mut rest = rest;
        if !rigid {
            self.stretched.resize(rest.len(), DVec3::ZERO);
            linear::blend(level, skin.runs(), &self.stretches, rest, &mut self.stretched);
            rest = &self.stretched;
        }
        run_f64x4(level, Blend { runs: skin.runs(), motions: &self.motions, rest, out });
    }
}

/// Joints that stretch by less than this, in any entry, do not: products of a few dozen f64
/// matrices that were read as f32 stay well below, and no vertex of a body moves by more than this
/// times its height.
const RIGID: f64 = 1e-6;

/// A matrix as a rotation times a stretch.
///
/// The rotation nearest to the matrix is the limit of averaging it with its inverse transposed
/// (Higham, Computing the polar decomposition, 1986). For a mirroring the stretch mirrors; a matrix
/// that is flat has no nearest rotation, and is all stretch.
fn polar(matrix: &DMat3) -> (DMat3, DMat3) {
    let size = matrix.x_axis.length().max(matrix.y_axis.length()).max(matrix.z_axis.length());
    let determinant = matrix.determinant();
    if determinant.abs() <= 1e-12 * size * size * size || !determinant.is_finite() {
        return (DMat3::IDENTITY, *matrix);
    }
    let mut rotation = *matrix * (determinant.signum() / libm::cbrt(determinant.abs()));
    // Every step halves the worst stretch, and squares the error once that is small: 50 is plenty
    // for any matrix that passed the test above.
    for _ in 0..50 {
        let next = (rotation + rotation.inverse().transpose()) * 0.5;
        let done = next.abs_diff_eq(rotation, 1e-15);
        rotation = next;
        if done {
            break;
        }
    }
    (rotation, rotation.transpose() * *matrix)
}

/// How many blended motions are applied side by side.
const BLOCK: usize = 16;

/// Blended motions and the points that they move, component by component.
struct Block {
    real: [[f64; BLOCK]; 4],
    dual: [[f64; BLOCK]; 4],
    point: [[f64; BLOCK]; 3],
}

struct Blend<'a> {
    runs: &'a [Run],
    motions: &'a [Dual],
    rest: &'a [DVec3],
    out: &'a mut [DVec3],
}

impl F64x4Kernel for Blend<'_> {
    #[inline(always)]
    fn run<F: F64x4>(self) {
        // Places of a last block that no vertex fills hold what was there before, or this: no harm.
        let zero = [0.0; BLOCK];
        let one = [zero, zero, zero, [1.0; BLOCK]];
        let mut block = Block { real: one, dual: [zero; 4], point: [zero; 3] };
        for run in self.runs {
            let mut influences =
                run.joints.chunks_exact(run.count).zip(run.weights.chunks_exact(run.count));
            for vertices in run.vertices.chunks(BLOCK) {
                for (i, (&vertex, (joints, weights))) in
                    vertices.iter().zip(influences.by_ref()).enumerate()
                {
                    let motion = blended::<F>(self.motions, joints, weights);
                    block.fill(i, motion.map(F::to_array), self.rest[vertex as usize]);
                }
                block.apply();
                for (i, &vertex) in vertices.iter().enumerate() {
                    let [x, y, z] = &block.point;
                    self.out[vertex as usize] = DVec3::new(x[i], y[i], z[i]);
                }
            }
        }
    }
}

/// The weighted sum of motions, each with the sign that is nearer to the heaviest.
#[inline(always)]
fn blended<F: F64x4>(motions: &[Dual], joints: &[u16], weights: &[f64]) -> [F; 2] {
    let heaviest = &motions[joints[0] as usize];
    let weight = F::splat(weights[0]);
    let mut sum = [weight * F::load(&heaviest.real), weight * F::load(&heaviest.dual)];
    for (&joint, &weight) in joints[1..].iter().zip(&weights[1..]) {
        let motion = &motions[joint as usize];
        let (p, q) = (&heaviest.real, &motion.real);
        let agree = (p[0] * q[0] + p[2] * q[2]) + (p[1] * q[1] + p[3] * q[3]);
        let weight = F::splat(if agree < 0.0 { -weight } else { weight });
        sum[0] = sum[0] + weight * F::load(&motion.real);
        sum[1] = sum[1] + weight * F::load(&motion.dual);
    }
    sum
}

impl Block {
    #[inline(always)]
    fn fill(&mut self, i: usize, [real, dual]: [[f64; 4]; 2], point: DVec3) {
        for k in 0..4 {
            self.real[k][i] = real[k];
            self.dual[k][i] = dual[k];
        }
        for (component, value) in self.point.iter_mut().zip(point.to_array()) {
            component[i] = value;
        }
    }

    /// Moves the points: `v + 2/|q|² · (r × (r × v + w v) + w d − e r + r × d)`, where r and w are
    /// the vector and the number of the real part, d and e of the dual.
    #[inline(always)]
    fn apply(&mut self) {
        let ([qx, qy, qz, qw], [dx, dy, dz, de]) = (&self.real, &self.dual);
        let [px, py, pz] = &mut self.point;
        for i in 0..BLOCK {
            let (x, y, z, w) = (qx[i], qy[i], qz[i], qw[i]);
            let (a, b, c, e) = (dx[i], dy[i], dz[i], de[i]);
            let (vx, vy, vz) = (px[i], py[i], pz[i]);
            let twice = 2.0 / ((x * x + y * y) + (z * z + w * w));
            let ux = (y * vz - z * vy) + w * vx + a;
            let uy = (z * vx - x * vz) + w * vy + b;
            let uz = (x * vy - y * vx) + w * vz + c;
            px[i] = vx + twice * ((y * uz - z * uy) + (w * a - e * x));
            py[i] = vy + twice * ((z * ux - x * uz) + (w * b - e * y));
            pz[i] = vz + twice * ((x * uy - y * ux) + (w * c - e * z));
        }
    }
}
