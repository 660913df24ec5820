//! What there is to know of one mesh as a solid, before anything is asked of it.

use std::cmp::Ordering;

use super::{Body, Certainty, Own};
use crate::internal::geom::Seams;
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;

/// A mesh as the boundary of a solid, after vertices that are equal bit for bit were merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SolidProfile {
    /// Whether answers about what it encloses are exact, and if not, why.
    pub certainty: Certainty,
    /// The counts of edges, which say how the triangles are connected.
    pub seams: Seams,
    /// The number of connected components of the surface, without triangles that have no area.
    pub components: usize,
    /// Facts about a closed mesh; `None` if the mesh is open.
    pub closed: Option<ClosedProfile>,
}

/// Facts about a closed mesh, as numbers of triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ClosedProfile {
    /// Triangles that meet another in more than the corner or edge that they share.
    pub meeting: usize,
    /// Of the others: triangles with the solid behind them and not before them, as it should be.
    pub boundary: usize,
    /// Of the others: triangles with the solid on neither side, because their component is wound
    /// inside out. There is no solid on either side.
    pub inside_out: usize,
    /// Of the others: triangles with the solid on both sides, as a component within another one
    /// that is wound alike.
    pub buried: usize,
}

/// What a model is as a solid. Worked out when it is first asked, and kept.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::Mesh;
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let mesh = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let profile = |mesh| query::profile(&Model::new(mesh), &mut Workspace::default());
/// assert_eq!(profile(mesh.clone()).closed.map(|closed| closed.boundary), Some(4));
/// assert_eq!(profile(mesh.turned_about()).closed.map(|closed| closed.inside_out), Some(4));
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn profile(model: &Model, _: &mut Workspace) -> SolidProfile {
    let (certainty, shell) = (Certainty::of(model), model.shell());
    let closed = certainty.is_exact().then(|| {
        let own = Own::new(&Body::new(model, &Pose::IDENTITY));
        // First of all whom they meet, so that patches are found whole.
        let meeting = shell.faces().filter(|&triangle| own.meets_others(triangle)).count();
        let mut closed = ClosedProfile { meeting, ..ClosedProfile::default() };
        for before in shell.faces().filter_map(|triangle| own.before(triangle)) {
            let count = match before.cmp(&0) {
                Ordering::Less => &mut closed.inside_out,
                Ordering::Equal => &mut closed.boundary,
                Ordering::Greater => &mut closed.buried,
            };
            *count += 1;
        }
        closed
    });
    SolidProfile { certainty, seams: *shell.seams(), components: shell.components(), closed }
}
