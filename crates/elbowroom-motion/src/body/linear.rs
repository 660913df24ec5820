//! Linear blend skinning: a vertex is moved by the weighted sum of its joints' matrices.
//!
//! Source: Magnenat-Thalmann, Laperrière and Thalmann, Joint-dependent local deformations for hand
//! animation and object grasping, 1988; the formula is glTF's. The order of operations is ours, and
//! fixed: with the heaviest influence first, the matrix is `((w₀M₀ + w₁M₁) + w₂M₂) + …`, column by
//! column, and the point is `(xX + zZ) + (yY + T)` of its columns X, Y, Z, T. Nothing is fused.
//!
//! All of it is f64. A matrix is four columns of four numbers, the fourth unused, so that a column
//! is one register and a vertex needs no shuffles and no gathers: with four influences it is 19
//! products and 15 sums of registers on 23 loads, and the matrices of a body stay in the first
//! cache. The same in f32 was measured between 6 % slower and 19 % faster, depending on the size of
//! the mesh; so there is little to win by rounding, and much to lose on bodies that stand far from
//! the origin. By count, the loads bound it, two a cycle, while the mesh is in the caches; beyond
//! them it is memory, 92 bytes a vertex.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use glam::{DAffine3, DMat3, DVec3};

use super::skin::{Run, Skin};
use elbowroom::internal::arch::{F64x4, F64x4Kernel, SimdLevel, run_f64x4};

/// A matrix as its four columns, each padded to a register.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Columns([[f64; 4]; 4]);

impl Columns {
    pub(super) fn new(matrix3: &DMat3, translation: DVec3) -> Self {
        let columns = [matrix3.x_axis, matrix3.y_axis, matrix3.z_axis, translation];
        Self(columns.map(|c| [c.x, c.y, c.z, 0.0]))
    }
}

/// `world_from_mesh` by way of each joint of a skin.
pub(super) fn world_from_mesh<'a>(
    skin: &'a Skin,
    world: &'a [DAffine3],
) -> impl Iterator<Item = DAffine3> + 'a {
    let binds = skin.inverse_binds();
    skin.joints().iter().zip(binds).map(|(joint, bind)| world[joint.index()] * *bind)
}

/// Skins a mesh by matrices, one for each joint of the skin. There is room for every vertex in
/// `out`.
pub(super) fn blend(
    level: SimdLevel,
    runs: &[Run],
    matrices: &[Columns],
    rest: &[DVec3],
    out: &mut [DVec3],
) {
    run_f64x4(level, Linear { runs, matrices, rest, out });
}

struct Linear<'a> {
    runs: &'a [Run],
    matrices: &'a [Columns],
    rest: &'a [DVec3],
    out: &'a mut [DVec3],
}

impl F64x4Kernel for Linear<'_> {
    #[inline(always)]
    fn run<F: F64x4>(mut self) {
        for run in self.runs {
            // Up to four, the usual bound of engines, the loops are unrolled.
            match run.count {
                1 => self.fixed::<F, 1>(run),
                2 => self.fixed::<F, 2>(run),
                3 => self.fixed::<F, 3>(run),
                4 => self.fixed::<F, 4>(run),
                _ => self.any::<F>(run),
            }
        }
    }
}

impl Linear<'_> {
    #[inline(always)]
    fn fixed<F: F64x4, const COUNT: usize>(&mut self, run: &Run) {
        let (joints, _) = run.joints.as_chunks::<COUNT>();
        let (weights, _) = run.weights.as_chunks::<COUNT>();
        for ((&vertex, joints), weights) in run.vertices.iter().zip(joints).zip(weights) {
            self.vertex::<F>(vertex, joints, weights);
        }
    }

    #[inline(always)]
    fn any<F: F64x4>(&mut self, run: &Run) {
        let joints = run.joints.chunks_exact(run.count);
        let weights = run.weights.chunks_exact(run.count);
        for ((&vertex, joints), weights) in run.vertices.iter().zip(joints).zip(weights) {
            self.vertex::<F>(vertex, joints, weights);
        }
    }

    #[inline(always)]
    fn vertex<F: F64x4>(&mut self, vertex: u32, joints: &[u16], weights: &[f64]) {
        let heaviest = &self.matrices[joints[0] as usize].0;
        let weight = F::splat(weights[0]);
        let mut columns: [F; 4] = std::array::from_fn(|i| weight * F::load(&heaviest[i]));
        for (&joint, &weight) in joints[1..].iter().zip(&weights[1..]) {
            let matrix = &self.matrices[joint as usize].0;
            let weight = F::splat(weight);
            for i in 0..4 {
                columns[i] = columns[i] + weight * F::load(&matrix[i]);
            }
        }
        let point = self.rest[vertex as usize];
        let [x, y, z] = point.to_array().map(F::splat);
        let moved = (x * columns[0] + z * columns[2]) + (y * columns[1] + columns[3]);
        moved.store_three(self.out[vertex as usize].as_mut());
    }
}
