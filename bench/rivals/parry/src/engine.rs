//! parry's triangle meshes, asked in two ways, in the precision of the enclosing module's `parry`.
//!
//! [`Stock`] is what its users call, `intersection_test`: a loop over one mesh's triangles with a
//! descent of the other's tree each, boolean only. [`Dual`] descends both trees at once through
//! `leaf_pairs`, with the test that parry's own mesh intersection uses for nodes, and its GJK for
//! triangles.

use elbowroom_bench_protocol::files::{Mesh, Pose as FilePose, Workload};
use elbowroom_bench_protocol::play::{Player, Ready, Tests, thread_secs};

use super::parry::bounding_volume::{Aabb, BoundingVolume};
use super::parry::math::{Matrix, Pose, Real, Rotation, Vector};
use super::parry::partitioning::{Bvh, BvhBuildStrategy, BvhNode};
use super::parry::query::details::intersection_test_support_map_support_map;
use super::parry::query::intersection_test;
use super::parry::shape::{TriMesh, TriMeshBuilderError};

/// Meshes and placed pairs of them.
struct Scene {
    meshes: Vec<TriMesh>,
    queries: Vec<([usize; 2], [Pose; 2])>,
    bodies: Vec<Pose>,
    source: Mesh,
}

impl Scene {
    fn new(workload: Workload) -> Result<Self, TriMeshBuilderError> {
        let meshes = workload.meshes.iter().map(grow).collect::<Result<_, _>>()?;
        let queries = workload
            .queries
            .iter()
            .map(|query| (query.meshes.map(|mesh| mesh as usize), query.poses.map(pose)))
            .collect();
        let bodies = workload.bodies.iter().copied().map(pose).collect();
        let source = workload.meshes.into_iter().next().unwrap_or_default();
        Ok(Self { meshes, queries, bodies, source })
    }

    fn ready(&self) -> Ready {
        let triangles = self.meshes.iter().map(|mesh| mesh.indices().len() as u64).sum();
        Ready { triangles, bytes: None }
    }

    fn build(&self) -> Option<(f64, u64)> {
        let (vertices, triangles) = soup(&self.source);
        let start = thread_secs();
        let mesh = TriMesh::new(vertices, triangles).ok()?;
        let secs = thread_secs() - start;
        Some((secs, mesh.indices().len() as u64))
    }
}

/// The mesh in parry's own numbers.
fn soup(mesh: &Mesh) -> (Vec<Vector>, Vec<[u32; 3]>) {
    let vertices = mesh.vertices.iter().map(|v| vector(*v)).collect();
    (vertices, mesh.triangles.clone())
}

/// A mesh with its tree.
pub(crate) fn grow(mesh: &Mesh) -> Result<TriMesh, TriMeshBuilderError> {
    let (vertices, triangles) = soup(mesh);
    TriMesh::new(vertices, triangles)
}

#[allow(clippy::unnecessary_cast, clippy::cast_lossless)] // Real is f64 in one of the two.
fn vector(v: [f64; 3]) -> Vector {
    let [x, y, z] = v.map(|x| x as Real);
    Vector::new(x, y, z)
}

fn pose(pose: FilePose) -> Pose {
    let row = |i: usize| {
        vector([pose.rotation[3 * i], pose.rotation[3 * i + 1], pose.rotation[3 * i + 2]])
    };
    let rotation = Matrix::from_cols(row(0), row(1), row(2)).transpose();
    Pose::from_parts(vector(pose.translation), Rotation::from_mat3(&rotation))
}

/// Both trees descended at once.
pub(crate) struct Dual {
    scene: Scene,
    listed: Vec<(u32, u32)>,
    tests: u64,
}

impl Dual {
    pub(crate) fn new(workload: Workload) -> Result<Self, TriMeshBuilderError> {
        Ok(Self { scene: Scene::new(workload)?, listed: Vec::new(), tests: 0 })
    }

    /// Calls back with every pair of triangles that meet, until told to stop.
    fn descend(
        [a, b]: [&TriMesh; 2],
        [pose_a, pose_b]: [&Pose; 2],
        tests: &mut u64,
        mut found: impl FnMut(u32, u32) -> bool,
    ) {
        let b_in_a = pose_a.inv_mul(pose_b);
        let may_meet = |node_a: &BvhNode, node_b: &BvhNode| {
            node_a.aabb().intersects(&node_b.aabb().transform_by(&b_in_a))
        };
        for (i, j) in a.bvh().leaf_pairs(b.bvh(), may_meet) {
            *tests += 1;
            let (first, second) = (a.triangle(i), b.triangle(j));
            if intersection_test_support_map_support_map(&b_in_a, &first, &second) && !found(i, j) {
                return;
            }
        }
    }

    fn placed(&self, query: usize) -> ([&TriMesh; 2], [&Pose; 2]) {
        let ([a, b], [pose_a, pose_b]) = &self.scene.queries[query];
        ([&self.scene.meshes[*a], &self.scene.meshes[*b]], [pose_a, pose_b])
    }
}

impl Player for Dual {
    fn ready(&self) -> Ready {
        self.scene.ready()
    }

    fn queries(&self) -> usize {
        self.scene.queries.len()
    }

    fn boolean(&mut self, query: usize) -> Option<bool> {
        let (mut touches, mut tests) = (false, 0);
        let (meshes, poses) = self.placed(query);
        Self::descend(meshes, poses, &mut tests, |_, _| {
            touches = true;
            false
        });
        self.tests += tests;
        Some(touches)
    }

    fn all(&mut self, query: usize) -> Option<u64> {
        let mut listed = std::mem::take(&mut self.listed);
        listed.clear();
        let mut tests = 0;
        let (meshes, poses) = self.placed(query);
        Self::descend(meshes, poses, &mut tests, |i, j| {
            listed.push((i, j));
            true
        });
        self.tests += tests;
        self.listed = listed;
        Some(self.listed.len() as u64)
    }

    fn world(&mut self) -> Option<u64> {
        let mesh = self.scene.meshes.first()?;
        let bodies = &self.scene.bodies;
        if bodies.is_empty() {
            return None;
        }
        let local = mesh.local_aabb();
        let boxes: Vec<Aabb> = bodies.iter().map(|pose| local.transform_by(pose)).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let (mut touching, mut tests) = (0, 0);
        for (i, j) in tree.leaf_pairs(&tree, |a, b| a.aabb().intersects(&b.aabb())) {
            // Each pair is met both ways round, and each body meets itself.
            if i < j {
                let poses = [&bodies[i as usize], &bodies[j as usize]];
                Self::descend([mesh, mesh], poses, &mut tests, |_, _| {
                    touching += 1;
                    false
                });
            }
        }
        Some(touching)
    }

    fn build(&mut self) -> Option<(f64, u64)> {
        self.scene.build()
    }

    fn tests(&mut self) -> Tests {
        Tests { volumes: 0, triangles: std::mem::take(&mut self.tests) }
    }
}

/// The query as its users call it.
pub(crate) struct Stock {
    scene: Scene,
}

impl Stock {
    pub(crate) fn new(workload: Workload) -> Result<Self, TriMeshBuilderError> {
        Ok(Self { scene: Scene::new(workload)? })
    }
}

impl Player for Stock {
    fn ready(&self) -> Ready {
        self.scene.ready()
    }

    fn queries(&self) -> usize {
        self.scene.queries.len()
    }

    fn boolean(&mut self, query: usize) -> Option<bool> {
        let ([a, b], [pose_a, pose_b]) = &self.scene.queries[query];
        let meshes = &self.scene.meshes;
        let answer = intersection_test(pose_a, &meshes[*a], pose_b, &meshes[*b]).ok()?;
        Some(answer.intersecting)
    }

    fn all(&mut self, _: usize) -> Option<u64> {
        None
    }

    fn world(&mut self) -> Option<u64> {
        None
    }

    fn build(&mut self) -> Option<(f64, u64)> {
        None
    }
}
