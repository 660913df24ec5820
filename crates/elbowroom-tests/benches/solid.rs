//! The cost of asking about solids, beside the question whether surfaces meet.
//!
//!     cargo bench -p elbowroom --bench solid
//!
//! Bumpy spheres of growing size; with the shared data, real meshes as well. `profile` is paid once
//! a model. The positions: crossing by half, one deep within the other at a third of its size,
//! apart, and resting: a box under a box, cut into as many triangles, so that all of one side lie
//! in one plane with the other's.

use std::hint::black_box;
use std::time::Instant;

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{intersects, is_duplicate, profile, solids, through, winding};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Aabb, Mesh, Pose};
use elbowroom_make::bumpy_sphere;
use elbowroom_testkit::data;
use elbowroom_testkit::random::Random;
use glam::{DQuat, DVec3};

/// The best of a few rounds, in µs.
fn micros(rounds: usize, mut work: impl FnMut()) -> f64 {
    (0..rounds)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e6
        })
        .fold(f64::INFINITY, f64::min)
}

fn scaled(mesh: &Mesh, factor: f64) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&v| v * factor).collect();
    mesh.with_vertices(vertices).expect("stays finite")
}

fn row(name: &str, mesh: &Mesh) {
    let mut workspace = Workspace::default();
    let model = Model::new(mesh.clone());
    model.tree();
    let profiled = micros(1, || {
        black_box(profile(&model, &mut workspace));
    });
    let closed = profile(&model, &mut workspace).closed;
    let Aabb { min: low, max: high } = mesh.bounds();
    let (middle, size) = (low * 0.5 + high * 0.5, high - low);
    let mut random = Random::new(7);
    let points: Vec<DVec3> = (0..400)
        .map(|_| low + size * DVec3::new(random.unit(), random.unit(), random.unit()))
        .collect();
    let here = Pose::IDENTITY;
    let per_point = micros(5, || {
        for &point in &points {
            black_box(winding(&model, &here, point, &mut workspace));
        }
    }) / points.len() as f64;
    let small = Model::new(scaled(mesh, 1.0 / 3.0));
    profile(&small, &mut workspace);
    let turn = DQuat::from_rotation_y(0.7);
    let beside = |step: f64| {
        Pose::from_quat(turn, middle + DVec3::X * (size.x * step) - turn * middle).expect("rigid")
    };
    let centred = Pose::from_translation(middle * (2.0 / 3.0)).expect("finite");
    print!(
        "{name:>24} {:>8} {:>9.0} {:>6} {per_point:>8.1}",
        mesh.triangles().len(),
        profiled,
        closed.map_or_else(|| "open".to_string(), |closed| closed.meeting.to_string())
    );
    for (other, place) in [(&model, beside(0.5)), (&small, centred), (&model, beside(3.0))] {
        let surface = micros(9, || {
            black_box(intersects(&model, &here, other, &place));
        });
        let solid = micros(9, || {
            black_box(solids(&model, &here, other, &place, &mut workspace));
        });
        print!(" {surface:>8.1} {solid:>9.1}");
    }
    let crossing = beside(0.5);
    let pierced = micros(3, || {
        black_box(through(&model, &here, &model, &crossing, &mut workspace));
    });
    let twice = micros(3, || {
        black_box(is_duplicate(&model, &here, &model, &here, &mut workspace));
    });
    println!(" {pierced:>9.0} {twice:>9.0}");
}

/// A unit box with each side cut into n × n squares.
fn cut_box(n: u32) -> Mesh {
    let at = |i: u32| f64::from(i) / f64::from(n);
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        for top in [false, true] {
            for i in 0..n {
                for j in 0..n {
                    let first = points.len() as u32;
                    for (u, v) in [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)] {
                        let mut point = DVec3::ZERO;
                        point[axis] = f64::from(u32::from(top));
                        point[(axis + 1) % 3] = at(u);
                        point[(axis + 2) % 3] = at(v);
                        points.push(point);
                    }
                    let [a, b, c, d] = [0, 1, 2, 3].map(|k| first + k);
                    triangles.extend(if top {
                        [[a, b, c], [a, c, d]]
                    } else {
                        [[a, c, b], [a, d, c]]
                    });
                }
            }
        }
    }
    Mesh::new(points, triangles).expect("a box")
}

fn main() {
    println!(
        "{:>24} {:>8} {:>9} {:>6} {:>8} {:>18} {:>18} {:>18} {:>9} {:>9}   (µs; surface and solid)",
        "mesh",
        "tri",
        "profile",
        "meet",
        "a point",
        "crossing",
        "within",
        "apart",
        "through",
        "duplicate"
    );
    for frequency in [7, 22, 39, 71] {
        row(&format!("bumpy sphere {frequency}"), &bumpy_sphere(frequency, 0.2, 1));
    }
    if let Some(directory) = data::shared_dir() {
        for name in [
            "hand_closed.obj.gz",
            "armadillo.obj.gz",
            "bunny_7k.obj.gz",
            "spot.obj.gz",
            "stanford-bunny.obj.gz",
            "penguin.obj",
            "manifold_self_intersectA.obj.gz",
        ] {
            let soup = data::obj(&directory.join("meshes").join(name));
            let vertices = soup.vertices.iter().map(|&v| DVec3::from_array(v)).collect();
            row(name, &Mesh::new(vertices, soup.triangles).expect("sound data"));
        }
    }
    println!(
        "\n{:>24} {:>8} {:>10} {:>10}   (ms; surface and solid)",
        "stacked boxes", "tri", "touch", "solid"
    );
    for n in [2, 4, 8, 16] {
        let model = Model::new(cut_box(n));
        let mut workspace = Workspace::default();
        profile(&model, &mut workspace);
        let turn = Pose::from_quat(DQuat::from_rotation_y(0.3), DVec3::ONE).expect("rigid");
        let above = cut_box(n).vertices().iter().map(|&v| v + DVec3::new(0.3, 0.2, 1.0)).collect();
        let above = Model::new(cut_box(n).with_vertices(above).expect("finite"));
        profile(&above, &mut workspace);
        let surface = micros(3, || {
            black_box(intersects(&model, &turn, &above, &turn));
        });
        let solid = micros(3, || {
            black_box(solids(&model, &turn, &above, &turn, &mut workspace));
        });
        println!(
            "{n:>24} {:>8} {:>10.3} {:>10.3}",
            model.mesh().triangles().len(),
            surface / 1e3,
            solid / 1e3
        );
    }
}
