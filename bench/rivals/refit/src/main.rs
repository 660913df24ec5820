//! Refits of a mesh whose vertices move, elbowroom beside parry3d, in one run.
//!
//!     cargo run --release -p elbowroom-bench-refit --bin refit
//!
//! The mesh is a ball of 8,000 triangles that waves. Both sides get all vertices of the next frame
//! and end with a tree that can be asked. elbowroom keeps f64 vertices and f64 volumes and checks
//! that every number is finite; parry is taken in f32 and in f64, as
//! [`TriMesh::set_vertices`](parry3d::shape::TriMesh::set_vertices) with
//! `TriMeshFlags::DEFORMABLE`, and as its tree alone: `Bvh::refit_without_opt` after the leaves are
//! set, and `Bvh::refit` with a workspace, which also brings the nodes into order.
//!
//! Rounds of all are interleaved, time is the thread's own, and the median of the rounds is
//! printed.

use elbowroom::Mesh;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::volume::Family;
use elbowroom_bench_protocol::play::thread_secs;
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::Layers;

const ROUNDS: usize = 400;

/// A name and something that goes to the next frame.
type Runner = (String, Box<dyn FnMut(usize)>);

fn frames(mesh: &Mesh) -> Vec<Mesh> {
    let wave = |time: f64| {
        let moved = mesh.vertices().iter().map(|&p| p * (1.0 + 0.2 * (4.0 * p.x + time).sin()));
        mesh.with_vertices(moved.collect()).ok()
    };
    (0..8).filter_map(|frame| wave(0.3 * f64::from(frame))).collect()
}

fn ours(mesh: &Mesh, frames: &[Mesh]) -> Vec<Runner> {
    let single = Layers::single;
    let layerings = [
        single(Family::Aabb),
        single(Family::Kdop14),
        single(Family::Kdop18),
        single(Family::Kdop24),
        single(Family::Kdop26),
        single(Family::Sphere),
        Layers::sbbk(18, 1, 5),
    ];
    let runner = |layering: Layers| -> Runner {
        let config = Config::default().with_family(Family::Aabb);
        let mut model = HybridTree::new(mesh.clone(), &layering, &config);
        let frames = frames.to_vec();
        let run = move |frame: usize| {
            if let Err(error) = model.refit(frames[frame % frames.len()].vertices()) {
                eprintln!("{error}");
            }
        };
        (format!("elbowroom, {layering}"), Box::new(run))
    };
    layerings.into_iter().flatten().map(runner).collect()
}

/// The same text for both precisions.
macro_rules! parry {
    ($name:ident, $parry:ident, $real:ty, $precision:literal) => {
        fn $name(mesh: &Mesh, frames: &[Mesh]) -> Vec<Runner> {
            use $parry::bounding_volume::Aabb;
            use $parry::math::Vector;
            use $parry::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
            use $parry::shape::{TriMesh, TriMeshFlags, Triangle};

            let frames: Vec<Vec<Vector>> = frames
                .iter()
                .map(|frame| {
                    let points = frame.vertices().iter();
                    points.map(|p| Vector::new(p.x as $real, p.y as $real, p.z as $real)).collect()
                })
                .collect();
            let indices = mesh.triangles().to_vec();
            let flags = TriMeshFlags::DEFORMABLE;
            let Ok(mut body) = TriMesh::with_flags(frames[0].clone(), indices.clone(), flags)
            else {
                return Vec::new();
            };
            let boxed = move |vertices: &[Vector], i: usize| -> Aabb {
                let [p, q, r] = indices[i].map(|corner| vertices[corner as usize]);
                Triangle::new(p, q, r).local_aabb()
            };
            let count = mesh.triangles().len();
            let leaves: Vec<Aabb> = (0..count).map(|i| boxed(&frames[0], i)).collect();
            let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
            let whole = {
                let frames = frames.clone();
                move |frame: usize| body.set_vertices(&frames[frame % frames.len()])
            };
            let alone = {
                let (mut tree, frames, boxed) = (tree.clone(), frames.clone(), boxed.clone());
                move |frame: usize| {
                    let vertices = &frames[frame % frames.len()];
                    for i in 0..count {
                        let _ = tree.insert_or_update_partially(boxed(vertices, i), i as u32, 0.0);
                    }
                    tree.refit_without_opt();
                }
            };
            let sorted = {
                let (mut tree, mut workspace) = (tree, BvhWorkspace::default());
                move |frame: usize| {
                    let vertices = &frames[frame % frames.len()];
                    for i in 0..count {
                        let _ = tree.insert_or_update_partially(boxed(vertices, i), i as u32, 0.0);
                    }
                    tree.refit(&mut workspace);
                }
            };
            vec![
                (format!("parry {}, set_vertices", $precision), Box::new(whole)),
                (format!("parry {}, leaves and refit_without_opt", $precision), Box::new(alone)),
                (format!("parry {}, leaves and refit", $precision), Box::new(sorted)),
            ]
        }
    };
}

parry!(parry_f32, parry3d, f32, "f32");
parry!(parry_f64, parry3d_f64, f64, "f64");

fn main() {
    let mesh = elbowroom_make::icosphere(20);
    let frames = frames(&mesh);
    let mut runners = ours(&mesh, &frames);
    runners.extend(parry_f32(&mesh, &frames));
    runners.extend(parry_f64(&mesh, &frames));
    let mut times = vec![Vec::with_capacity(ROUNDS); runners.len()];
    for round in 0..ROUNDS {
        for ((_, run), times) in runners.iter_mut().zip(&mut times) {
            let start = thread_secs();
            run(round);
            times.push(thread_secs() - start);
        }
    }
    let medians: Vec<f64> = times
        .iter_mut()
        .map(|times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2] * 1e6
        })
        .collect();
    println!("{} triangles, median of {ROUNDS} refits", mesh.triangles().len());
    println!("{:>48} {:>9} {:>20}", "", "µs", "of our AABBs' time");
    for ((name, _), time) in runners.iter().zip(&medians) {
        println!("{name:>48} {time:>9.1} {:>20.2}", time / medians[0]);
    }
}
