//! The working copy of a triangle: three corners in f32, around the island's origin and scaled to about 1.

use glam::DVec3;

use crate::geom::mesh::Mesh;
use crate::math::moments::unit_scale;
use crate::tree::packed::Island;

/// Three corners, each followed by one more word: the triangle's number, a key that copies share, nothing.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub(super) struct Corners(pub(super) [f32; 12]);

impl Corners {
    pub(super) fn id(&self) -> u32 {
        self.0[3].to_bits()
    }

    /// The same for triangles that have the same corners in any order; seldom for others.
    pub(super) fn key(&self) -> u32 {
        self.0[7].to_bits()
    }

    /// Whether it is so small beside its island that f32 leaves it only a few hundred steps.
    pub(super) fn is_fine(&self) -> bool {
        const FINE: f32 = 1.0 / 65536.0;
        let c = &self.0;
        (0..3).all(|i| (c[i] - c[4 + i]).abs().max((c[i] - c[8 + i]).abs()) < FINE)
    }

    fn new(corners: [DVec3; 3], around: &Around, id: u32) -> Self {
        let [p, q, r] = corners.map(|corner| around.map(corner));
        let sum =
            |i: usize| [p, q, r].iter().fold(0_u32, |sum, c| sum.wrapping_add(c[i].to_bits()));
        // Any odd factors do.
        let key = sum(0)
            .wrapping_mul(0x9E37_79B1)
            .wrapping_add(sum(1).wrapping_mul(0x85EB_CA77))
            .wrapping_add(sum(2).wrapping_mul(0xC2B2_AE3D));
        let (id, key) = (f32::from_bits(id), f32::from_bits(key));
        Self([p[0], p[1], p[2], id, q[0], q[1], q[2], key, r[0], r[1], r[2], 0.0])
    }
}

/// Where the working copy stands: offsets from an origin, times a power of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    origin: DVec3,
    scale: f64,
}

impl Around {
    fn new(island: &Island) -> Self {
        Self { origin: island.origin, scale: unit_scale(island.reach) }
    }

    /// What lengths of the working copy are to be multiplied with: a power of two.
    pub(super) fn unit(&self) -> f64 {
        1.0 / self.scale
    }

    /// Equal points stay equal, also where zero has a sign.
    fn map(&self, point: DVec3) -> [f32; 3] {
        let at = (point - self.origin) * self.scale;
        at.to_array().map(|x| x as f32 + 0.0)
    }
}

/// All triangles of a mesh, seen from an island that has no boxes yet.
pub(super) fn corners(mesh: &Mesh, island: &Island) -> (Vec<Corners>, Around) {
    let around = Around::new(island);
    let vertices = mesh.vertices();
    let triangles = mesh.triangles().iter().zip(0..);
    let of = |(t, id): (&[u32; 3], u32)| {
        Corners::new(t.map(|corner| vertices[corner as usize]), &around, id)
    };
    (triangles.map(of).collect(), around)
}

/// Some triangles of a mesh.
pub(super) fn corners_of(mesh: &Mesh, ids: &[u32], island: &Island) -> (Vec<Corners>, Around) {
    let around = Around::new(island);
    let of = |&id: &u32| Corners::new(mesh.triangle(id as usize), &around, id);
    (ids.iter().map(of).collect(), around)
}
