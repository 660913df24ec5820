//! Where a mesh meets itself other than where its triangles are joined.
//!
//!     cargo run -p elbowroom --example self_collision

use elbowroom::{Mesh, Model, Neighbours};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A ring whose tube is thicker than its hole.
    let fat = Model::new(elbowroom_make::torus(1.0, 1.2, 48, 24));
    let slim = Model::new(elbowroom_make::torus(1.0, 0.3, 48, 24));
    let pairs = fat.self_contacts(Neighbours::Decide);
    println!("{} pairs of the ring's own triangles meet", pairs.len());
    assert!(!pairs.is_empty() && !slim.intersects_itself());

    // What kind of solid a mesh encloses, and why an answer is not certain.
    let mesh = elbowroom_make::icosphere(2);
    let open = Mesh::new(mesh.vertices().to_vec(), mesh.triangles()[1..].to_vec())?;
    println!("a ball without one triangle: {:?}", Model::new(open).solid_profile().certainty);
    Ok(())
}
