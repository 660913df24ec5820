//! Floor 6: a mesh with its tree, what a user builds once and asks often.

mod runs;

use crate::geom::mesh::Mesh;
use crate::tree::{Column, Config, Fault, Stats, Tree, Triangles, grow, validate};
use crate::volume::{Aabb, Cylinder, Family, Kdop14, Kdop18, Kdop24, Kdop26, Obb, Spatial, Sphere};

pub use runs::Runs;

/// A mesh and a tree over its triangles.
///
/// ```
/// use elbowroom::{Mesh, Model};
/// use glam::DVec3;
///
/// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
/// let model = Model::new(mesh);
/// assert_eq!(model.stats().nodes, 1);
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    mesh: Mesh,
    config: Config,
    tree: Tree,
    columns: Columns,
    runs: Runs,
    reach: f64,
}

/// A column of any family.
#[derive(Clone, Debug)]
pub(crate) enum Columns {
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
macro_rules! with_column {
    ($columns:expr, $column:ident => $body:expr) => {
        match $columns {
            $crate::model::Columns::Sphere($column) => $body,
            $crate::model::Columns::Aabb($column) => $body,
            $crate::model::Columns::Obb($column) => $body,
            $crate::model::Columns::Kdop14($column) => $body,
            $crate::model::Columns::Kdop18($column) => $body,
            $crate::model::Columns::Kdop24($column) => $body,
            $crate::model::Columns::Kdop26($column) => $body,
            $crate::model::Columns::Cylinder($column) => $body,
        }
    };
}
pub(crate) use with_column;

impl Model {
    /// With the default tree of oriented boxes.
    pub fn new(mesh: Mesh) -> Self {
        Self::with_config(mesh, &Config::default())
    }

    /// With a tree as configured.
    pub fn with_config(mesh: Mesh, config: &Config) -> Self {
        let source = Triangles::new(&mesh, config);
        macro_rules! grown {
            ($family:ident) => {{
                let (tree, column) = grow(&source);
                (tree, Columns::$family(column))
            }};
        }
        let (mut tree, columns) = match config.family {
            Family::Sphere => grown!(Sphere),
            Family::Aabb => grown!(Aabb),
            Family::Obb => grown!(Obb),
            Family::Kdop14 => grown!(Kdop14),
            Family::Kdop18 => grown!(Kdop18),
            Family::Kdop24 => grown!(Kdop24),
            Family::Kdop26 => grown!(Kdop26),
            Family::Cylinder => grown!(Cylinder),
        };
        let runs = Runs::new(&mesh, &mut tree);
        let (low, high) = mesh.bounds();
        let reach = low.abs().max(high.abs()).element_sum();
        Self { config: *config, tree, columns, runs, reach, mesh }
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// How the tree was grown.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The tree's topology.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The tree's shape in numbers.
    pub fn stats(&self) -> Stats {
        Stats::of(&self.tree, with_column!(&self.columns, column => volume_bytes(column)))
    }

    /// Checks that the tree keeps what it promises.
    ///
    /// # Errors
    /// The first fault.
    pub fn validate(&self) -> Result<(), Fault> {
        let source = Triangles::new(&self.mesh, &self.config);
        with_column!(&self.columns, column => validate(&self.tree, column, &source))
    }

    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    pub(crate) fn runs(&self) -> &Runs {
        &self.runs
    }

    /// Bounds the sum of the magnitudes of any vertex's coordinates.
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }
}

fn volume_bytes<V: Spatial>(_: &Column<V>) -> usize {
    size_of::<V>()
}
