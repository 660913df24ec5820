//! The working copy of a triangle: three corners in f32, around the island's origin and scaled to
//! about 1.

use glam::DVec3;

use crate::internal::bvh::packed::Island;
use crate::internal::geom::mesh::Mesh;
use crate::internal::math::moments::unit_scale;

/// Three corners, each followed by one more word: the triangle's number, a key that copies share,
/// nothing.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub(super) struct Corners(pub(super) [f32; 12]);

impl Corners {
    pub(super) fn id(&self) -> u32 {
        self.0[3].to_bits()
    }

    /// A key that is equal for triangles with the same corners in any order, and seldom for others.
    pub(super) fn key(&self) -> u32 {
        self.0[7].to_bits()
    }

    /// Whether it is so small beside its island that f32 leaves it only a few hundred steps.
    pub(super) fn is_fine(&self) -> bool {
        const FINE: f32 = 1.0 / 65536.0;
        let c = &self.0;
        (0..3).all(|i| (c[i] - c[4 + i]).abs().max((c[i] - c[8 + i]).abs()) < FINE)
    }

    fn new([p, q, r]: [&Seen; 3], id: u32) -> Self {
        let key = p.key.wrapping_add(q.key).wrapping_add(r.key);
        let ([a, b, c], [d, e, f], [g, h, i]) = (p.at, q.at, r.at);
        Self([a, b, c, f32::from_bits(id), d, e, f, f32::from_bits(key), g, h, i, 0.0])
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
    fn see(&self, point: DVec3) -> Seen {
        let DVec3 { x, y, z } = (point - self.origin) * self.scale;
        let at = [x as f32 + 0.0, y as f32 + 0.0, z as f32 + 0.0];
        // Any odd factors do.
        let key = (at[0].to_bits().wrapping_mul(0x9E37_79B1))
            .wrapping_add(at[1].to_bits().wrapping_mul(0x85EB_CA77))
            .wrapping_add(at[2].to_bits().wrapping_mul(0xC2B2_AE3D));
        Seen { at, key }
    }

    fn corners(&self, mesh: &Mesh, id: u32) -> Corners {
        let [p, q, r] = mesh.triangle(id as usize);
        Corners::new([&self.see(p), &self.see(q), &self.see(r)], id)
    }
}

/// A vertex as an island sees it, and its share in the keys of its triangles.
#[derive(Clone, Copy, Debug)]
struct Seen {
    at: [f32; 3],
    key: u32,
}

/// All triangles of a mesh, seen from an island that has no boxes yet.
pub(super) fn corners(mesh: &Mesh, island: &Island) -> (Vec<Corners>, Around) {
    let around = Around::new(island);
    let vertices = mesh.vertices();
    let triangles = mesh.triangles();
    let mut corners = Vec::with_capacity(triangles.len());
    // A vertex is most often shared by six triangles, and is read once. A list of those that are
    // not shared would take longer.
    if vertices.len() <= triangles.len() {
        let seen: Vec<Seen> = vertices.iter().map(|&vertex| around.see(vertex)).collect();
        let of = |(t, id): (&[u32; 3], u32)| {
            Corners::new([&seen[t[0] as usize], &seen[t[1] as usize], &seen[t[2] as usize]], id)
        };
        corners.extend(triangles.iter().zip(0..).map(of));
    } else {
        let of = |id: u32| around.corners(mesh, id);
        corners.extend((0..triangles.len() as u32).map(of));
    }
    (corners, around)
}

/// Some triangles of a mesh.
pub(super) fn corners_of(mesh: &Mesh, ids: &[u32], island: &Island) -> (Vec<Corners>, Around) {
    let around = Around::new(island);
    (ids.iter().map(|&id| around.corners(mesh, id)).collect(), around)
}
