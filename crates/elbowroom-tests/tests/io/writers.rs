//! What we write is what we read: every writer against its reader, bit for bit where the format has
//! room.

use elbowroom::Mesh;
use elbowroom_io::npz_out::Archive;
use elbowroom_io::ply_out::Encoding;
use elbowroom_io::trajectory::{Trajectories, Trajectory, TrajectoryRate};
use elbowroom_io::{
    MeshFile, MeshOut, Source, Units, VertexFrames, obj, obj_out, off, off_out, ply, ply_out, stl,
    stl_out, trajectory, trajectory_out,
};
use glam::DVec3;

/// Meshes with every kind of number in them.
fn meshes() -> Vec<(&'static str, MeshOut)> {
    let mut nasty = MeshOut::default();
    let numbers = [0.0, -0.0, 0.1, -1e-300, 5e-324, 1e300, 123_456_789.123_456_78, -1e-5];
    let points: Vec<DVec3> = numbers
        .iter()
        .flat_map(|&x| numbers.iter().map(move |&y| DVec3::new(x, y, x * 0.5 + 1.0)))
        .collect();
    let triangles: Vec<[u32; 3]> =
        (0..points.len() as u32 - 2).map(|i| [i, i + 1, i + 2]).collect();
    nasty.add("numbers", &points, &triangles).unwrap();
    // Degenerate triangles, an unused vertex, names that would break a line.
    nasty.add("a\nname ", &points[..4], &[[0, 0, 1], [2, 2, 2]]).unwrap();
    let mut parts = MeshOut::default();
    for (name, mesh) in [
        ("ball", elbowroom_make::icosphere(4)),
        ("box", elbowroom_make::cuboid(DVec3::new(0.1, 0.2, 0.3))),
        ("person", elbowroom_make::person()),
    ] {
        parts.add(name, mesh.vertices(), mesh.triangles()).unwrap();
    }
    vec![("nasty", nasty), ("parts", parts)]
}

fn bits(points: &[DVec3]) -> Vec<[u64; 3]> {
    points.iter().map(|point| point.to_array().map(f64::to_bits)).collect()
}

fn assert_same(what: &str, file: &MeshFile, mesh: &MeshOut) {
    assert_eq!(bits(file.mesh.vertices()), bits(mesh.vertices()), "{what}");
    assert_eq!(file.mesh.triangles(), mesh.triangles(), "{what}");
}

/// The corner points of all triangles.
fn corners(mesh: &Mesh) -> Vec<DVec3> {
    (0..mesh.triangles().len()).flat_map(|triangle| mesh.triangle(triangle)).collect()
}

fn out_corners(mesh: &MeshOut) -> Vec<DVec3> {
    mesh.triangles().iter().flatten().map(|&corner| mesh.vertices()[corner as usize]).collect()
}

#[test]
fn meshes_come_back_bit_for_bit() {
    let mut compared = 0;
    for (name, mesh) in meshes() {
        let obj_file = obj::parse(&obj_out::to_bytes(&mesh)).unwrap();
        assert_same(name, &obj_file, &mesh);
        let groups: Vec<usize> = mesh.groups().iter().map(|group| group.triangles.len()).collect();
        let parts: Vec<usize> = obj_file.parts.iter().map(|part| part.faces).collect();
        assert_eq!(parts, groups);
        assert_same(name, &off::parse(&off_out::to_bytes(&mesh)).unwrap(), &mesh);
        for encoding in [Encoding::Binary, Encoding::Text] {
            let file = ply::parse(&ply_out::to_bytes(&mesh, encoding)).unwrap();
            assert_same(name, &file, &mesh);
        }
        let text = stl::parse(&stl_out::to_bytes(&mesh, Encoding::Text).unwrap()).unwrap();
        assert_eq!(bits(&corners(&text.mesh)), bits(&out_corners(&mesh)), "{name}");
        assert_eq!(text.parts.len(), mesh.groups().len());
        compared += mesh.vertices().len() * 5;
    }
    assert!(compared > 8000, "{compared}");
}

#[test]
fn binary_stl_is_rounded_once_or_refused() {
    let meshes = meshes();
    let refused = stl_out::to_bytes(&meshes[0].1, Encoding::Binary).unwrap_err().to_string();
    assert!(refused.contains("too large for the f32"), "{refused}");
    let mesh = &meshes[1].1;
    let file = stl::parse(&stl_out::to_bytes(mesh, Encoding::Binary).unwrap()).unwrap();
    let farthest = stl_out::rounding(mesh.vertices());
    assert!(farthest > 0.0 && farthest < 1e-7, "{farthest}");
    let pairs = corners(&file.mesh).into_iter().zip(out_corners(mesh));
    let moved = pairs.map(|(a, b)| (a - b).abs().max_element()).fold(0.0, f64::max);
    assert_eq!(moved, farthest);
    assert_eq!(file.mesh.triangles().len(), mesh.triangles().len());
    assert!(file.mesh.welded().seams().is_closed());
}

#[test]
fn a_file_keeps_its_groups() {
    let text =
        b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\no first\nf 1 2 3 4\no second\nf 1 2 3\nf 2 3 4\n";
    let file = obj::parse(text).unwrap();
    let again = obj::parse(&obj_out::to_bytes(&MeshOut::from_file(&file))).unwrap();
    assert_eq!(again.mesh.triangles(), file.mesh.triangles());
    let parts: Vec<_> = again.parts.iter().map(|part| (part.name.as_str(), part.faces)).collect();
    // The square has become two triangles.
    assert_eq!(parts, [("first", 2), ("second", 2)]);
}

#[test]
fn frames_come_back() {
    let folder = std::env::temp_dir().join(format!("elbowroom-npz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("wave.npz");
    let mesh = elbowroom_make::icosphere(3);
    let frame = |i: usize| -> Vec<DVec3> {
        mesh.vertices().iter().map(|&p| p * (1.0 + 0.1 * i as f64)).collect()
    };
    let vertices = mesh.vertices().len();
    let mut archive = Archive::new(std::fs::File::create(&path).unwrap(), 7, vertices).unwrap();
    assert!(archive.frame(&[DVec3::ZERO]).is_err());
    (0..7).for_each(|i| archive.frame(&frame(i)).unwrap());
    assert!(archive.frame(&frame(7)).is_err());
    archive.finish(mesh.triangles(), Some(12.5)).unwrap();
    let mut read = VertexFrames::open(&path).unwrap();
    assert_eq!((read.len(), read.fps()), (7, Some(12.5)));
    assert_eq!(read.mesh().triangles(), mesh.triangles());
    let mut points = Vec::new();
    for i in [6, 0, 3] {
        read.read(i, &mut points).unwrap();
        assert_eq!(bits(&points), bits(&frame(i)));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn ways_come_back() {
    let person = |id: i64| Trajectory {
        id,
        frames: (0..5).map(|frame| frame * 2 + id).collect(),
        positions: (0..5).map(|i| DVec3::new(0.1 * f64::from(i), 1.0 / 3.0, 0.0)).collect(),
        headings: vec![0.25; 5],
        velocities: Vec::new(),
    };
    let crowd = Trajectories {
        rate: TrajectoryRate { fps: 12.5, source: Source::File },
        units: Units { metres_per_unit: 1.0, source: Source::File },
        people: vec![person(3), person(1)],
        notes: Vec::new(),
    };
    assert_eq!(trajectory::parse(&trajectory_out::to_bytes(&crowd)).unwrap(), crowd);
}
