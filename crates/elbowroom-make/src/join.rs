//! Several meshes as one.

use elbowroom::Mesh;

/// The triangles of all meshes in one soup, in the order given; nothing is welded or cut.
///
/// # Panics
/// If there is no mesh, or u32 cannot number the vertices of all together.
pub fn join(meshes: &[Mesh]) -> Mesh {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for mesh in meshes {
        let end = vertices.len() + mesh.vertices().len();
        assert!(u32::try_from(end).is_ok(), "{end} vertices are too many for one mesh");
        let first = vertices.len() as u32;
        vertices.extend_from_slice(mesh.vertices());
        triangles.extend(mesh.triangles().iter().map(|t| t.map(|corner| first + corner)));
    }
    crate::mesh(vertices, triangles)
}
