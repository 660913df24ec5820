//! Which volumes of a tree are drawn, and as what.

use elbowroom::Mesh;
use elbowroom::internal::bvh::{Column, Config, NodeId, Tree, Triangles, grow};
use elbowroom::internal::volume::{Aabb, Family, Fit, Kdop, Obb, Spatial, Sphere};
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::LayerColumn;

use super::canvas::Color;
use super::hull::Hull;
use super::ink;
use super::stage::{Shape, Tint};

/// What can be drawn.
pub(super) trait Drawn: Spatial {
    fn shape(&self) -> Shape;
}

impl Drawn for Sphere {
    fn shape(&self) -> Shape {
        Shape::Ball(*self)
    }
}

impl Drawn for Aabb {
    fn shape(&self) -> Shape {
        Shape::Hull(Hull::of_aligned(self))
    }
}

impl Drawn for Obb {
    fn shape(&self) -> Shape {
        Shape::Hull(Hull::of_box(self))
    }
}

impl<const N: usize> Drawn for Kdop<N>
where
    Self: Spatial,
{
    fn shape(&self) -> Shape {
        Shape::Hull(Hull::of_kdop(self))
    }
}

/// Of a family, everywhere the same.
pub(super) fn color(family: Family) -> Color {
    match family {
        Family::Sphere => ink::SPHERE,
        Family::Aabb => ink::AABB,
        Family::Obb | Family::TimeObb => ink::OBB,
        Family::Cylinder => ink::CYLINDER,
        Family::TimeBox => ink::TIME,
        _ => ink::KDOP,
    }
}

/// The nodes of a level, and leaves that end above it.
pub(super) fn nodes(tree: &Tree, wanted: u32) -> impl Iterator<Item = NodeId> + '_ {
    tree.nodes().filter(move |&node| {
        let level = tree.level(node);
        level == wanted || level < wanted && tree.is_leaf(node)
    })
}

/// A mesh under a tree of one family, as the OBB tree's paper cuts it, with boxes fitted to the
/// triangles' area.
pub(super) struct Grown<V> {
    tree: Tree,
    column: Column<V>,
}

impl<V: Drawn> Grown<V> {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let config = Config::obbtree().with_fit(Fit::Triangles).with_family(V::FAMILY);
        let (tree, column) = grow(&Triangles::new(mesh, &config));
        Self { tree, column }
    }

    /// The shapes of a level.
    pub(super) fn level(&self, wanted: u32) -> Vec<Shape> {
        nodes(&self.tree, wanted).map(|node| self.column[node].shape()).collect()
    }
}

impl Grown<Sphere> {
    /// Balls have no longest axis to be cut across, so they go over the tree of boxes along the
    /// axes.
    pub(super) fn over(boxes: &Grown<Aabb>, mesh: &Mesh) -> Self {
        let tree = boxes.tree.clone();
        let column = Column::fitted(&tree, &Triangles::new(mesh, &Config::obbtree()));
        Self { tree, column }
    }
}

/// The volume of a node of a layered tree, and its family.
pub(super) fn layered(model: &HybridTree, node: NodeId) -> (Shape, Family) {
    fn of<V: Drawn>(volumes: &[V], slot: u32) -> Shape {
        volumes[slot as usize].shape()
    }
    let place = model.layers().place(node);
    let column = &model.layers().columns()[place.layer as usize];
    let shape = match column {
        LayerColumn::Sphere(volumes) => of(volumes.as_slice(), place.slot),
        LayerColumn::Aabb(volumes) => of(volumes.as_slice(), place.slot),
        LayerColumn::Obb(volumes) => of(volumes.as_slice(), place.slot),
        LayerColumn::Kdop14(volumes) => of(volumes.as_slice(), place.slot),
        LayerColumn::Kdop18(volumes) => of(volumes.as_slice(), place.slot),
        LayerColumn::Kdop24(volumes) => of(volumes.as_slice(), place.slot),
        LayerColumn::Kdop26(volumes) => of(volumes.as_slice(), place.slot),
    };
    (shape, column.family())
}

/// All in one tint.
pub(super) fn tinted(shapes: Vec<Shape>, tint: Tint) -> Vec<(Shape, Tint)> {
    shapes.into_iter().map(|shape| (shape, tint)).collect()
}
