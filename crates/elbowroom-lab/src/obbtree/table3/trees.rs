//! What each kind of tree does along a path: counts, and the truth beside them.

use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::exact::{PlacedTriangle, relate};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::{Aabb, Meet, Obb, Spatial, Sphere};
use elbowroom::{Mesh, Pose, Relation};
use elbowroom_testkit::brute::{Soup, all_pairs};
use elbowroom_testkit::oracle::PlainPose;
use glam::{DMat3, DVec3};

use crate::obbtree::grown::{Grown, KINDS, Work, mapped, space, watch};
use crate::random::Random;

/// The kinds of trees that are compared.
pub(in crate::obbtree) const NAMES: [&str; 4] = ["obb", "aabb", "aabb, askew", "sphere"];
pub(in crate::obbtree) const OBB: usize = 0;
pub(in crate::obbtree) const AABB: usize = 1;
pub(in crate::obbtree) const ASKEW: usize = 2;
pub(in crate::obbtree) const SPHERE: usize = 3;

/// Answers queries for all contacts at a pose.
pub(in crate::obbtree) trait Asks {
    /// The pairs of triangles that meet, in order, and the tests that it took.
    fn ask(&mut self, place: &Pose, pairs: &mut Vec<(u32, u32)>) -> Work;
}

/// The trees of two meshes.
pub(in crate::obbtree) struct Trees<'a, V> {
    pub(in crate::obbtree) a: Grown<'a, V>,
    pub(in crate::obbtree) b: Grown<'a, V>,
    workspace: Workspace,
}

impl<'a> Trees<'a, Obb> {
    /// Grown as the paper says, with hulls.
    pub(in crate::obbtree) fn obb(a: &'a Mesh, b: &'a Mesh) -> Self {
        let grow = |mesh| Grown::new(mesh, &KINDS[0].config);
        Self { a: grow(a), b: grow(b), workspace: Workspace::default() }
    }
}

impl<'a> Trees<'a, Obb> {
    /// Trees where the second mesh is the first at another size and place.
    pub(in crate::obbtree) fn obb_copied(a: &'a Mesh, b: &'a Mesh) -> Self {
        let a = Grown::new(a, &KINDS[0].config);
        Self { b: a.scaled(b), a, workspace: Workspace::default() }
    }
}

impl<'a> Trees<'a, Aabb> {
    /// Trees with boxes along the axes.
    pub(in crate::obbtree) fn aabb(a: &'a Mesh, b: &'a Mesh) -> Self {
        let grow = |mesh| Grown::new(mesh, &KINDS[2].config);
        Self { a: grow(a), b: grow(b), workspace: Workspace::default() }
    }
}

impl<'a> Trees<'a, Sphere> {
    /// Balls over the tree of the boxes along the axes.
    pub(in crate::obbtree) fn sphere(a: &'a Mesh, b: &'a Mesh) -> Self {
        let grow = |mesh| Grown::spheres(mesh, &KINDS[3].config);
        Self { a: grow(a), b: grow(b), workspace: Workspace::default() }
    }
}

impl<V: Meet + Spatial> Asks for Trees<'_, V> {
    fn ask(&mut self, place: &Pose, pairs: &mut Vec<(u32, u32)>) -> Work {
        pairs.clear();
        let Self { a, b, workspace } = self;
        let leaves = |i: NodeId, j: NodeId| {
            for &i in a.tree.members(i) {
                let first = PlacedTriangle::new(&Pose::IDENTITY, a.mesh.triangle(i as usize));
                for &j in b.tree.members(j) {
                    let second = PlacedTriangle::new(place, b.mesh.triangle(j as usize));
                    if relate(&first, &second) != Relation::Apart {
                        pairs.push((i, j));
                    }
                }
            }
        };
        let work = watch(a, b, &space(a, b, place), workspace, |_, _| {}, leaves);
        pairs.sort_unstable();
        work
    }
}

/// Two meshes that are turned in their own frames, so that none of their axes is one that they were
/// drawn along.
pub(in crate::obbtree) struct Askew {
    turn: DMat3,
    a: Mesh,
    b: Mesh,
}

impl Askew {
    pub(in crate::obbtree) fn new(a: &Mesh, b: &Mesh) -> Self {
        let turn = Random::new(3).rotation();
        let [a, b] = [a, b].map(|mesh| mapped(mesh, |v| turn * v));
        Self { turn, a, b }
    }

    /// Trees of boxes along their axes. Their answers are those of the meshes as they were but for
    /// the rounding of corners.
    pub(in crate::obbtree) fn trees(&self) -> AskewTrees<'_> {
        AskewTrees { turn: self.turn, trees: Trees::aabb(&self.a, &self.b) }
    }
}

/// Trees of meshes that are turned in their own frames.
pub(in crate::obbtree) struct AskewTrees<'a> {
    turn: DMat3,
    trees: Trees<'a, Aabb>,
}

impl Asks for AskewTrees<'_> {
    fn ask(&mut self, place: &Pose, pairs: &mut Vec<(u32, u32)>) -> Work {
        let rotation = self.turn * place.rotation() * self.turn.transpose();
        let place = Pose::new(rotation, self.turn * place.translation());
        self.trees.ask(&place.expect("a rotation"), pairs)
    }
}

/// Which triangles meet, by rational arithmetic on all of them but those of the first mesh that are
/// outside of a box around all of the second.
pub(in crate::obbtree) fn truth(a: &Mesh, b: &Mesh, place: &Pose) -> Vec<(u32, u32)> {
    let placed = || b.vertices().iter().map(|&v| place.apply(v));
    // Far more than placing a point can round.
    let room = DVec3::splat(1e-6);
    let low = placed().fold(DVec3::INFINITY, DVec3::min) - room;
    let high = placed().fold(DVec3::NEG_INFINITY, DVec3::max) + room;
    let near = |&i: &usize| {
        let [p, q, r] = a.triangle(i);
        p.min(q).min(r).cmple(high).all() && p.max(q).max(r).cmpge(low).all()
    };
    let kept: Vec<usize> = (0..a.triangles().len()).filter(near).collect();
    let corners = |mesh: &Mesh, i: usize| mesh.triangle(i).map(|corner| corner.to_array());
    let some: Vec<_> = kept.iter().map(|&i| corners(a, i)).collect();
    let all: Vec<_> = (0..b.triangles().len()).map(|i| corners(b, i)).collect();
    let pose = PlainPose {
        r: place.rotation().transpose().to_cols_array_2d(),
        t: place.translation().to_array(),
    };
    let [some, all] = [some, all].map(|triangles| Soup::from_triangles(&triangles));
    let pairs = all_pairs(&some, &PlainPose::IDENTITY, &all, &pose);
    pairs.into_iter().map(|(i, j, _)| (kept[i as usize] as u32, j)).collect()
}
