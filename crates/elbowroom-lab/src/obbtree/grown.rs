//! Trees with their volumes in the open, and traversals that can be watched.
//!
//! A query counts its tests but does not show them. Here a tree and its column are held side by
//! side, so that an experiment can look at every pair of boxes that a query would test. The
//! traversal is the library's own, with the same rule and the same allowance for rounding, so the
//! counts are those of a query.

use std::ops::ControlFlow;

use elbowroom::internal::bvh::{Column, Config, NodeId, Tree, Triangles, grow};
use elbowroom::internal::traverse::{Judge, Path, Workspace, pair};
use elbowroom::internal::volume::{Aabb, Family, Fit, Meet, Obb, Rigid, Spatial, Sphere};
use elbowroom::{Mesh, Pose};
use glam::DVec3;

/// A mesh with a tree over its triangles.
pub(super) struct Grown<'a, V> {
    pub(super) mesh: &'a Mesh,
    pub(super) tree: Tree,
    /// By node.
    pub(super) volumes: Vec<V>,
    /// Bounds the sum of the magnitudes of any vertex's coordinates.
    reach: f64,
}

fn reach(mesh: &Mesh) -> f64 {
    let Aabb { min: low, max: high } = mesh.bounds();
    low.abs().max(high.abs()).element_sum()
}

impl<'a, V: Spatial> Grown<'a, V> {
    /// As configured; the family is the type's.
    pub(super) fn new(mesh: &'a Mesh, config: &Config) -> Self {
        let config = config.with_family(V::FAMILY);
        let (tree, column) = grow(&Triangles::new(mesh, &config));
        Self { mesh, tree, volumes: column.volumes().to_vec(), reach: reach(mesh) }
    }
}

impl<'a> Grown<'a, Sphere> {
    /// Balls over the tree that boxes along the axes make of the mesh. A ball has no longest axis
    /// to be cut across; one that is always cut across x would make slices, and an unfair
    /// comparison.
    pub(super) fn spheres(mesh: &'a Mesh, config: &Config) -> Self {
        let Grown { tree, .. } = Grown::<Aabb>::new(mesh, config);
        let column = Column::<Sphere>::fitted(&tree, &Triangles::new(mesh, config));
        Self { mesh, tree, volumes: column.volumes().to_vec(), reach: reach(mesh) }
    }
}

impl Grown<'_, Obb> {
    /// This tree over a scaled or shifted copy of the mesh, the boxes fitted again along the same
    /// axes: what growing it from nothing gives but for rounding, without the price of the hulls.
    pub(super) fn scaled<'b>(&self, mesh: &'b Mesh) -> Grown<'b, Obb> {
        let corners = |&triangle: &u32| mesh.triangle(triangle as usize);
        let fitted = |node: NodeId| {
            let points: Vec<DVec3> = self.tree.members(node).iter().flat_map(corners).collect();
            Obb::of_points(&points, self.volumes[node.index()].axes)
        };
        let volumes = self.tree.nodes().map(fitted).collect();
        Grown { mesh, tree: self.tree.clone(), volumes, reach: reach(mesh) }
    }
}

/// Tests of a traversal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    /// Pairs of volumes, `N_v`.
    pub(super) volumes: u64,
    /// Pairs of triangles, `N_p`.
    pub(super) primitives: u64,
}

impl Work {
    /// Both together.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            volumes: self.volumes + other.volumes,
            primitives: self.primitives + other.primitives,
        }
    }
}

/// What a query asks for when the second stands thus in the frame of the first.
pub(super) fn space<V: Spatial>(a: &Grown<V>, b: &Grown<V>, place_b: &Pose) -> Rigid {
    Rigid::new(&Pose::IDENTITY, a.reach, place_b, b.reach, 0.0)
}

/// How many tests a query for all contacts makes. Triangles are counted, not tested.
fn work<V: Meet + Spatial>(a: &Grown<V>, b: &Grown<V>, place_b: &Pose) -> Work {
    watch(a, b, &space(a, b, place_b), &mut Workspace::default(), |_, _| {}, |_, _| {})
}

/// The same; `tested` sees every pair of nodes that is tested, and `leaves` those leaves that may
/// meet.
pub(super) fn watch<V: Meet + Spatial>(
    a: &Grown<V>,
    b: &Grown<V>,
    space: &Rigid,
    workspace: &mut Workspace,
    tested: impl FnMut(NodeId, NodeId),
    leaves: impl FnMut(NodeId, NodeId),
) -> Work {
    let mut watch = Watch { a, b, space: space.into(), tested, leaves, work: Work::default() };
    // Nothing breaks the traversal.
    let _ = pair(&a.tree, &b.tree, Path::default(), &mut watch, workspace);
    watch.work
}

struct Watch<'a, V: Meet + Spatial, N, L> {
    a: &'a Grown<'a, V>,
    b: &'a Grown<'a, V>,
    space: V::Space,
    tested: N,
    leaves: L,
    work: Work,
}

impl<V: Meet + Spatial, N: FnMut(NodeId, NodeId), L: FnMut(NodeId, NodeId)> Judge
    for Watch<'_, V, N, L>
{
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        self.work.volumes += 1;
        (self.tested)(a, b);
        self.a.volumes[a.index()].may_meet(&self.b.volumes[b.index()], &self.space)
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.a.volumes[a.index()].reach() >= self.b.volumes[b.index()].reach()
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        let pairs = self.a.tree.members(a).len() * self.b.tree.members(b).len();
        self.work.primitives += pairs as u64;
        (self.leaves)(a, b);
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The mesh with every vertex moved.
pub(super) fn mapped(mesh: &Mesh, map: impl Fn(DVec3) -> DVec3) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&v| map(v)).collect();
    Mesh::new(vertices, mesh.triangles().to_vec()).expect("a moved mesh is a mesh")
}

/// How trees of each kind are grown, in the paper's way but for the volume; the first is the
/// paper's.
pub(super) const KINDS: [Kind; 4] = [
    Kind { name: "obb (hull)", family: Family::Obb, config: Config::obbtree() },
    Kind {
        name: "obb (surface)",
        family: Family::Obb,
        config: Config::obbtree().with_fit(Fit::Triangles),
    },
    Kind { name: "aabb", family: Family::Aabb, config: Config::obbtree() },
    Kind { name: "sphere", family: Family::Sphere, config: Config::obbtree() },
];

/// A kind of tree that is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) family: Family,
    pub(super) config: Config,
}

impl Kind {
    /// The work of queries between a mesh and scaled copies of it, each under every placement:
    /// `[copy][placement]`.
    pub(super) fn work(&self, mesh: &Mesh, copies: &[Mesh], places: &[Pose]) -> Vec<Vec<Work>> {
        let config = &self.config;
        match self.family {
            Family::Obb if config.fit == Fit::Hull => {
                let first = Grown::<Obb>::new(mesh, config);
                many(&first, |copy| first.scaled(copy), copies, places)
            }
            Family::Obb => {
                let grown = |mesh| Grown::<Obb>::new(mesh, config);
                many(&grown(mesh), grown, copies, places)
            }
            Family::Aabb => {
                let grown = |mesh| Grown::<Aabb>::new(mesh, config);
                many(&grown(mesh), grown, copies, places)
            }
            Family::Sphere => {
                let grown = |mesh| Grown::spheres(mesh, config);
                many(&grown(mesh), grown, copies, places)
            }
            other => unreachable!("{} trees are not compared here", other.name()),
        }
    }
}

fn many<'a, V: Meet + Spatial>(
    first: &Grown<V>,
    grown: impl Fn(&'a Mesh) -> Grown<'a, V>,
    copies: &'a [Mesh],
    places: &[Pose],
) -> Vec<Vec<Work>> {
    let each = |copy: &'a Mesh| {
        let second = grown(copy);
        places.iter().map(|place| work(first, &second, place)).collect()
    };
    copies.iter().map(each).collect()
}
