//! What holds for whatever a reader accepts.

use elbowroom_io::{MeshFile, ParseError};

pub fn check(result: Result<MeshFile, ParseError>) {
    let file = match result {
        Ok(file) => file,
        Err(error) => {
            assert!(!error.message().is_empty());
            return;
        }
    };
    let (vertices, triangles) = (file.mesh.vertices(), file.mesh.triangles());
    assert!(vertices.iter().all(|p| p.is_finite()));
    assert!(triangles.iter().flatten().all(|&corner| (corner as usize) < vertices.len()));
    assert!(file.faces > 0 && file.faces <= triangles.len());
    let end = file.parts.iter().fold(0, |end, part| {
        assert!(part.first_face >= end && part.faces > 0);
        part.first_face + part.faces
    });
    assert!(end <= file.faces);
}
