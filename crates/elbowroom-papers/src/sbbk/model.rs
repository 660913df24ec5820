//! A mesh whose tree has layers and follows it when it deforms.
//!
//! The topology is grown once, from the first vertices; a refit moves the vertices and refits every
//! volume. So triangles that have wandered apart stay in one node, and queries get slower, never
//! wrong, the farther a mesh is from the shape it was built in.

use std::collections::HashSet;

use glam::DVec3;

use crate::grammar::{Front, Intersection, LevelBound, Levels, Path, Rule};
use crate::sbbk::LayeredTree;
use crate::sbbk::collide_layered;
use crate::sbbk::{LayerColumns, LayerPlace, Layers, by_column, collide_layered_again};
use elbowroom::Pose;
use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::bvh::{Config, Fault, Tree};
use elbowroom::internal::geom::mesh::{Mesh, MeshError};
use elbowroom::internal::model::Grown;
use elbowroom::internal::model::runs::Runs;
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::{Aabb, Fit, Spatial, Volume};

/// A mesh with one tree and a family for each of its levels, which can be refitted to moved
/// vertices.
///
/// ```
/// use elbowroom_papers::sbbk::HybridTree;
/// use elbowroom_papers::sbbk::intersects_layered;
/// use elbowroom_papers::sbbk::Layers;
/// use elbowroom::internal::bvh::Config;
/// use elbowroom::{Mesh, Pose};
/// use glam::DVec3;
///
/// let sheet = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
/// let mesh = Mesh::new(sheet.clone(), vec![[0, 1, 2], [1, 3, 2]])?;
/// let layering = Layers::sbbk(18, 1, 2)?;
/// let still = HybridTree::new(mesh, &layering, &Config::default());
/// let mut cloth = still.clone();
/// let here = Pose::IDENTITY;
///
/// // One corner is lifted, and then all are.
/// cloth.refit(&[sheet[0], sheet[1], sheet[2], DVec3::ONE])?;
/// assert!(intersects_layered(&still, &here, &cloth, &here));
/// let lifted: Vec<DVec3> = sheet.iter().map(|&p| p + DVec3::Z).collect();
/// cloth.refit(&lifted)?;
/// assert!(!intersects_layered(&still, &here, &cloth, &here));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HybridTree {
    mesh: Mesh,
    tree: Tree,
    /// How oriented boxes find their axes, in whatever layers.
    fit: Fit,
    /// How two are descended.
    rule: Rule,
    layers: LayerColumns,
    /// Copies of one triangle as the mesh was built, and whether they still are.
    runs: Runs,
    copies_hold: bool,
    /// The vertices that triangles name, where some are not named by any.
    used: Option<Vec<u32>>,
    bounds: Aabb,
    reach: f64,
}

/// No copies.
static NO_RUNS: Runs = Runs::none();

impl HybridTree {
    /// Grows the topology as configured (the configuration's family is the one that groups are cut
    /// by) and puts the layers' volumes over it.
    pub fn new(mesh: Mesh, layering: &Layers, config: &Config) -> Self {
        let Grown { tree, runs, .. } = Grown::new(&mesh, config);
        Self::over(mesh, layering, config.fit, tree, runs)
    }

    fn over(mesh: Mesh, layering: &Layers, fit: Fit, tree: Tree, runs: Runs) -> Self {
        let used = used_vertices(&mesh);
        let bounds = bounds(&mesh, used.as_deref());
        let layers = LayerColumns::new(layering, &tree, &mesh, fit, bounds.farthest());
        let reach = bounds.farthest().max(layers.farthest());
        let rule = Rule::Larger;
        Self { mesh, tree, fit, rule, layers, runs, copies_hold: true, used, bounds, reach }
    }

    /// A model of the same mesh and topology with other layers.
    #[must_use]
    pub fn with_layering(&self, layering: &Layers) -> Self {
        let Self { mesh, tree, .. } = self.clone();
        let mut same = Self::over(mesh, layering, self.fit, tree, self.runs.clone());
        same.copies_hold = self.copies_hold;
        same.rule = self.rule;
        same
    }

    /// The tree with another rule of traversal.
    #[must_use]
    pub fn with_rule(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// Moves the vertices and refits the volumes. A warm refit allocates nothing, unless a layer of
    /// oriented boxes ends above the leaves or a leaf has several triangles in such a layer.
    ///
    /// # Errors
    /// If there are not as many vertices as the mesh has, or one is not finite; then nothing has
    /// changed.
    pub fn refit(&mut self, vertices: &[DVec3]) -> Result<(), MeshError> {
        self.refit_on(vertices, SimdLevel::best())
    }

    /// Moves the vertices and refits the volumes on an instruction set up to a level. All levels
    /// give the same bits.
    ///
    /// # Errors
    /// See [`refit`](Self::refit).
    pub fn refit_on(&mut self, vertices: &[DVec3], level: SimdLevel) -> Result<(), MeshError> {
        self.mesh.move_vertices(vertices)?;
        self.bounds = bounds(&self.mesh, self.used.as_deref());
        let reach = self.bounds.farthest();
        self.layers.refit(&self.mesh, reach, level);
        self.reach = reach.max(self.layers.farthest());
        self.copies_hold = self.runs.hold(&self.mesh, &self.tree);
        Ok(())
    }

    /// The mesh, with its vertices where they are now.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The topology.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The volumes.
    pub fn layers(&self) -> &LayerColumns {
        &self.layers
    }

    /// The family of volumes of each level.
    pub fn layering(&self) -> &Layers {
        self.layers.layering()
    }

    /// The smallest box along the axes around the triangles where they are now: what a broad phase
    /// needs.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Every pair of triangles of two placed trees that meet, with the counts of the traversal by
    /// family. [`Coherent`](crate::sbbk::Coherent) keeps the front between frames.
    ///
    /// ```
    /// use elbowroom::Pose;
    /// use elbowroom_papers::grammar::{Config, Family};
    /// use elbowroom_papers::sbbk::{HybridTree, Layers};
    /// use glam::DVec3;
    ///
    /// let layers = Layers::sbbk(18, 1, 4)?;
    /// let ball = HybridTree::new(elbowroom_make::icosphere(4), &layers, &Config::default());
    /// let beside = Pose::from_translation(DVec3::X * 1.9)?;
    /// let found = ball.intersect(&Pose::IDENTITY, &ball, &beside);
    /// assert!(found.is_contact() && found.tally.of_family(Family::Kdop18) > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn intersect(&self, pose: &Pose, other: &Self, other_pose: &Pose) -> Intersection {
        let path = Path { rule: self.rule, level: None };
        self.intersect_by(path, pose, other, other_pose)
    }

    /// Asks as [`intersect`](Self::intersect) does, by a rule of traversal and down to a level.
    pub fn intersect_by(
        &self,
        path: Path,
        pose: &Pose,
        other: &Self,
        other_pose: &Pose,
    ) -> Intersection {
        let mut workspace = Workspace::default();
        collide_layered(self, pose, other, other_pose, &path.into(), &mut workspace).into()
    }

    /// Asks as [`intersect`](Self::intersect) does, from where the last question about the two
    /// stopped, and remembers where this one does. Give each pair of trees, in each order, a
    /// [`Front`] of its own: the default one is raised where objects part;
    /// [`Front::without_raising`] is the paper's, which only grows.
    ///
    /// ```
    /// use elbowroom::Pose;
    /// use elbowroom_papers::grammar::Front;
    /// use elbowroom_papers::sbbk::{Config, HybridTree};
    /// use glam::DVec3;
    ///
    /// let ball = HybridTree::build(elbowroom_make::icosphere(6), &Config::paper());
    /// let (mut front, mut last) = (Front::default(), 0);
    /// for step in 0..8 {
    ///     let falling = Pose::from_translation(DVec3::Y * (2.02 - 0.01 * f64::from(step)))?;
    ///     let from_root = ball.intersect(&falling, &ball, &Pose::IDENTITY);
    ///     let found = ball.intersect_from(&mut front, &falling, &ball, &Pose::IDENTITY);
    ///     assert_eq!(found.pairs, from_root.pairs);
    ///     last = found.pairs.len();
    /// }
    /// assert!(last > 0 && front.len() > 1);
    /// # Ok::<(), elbowroom::PoseError>(())
    /// ```
    pub fn intersect_from(
        &self,
        front: &mut Front,
        pose: &Pose,
        other: &Self,
        other_pose: &Pose,
    ) -> Intersection {
        let path = Path { rule: self.rule, level: None };
        let (request, mut workspace) = (path.into(), Workspace::default());
        collide_layered_again(self, pose, other, other_pose, &request, front, &mut workspace).into()
    }

    /// The volumes node by node, to be listed and drawn.
    pub fn levels(&self) -> Levels {
        Levels::of(&self.tree, |node| {
            let LayerPlace { layer, slot } = self.layers.place(node);
            let column = &self.layers.columns()[layer as usize];
            Some(by_column!(column, volumes => LevelBound::of(&volumes.as_slice()[slot as usize])))
        })
    }

    /// Checks that every volume encloses what is below it, and that the topology is sound.
    ///
    /// # Errors
    /// The first fault.
    pub fn validate(&self) -> Result<(), Fault> {
        elbowroom::internal::bvh::check_topology(&self.tree, self.mesh.triangles().len())?;
        for node in self.tree.nodes() {
            let is_out = |&&i: &&u32| !self.layers.contains(node, &self.mesh.triangle(i as usize));
            if let Some(&primitive) = self.tree.members(node).iter().find(is_out) {
                return Err(Fault::Outside { node, primitive });
            }
        }
        Ok(())
    }

    /// The topology with its volumes, as traversals take it.
    pub fn layered_tree(&self) -> LayeredTree<'_> {
        LayeredTree { tree: &self.tree, layers: &self.layers }
    }

    pub(crate) fn runs(&self) -> &Runs {
        if self.copies_hold { &self.runs } else { &NO_RUNS }
    }

    /// Bounds the sum of the coordinates' magnitudes of all vertices and volumes.
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }
}

fn used_vertices(mesh: &Mesh) -> Option<Vec<u32>> {
    let named: HashSet<u32> = mesh.triangles().iter().flatten().copied().collect();
    if named.len() == mesh.vertices().len() {
        return None;
    }
    let mut used: Vec<u32> = named.into_iter().collect();
    used.sort_unstable();
    Some(used)
}

/// The box of the triangles; of four parts of it side by side, so that none has to wait for
/// another.
fn bounds(mesh: &Mesh, used: Option<&[u32]>) -> Aabb {
    let grown = |bounds: Aabb, p: DVec3| Aabb { min: bounds.min.min(p), max: bounds.max.max(p) };
    let empty = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
    if let Some(used) = used {
        return used.iter().map(|&i| mesh.vertices()[i as usize]).fold(empty, grown);
    }
    let (fours, rest) = mesh.vertices().as_chunks::<4>();
    let mut boxes = [empty; 4];
    for four in fours {
        for (bounds, &point) in boxes.iter_mut().zip(four) {
            *bounds = grown(*bounds, point);
        }
    }
    let whole = rest.iter().copied().fold(empty, grown);
    boxes.into_iter().fold(whole, |all, four| all.merged(&four))
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::internal::volume::Family;

    #[test]
    fn other_layers_are_fitted_as_the_first_were() {
        let mesh = elbowroom_make::bumpy_sphere(6, 0.3, 5);
        let [aabb, obb] = [Family::Aabb, Family::Obb].map(|family| Layers::single(family).unwrap());
        let areas = |tree: &HybridTree| {
            let column = &tree.layers().columns()[0];
            let areas = tree.tree().nodes().map(|node| column.area(tree.layers().place(node).slot));
            areas.collect::<Vec<f64>>()
        };
        let by_fit = [Fit::Vertices, Fit::Hull].map(|fit| {
            let config = Config::default().with_fit(fit);
            let fitted = areas(&HybridTree::new(mesh.clone(), &obb, &config));
            let later = HybridTree::new(mesh.clone(), &aabb, &config).with_layering(&obb);
            assert_eq!(areas(&later), fitted);
            fitted
        });
        // Otherwise nothing was asked.
        assert_ne!(by_fit[0], by_fit[1]);
    }
}
