//! Floor 6: a mesh with its tree, what a user builds once and asks often.

mod deformable;
mod dipoles;
mod hulled;
pub mod runs;
mod sides;
mod topology;

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use crate::internal::arch::SimdLevel;
use crate::internal::bvh::{
    BuildConfig, Column, Config, Fault, NodeId, Packed, Stats, Tree, Triangles, grow, validate,
};
use crate::internal::geom::Shell;
use crate::internal::geom::mesh::{Mesh, MeshError};
use crate::internal::volume::{
    Aabb, Cylinder, Family, Kdop14, Kdop18, Kdop24, Kdop26, Obb, Spatial, Sphere,
};

pub use deformable::DeformableBvh;
use dipoles::Dipoles;
pub use hulled::Hulled;
pub use runs::Runs;
pub(crate) use sides::{Known, Partners, Seen, Sides, State};
pub use topology::MeshTopology;
use topology::{SURE, Shaped};

/// A mesh with its trees, ready for queries: build it once, query it often.
///
/// [`Model::new`] is for rigid meshes and builds a SIMD BVH of oriented boxes;
/// [`Model::deformable`] is for meshes whose vertices move. What only some queries need (the seams
/// of a solid, a convex hull) is computed at the first of them, and cached. A model is `Sync`: many
/// threads can query it at once.
///
/// ```
/// use elbowroom::{Mesh, Model};
/// use glam::DVec3;
///
/// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
/// assert!(model.intersects(&model));
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    mesh: Mesh,
    config: Config,
    grown: OnceLock<Grown>,
    packed: OnceLock<Option<Packed>>,
    bounds: Aabb,
    reach: f64,
    shell: OnceLock<Arc<Shell>>,
    sides: OnceLock<Arc<Sides>>,
    dipoles: OnceLock<Dipoles>,
    hulled: OnceLock<Option<Hulled>>,
    shaped: Option<Shaped>,
    is_deformable: bool,
    /// Boxes along the world's axes: of a deformable model always, of a rigid one if it was asked
    /// about beside one.
    deformable: OnceLock<Option<Box<DeformableBvh>>>,
}

/// The binary reference tree.
#[derive(Clone, Debug)]
pub struct Grown {
    pub tree: Tree,
    columns: Columns,
    pub runs: Runs,
}

/// The volumes of the binary tree, of any family.
#[derive(Clone, Debug)]
pub enum Columns {
    Sphere(Column<Sphere>),
    Aabb(Column<Aabb>),
    Obb(Column<Obb>),
    Kdop14(Column<Kdop14>),
    Kdop18(Column<Kdop18>),
    Kdop24(Column<Kdop24>),
    Kdop26(Column<Kdop26>),
    Cylinder(Column<Cylinder>),
}

/// Runs an expression with `$column` bound to the column, whatever its family.
#[doc(hidden)]
#[macro_export]
macro_rules! with_column {
    ($columns:expr, $column:ident => $body:expr) => {
        match $columns {
            $crate::internal::model::Columns::Sphere($column) => $body,
            $crate::internal::model::Columns::Aabb($column) => $body,
            $crate::internal::model::Columns::Obb($column) => $body,
            $crate::internal::model::Columns::Kdop14($column) => $body,
            $crate::internal::model::Columns::Kdop18($column) => $body,
            $crate::internal::model::Columns::Kdop24($column) => $body,
            $crate::internal::model::Columns::Kdop26($column) => $body,
            $crate::internal::model::Columns::Cylinder($column) => $body,
        }
    };
}
pub use with_column;

impl Grown {
    pub fn new(mesh: &Mesh, config: &Config) -> Self {
        let source = Triangles::new(mesh, config);
        macro_rules! grown {
            ($family:ident) => {{
                let (tree, column) = grow(&source);
                (tree, Columns::$family(column))
            }};
        }
        let (mut tree, columns) = match config.family {
            Family::Sphere => grown!(Sphere),
            Family::Aabb => grown!(Aabb),
            // Boxes of motions enclose no triangles: the oriented box is what they are in space.
            Family::Obb | Family::TimeBox | Family::TimeObb => grown!(Obb),
            Family::Kdop14 => grown!(Kdop14),
            Family::Kdop18 => grown!(Kdop18),
            Family::Kdop24 => grown!(Kdop24),
            Family::Kdop26 => grown!(Kdop26),
            Family::Cylinder => grown!(Cylinder),
        };
        let runs = Runs::new(mesh, &mut tree);
        Self { tree, columns, runs }
    }
}

impl Model {
    /// A rigid model: builds a SIMD BVH of oriented boxes. A mesh with coordinates beyond 2³⁰ is
    /// answered by a slower tree.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let triangle = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// assert_eq!(Model::new(triangle).mesh().triangles().len(), 1);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn new(mesh: Mesh) -> Self {
        let bounds = mesh.bounds();
        let (config, level) = (BuildConfig::default(), SimdLevel::best());
        let packed = Packed::build_between(&mesh, bounds, &config, level);
        Self::between(bounds, mesh, Config::default(), OnceLock::new(), OnceLock::from(packed))
    }

    /// A model with a binary tree as configured, and only that: its queries traverse this tree and
    /// count its tests.
    #[doc(hidden)]
    pub fn with_config(mesh: Mesh, config: &Config) -> Self {
        let grown = Grown::new(&mesh, config);
        Self::assemble(mesh, *config, OnceLock::from(grown), OnceLock::from(None))
    }

    /// A model with a binary tree as configured, and the SIMD tree packed from it.
    #[doc(hidden)]
    pub fn packed_from(mesh: Mesh, config: &Config) -> Self {
        let grown = Grown::new(&mesh, config);
        let packed = with_column!(
            &grown.columns,
            column => Packed::from_grown(&mesh, &grown.tree, column)
        );
        Self::assemble(mesh, *config, OnceLock::from(grown), OnceLock::from(packed))
    }

    /// A model with a packed tree that was built before (see [`Packed::from_bytes`]).
    ///
    /// # Panics
    /// If the tree has not as many triangles as the mesh, and so is of another one.
    #[doc(hidden)]
    pub fn from_packed(mesh: Mesh, packed: Packed) -> Self {
        assert_eq!(packed.ids.len(), mesh.triangles().len(), "the tree of another mesh");
        Self::assemble(mesh, Config::default(), OnceLock::new(), OnceLock::from(Some(packed)))
    }

    fn assemble(
        mesh: Mesh,
        config: Config,
        grown: OnceLock<Grown>,
        packed: OnceLock<Option<Packed>>,
    ) -> Self {
        Self::between(mesh.bounds(), mesh, config, grown, packed)
    }

    /// A rigid model of a mesh whose bounds are known, which saves a pass over all triangles.
    fn between(
        bounds: Aabb,
        mesh: Mesh,
        config: Config,
        grown: OnceLock<Grown>,
        packed: OnceLock<Option<Packed>>,
    ) -> Self {
        let reach = bounds.farthest();
        let (shell, sides, dipoles) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let (hulled, shaped, deformable) = (OnceLock::new(), None, OnceLock::new());
        let is_deformable = false;
        Self {
            mesh,
            config,
            grown,
            packed,
            bounds,
            reach,
            shell,
            sides,
            dipoles,
            hulled,
            shaped,
            is_deformable,
            deformable,
        }
    }

    /// A model of a deforming mesh, such as cloth or a skinned character: [`refit`](Self::refit)
    /// moves the vertices.
    ///
    /// Queries between a deformable model and another one, both at the origin, run on trees of
    /// axis-aligned boxes that are refitted in microseconds. At another pose, and for distances, a
    /// tree of oriented boxes is built at the first query after each refit. The answers are the
    /// same.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let sheet = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
    /// let floor = Model::new(Mesh::new(sheet.clone(), vec![[0, 1, 2], [1, 3, 2]])?);
    /// let mut cloth = Model::deformable(floor.mesh().clone());
    /// assert!(cloth.intersects(&floor));
    /// cloth.refit(&sheet.iter().map(|p| p + 0.1 * DVec3::Z).collect::<Vec<_>>())?;
    /// assert!(!cloth.intersects(&floor));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn deformable(mesh: Mesh) -> Self {
        let shaped = Shaped::new(Arc::new(MeshTopology::new(mesh.clone())));
        let config = Config::default();
        let boxes = shaped.deformable(&mesh).map(Box::new);
        let mut model = Self::assemble(mesh, config, OnceLock::new(), OnceLock::new());
        model.shaped = Some(shaped);
        model.deformable = OnceLock::from(boxes);
        model.is_deformable = true;
        model
    }

    /// Moves the vertices of a [deformable](Self::deformable) model.
    ///
    /// # Errors
    /// If the model is rigid, if the number of vertices is not that of the mesh, or if a coordinate
    /// is not finite. Then nothing has changed.
    pub fn refit(&mut self, vertices: &[DVec3]) -> Result<(), RefitError> {
        let Some(shaped) = self.shaped.as_ref().filter(|_| self.is_deformable) else {
            return Err(RefitErrorKind::Rigid.into());
        };
        let renewed = shaped.renewed();
        self.mesh.move_vertices(vertices).map_err(|cause| RefitErrorKind::Vertices { cause })?;
        if let Some(Some(boxes)) = self.deformable.get_mut() {
            boxes.refit(vertices).map_err(|cause| RefitErrorKind::Vertices { cause })?;
        }
        self.bounds = self.mesh.bounds();
        self.reach = self.bounds.farthest();
        self.shaped = Some(renewed);
        self.grown = OnceLock::new();
        self.packed = OnceLock::new();
        self.shell = OnceLock::new();
        self.sides = OnceLock::new();
        self.dipoles = OnceLock::new();
        self.hulled = OnceLock::new();
        Ok(())
    }

    /// Whether the vertices may move.
    pub fn is_deformable(&self) -> bool {
        self.is_deformable
    }

    /// Axis-aligned boxes in the model's own frame. `None` if there are more triangles than they
    /// hold.
    pub(crate) fn deformable_bvh(&self) -> Option<&DeformableBvh> {
        let made = || match &self.shaped {
            Some(shaped) => shaped.deformable(&self.mesh),
            None => DeformableBvh::new(&self.mesh).ok(),
        };
        self.deformable.get_or_init(|| made().map(Box::new)).as_deref()
    }

    fn grown(&self) -> &Grown {
        self.grown.get_or_init(|| Grown::new(&self.mesh, &self.config))
    }

    /// The SIMD tree that queries run on; `None` if the model has only the binary one.
    #[doc(hidden)]
    pub fn packed(&self) -> Option<&Packed> {
        self.packed.get_or_init(|| Packed::build(&self.mesh)).as_ref()
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The configuration of the binary tree.
    #[doc(hidden)]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The topology of the binary tree.
    #[doc(hidden)]
    pub fn tree(&self) -> &Tree {
        &self.grown().tree
    }

    /// Statistics of the binary tree.
    #[doc(hidden)]
    pub fn stats(&self) -> Stats {
        let Grown { tree, columns, .. } = self.grown();
        Stats::of(tree, with_column!(columns, column => volume_bytes(column)))
    }

    /// Checks the invariants of the binary tree.
    ///
    /// # Errors
    /// The first fault.
    #[doc(hidden)]
    pub fn validate(&self) -> Result<(), Fault> {
        let source = Triangles::new(&self.mesh, &self.config);
        let Grown { tree, columns, .. } = self.grown();
        with_column!(columns, column => validate(tree, column, &source))
    }

    #[doc(hidden)]
    pub fn columns(&self) -> &Columns {
        &self.grown().columns
    }

    #[doc(hidden)]
    pub fn runs(&self) -> &Runs {
        &self.grown().runs
    }

    /// The surface with equal vertices merged, for queries about solids; computed at the first call
    /// and cached.
    #[doc(hidden)]
    pub fn shell(&self) -> &Shell {
        self.shell.get_or_init(|| match &self.shaped {
            Some(shaped) => shaped.shell(&self.mesh),
            None => Arc::new(Shell::new(&self.mesh)),
        })
    }

    /// The convex hull, and whether the mesh is convex; computed at the first call and cached.
    /// `None` if there are no triangles.
    #[doc(hidden)]
    pub fn hulled(&self) -> Option<&Hulled> {
        self.hulled.get_or_init(|| Hulled::new(self)).as_ref()
    }

    /// Which sides of the triangles are within, as far as queries have asked.
    pub(crate) fn sides(&self) -> &Sides {
        self.sides.get_or_init(|| Arc::new(Sides::new(&self.shell().flat)))
    }

    /// Of how many triangles it has been worked out where they meet others of the mesh: the solids'
    /// questions ask only about those that matter.
    #[doc(hidden)]
    pub fn self_examined(&self) -> usize {
        self.sides.get().map_or(0, |sides| sides.examined())
    }

    /// Whether it was made from a pattern, and so is likely asked few questions before the next one
    /// is made.
    pub(crate) fn is_shaped(&self) -> bool {
        self.shaped.is_some()
    }

    /// Whether the surface covers more than half of the directions from a point in the model's
    /// frame, seen from inside. `None` if a quick test is not sure.
    pub(crate) fn is_surely_around(&self, point: DVec3, stack: &mut Vec<NodeId>) -> Option<bool> {
        let about = self.shaped.as_ref()?.winding(&self.mesh, point, stack);
        (about.is_finite() && (about - 0.5).abs() > SURE).then_some(about > 0.5)
    }

    /// How much of the view from a point, in the model's frame, the surface takes up, as seen from
    /// inside.
    pub(crate) fn view(&self, point: DVec3, stack: &mut Vec<NodeId>) -> f64 {
        self.dipoles().winding(&self.mesh, self.tree(), point, stack)
    }

    /// What the surface looks like from afar.
    fn dipoles(&self) -> &Dipoles {
        self.dipoles.get_or_init(|| Dipoles::new(&self.mesh, self.tree()))
    }

    /// The mesh's [`bounds`](Mesh::bounds), which are asked for at every point.
    pub(crate) fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// A bound of the sum of the magnitudes of any vertex's coordinates.
    #[doc(hidden)]
    pub fn reach(&self) -> f64 {
        self.reach
    }
}

fn volume_bytes<V: Spatial>(_: &Column<V>) -> usize {
    size_of::<V>()
}

crate::declare_error! {
    /// Why the vertices of a model were not moved.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RefitError;

    /// What was wrong with a refit.
    #[derive(Clone, Debug, PartialEq)]
    pub enum RefitErrorKind {
        /// The model is rigid.
        #[error("the model is rigid: build it with Model::deformable to move its vertices")]
        Rigid,
        /// The new vertices are not as many as those of the mesh, or not finite.
        #[error("{cause}")]
        Vertices {
            /// What is wrong with them.
            cause: MeshError,
        },
    }
}
