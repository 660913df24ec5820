//! What is measured of two bodies in one frame.

use std::sync::Arc;

use elbowroom::internal::model::MeshTopology;
use elbowroom::{Certainty, Mesh, MeshError, Model};
use glam::DVec3;

use super::cap::Caps;
use crate::scene::PenetrationSummary;

elbowroom::declare_error! {
    /// Why the vertices of a frame were refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct FrameError;

    /// What was wrong with the vertices of a frame.
    #[derive(Clone, Debug, PartialEq)]
    pub enum FrameErrorKind {
        /// There are not as many vertices as the mesh has.
        #[error("{found} vertices, and the mesh has {expected}: give as many in every frame")]
        Count {
            /// How many there are.
            found: usize,
            /// How many the mesh has.
            expected: usize,
        },
        /// A vertex is not finite.
        #[error("{cause}")]
        Mesh {
            /// What is wrong.
            cause: MeshError,
        },
    }
}

/// A body whose vertices move: its triangles, and what follows from them for all frames.
#[derive(Clone, Debug)]
pub struct Body {
    topology: Arc<MeshTopology>,
    vertices: usize,
    caps: Option<Caps>,
}

impl Body {
    /// A body as its mesh is. If the mesh has holes, answers about solids are estimates.
    pub fn new(mesh: &Mesh) -> Self {
        let vertices = mesh.vertices().len();
        Self { topology: Arc::new(MeshTopology::new(mesh.clone())), vertices, caps: None }
    }

    /// A body whose holes are closed in every frame, by a fan to the centroid of each.
    ///
    /// ```
    /// use elbowroom::Mesh;
    /// use elbowroom_motion::metrics::Body;
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let open = Mesh::new(corners.clone(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3]])?;
    /// let capped = Body::capped(&open).at(&corners)?;
    /// assert!(capped.solid_profile().certainty.is_exact());
    /// assert!(!Body::new(&open).at(&corners)?.solid_profile().certainty.is_exact());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn capped(mesh: &Mesh) -> Self {
        let caps = Caps::of(mesh);
        let mut points = mesh.vertices().to_vec();
        let mut triangles = mesh.triangles().to_vec();
        triangles.extend(caps.triangles(points.len()));
        caps.extend(&mut points);
        // Middles are finite, and fans name what is there.
        let closed = Mesh::new(points, triangles).unwrap_or_else(|_| mesh.clone());
        Self { caps: Some(caps), vertices: mesh.vertices().len(), ..Self::new(&closed) }
    }

    /// The holes that are closed; `None` if they were not to be closed.
    pub fn caps(&self) -> Option<&Caps> {
        self.caps.as_ref()
    }

    /// The number of vertices that each frame needs.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// The body in a frame.
    ///
    /// # Errors
    /// If there are not as many vertices as the mesh has, or one is not finite.
    pub fn at(&self, points: &[DVec3]) -> Result<Model, FrameError> {
        if points.len() != self.vertices {
            let (found, expected) = (points.len(), self.vertices);
            return Err(FrameErrorKind::Count { found, expected }.into());
        }
        let mut points = points.to_vec();
        if let Some(caps) = &self.caps {
            caps.extend(&mut points);
        }
        self.topology.model(points).map_err(|cause| FrameErrorKind::Mesh { cause }.into())
    }
}

/// What is measured of two bodies in one frame, in the unit of their vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairFrame {
    /// Whether the surfaces have a point in common.
    pub contact: bool,
    /// Whether the interiors of the solids meet; an estimate if a mesh is not closed.
    pub crossing: bool,
    /// Depth, volume and areas; all zero if the interiors do not meet.
    pub overlap: PenetrationSummary,
    /// The distance of the surfaces; `None` if they meet, or it was not asked for.
    pub distance: Option<f64>,
}

impl PairFrame {
    /// Whether both meshes are closed, so that nothing of it is an estimate.
    pub fn certainty(&self) -> Certainty {
        self.overlap.certainty
    }
}

/// Measures two bodies in one frame. The distance takes the longest where bodies are apart, and is
/// measured only if it is asked for.
///
/// ```
/// use elbowroom::{Mesh, Model};
/// use elbowroom_motion::metrics::measure;
/// use glam::DVec3;
///
/// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|corner| corner * 2.0);
/// let mesh = Mesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let beside = corners.iter().map(|corner| corner + DVec3::X).collect();
/// let frame = measure(&Model::new(mesh.clone()), &Model::new(mesh.with_vertices(beside)?), true);
/// assert!(frame.contact && frame.crossing && frame.distance.is_none());
/// // A corner of half the size.
/// assert!((frame.overlap.volume - 1.0 / 6.0).abs() < 1e-12);
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn measure(a: &Model, b: &Model, with_distance: bool) -> PairFrame {
    let contact = a.intersects(b);
    let depth = a.penetration(b);
    let mut frame = PairFrame { contact, crossing: depth.is_overlap, ..PairFrame::default() };
    if frame.crossing {
        frame.overlap = PenetrationSummary::new(&depth, &a.overlap(b));
    }
    frame.overlap.certainty = depth.certainty;
    if with_distance && !contact {
        frame.distance = Some(a.distance(b));
    }
    frame
}
