//! parry's answers to the conformance suite, in double precision.
//!
//! ```text
//! elbowroom-conformance-parry SUITE.jsonl ANSWERS.jsonl
//! ```
//!
//! A mesh is a `TriMesh`, without flags but for points, where `ORIENTED` makes it a solid. `meets`
//! is `intersection_test`, `distance` is `distance`, `within` compares that distance, but for no
//! length at all, where it is `intersection_test`. Vertices are turned before, as its rotations are
//! quaternions. Pairs are those of both trees' leaves whose triangles meet by its own test of two
//! convex shapes.

use parry3d_f64::bounding_volume::BoundingVolume;
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::partitioning::BvhNode;
use parry3d_f64::query::details::intersection_test_support_map_support_map;
use parry3d_f64::query::{PointQuery, distance, intersection_test};
use parry3d_f64::shape::{TriMesh, TriMeshFlags};
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Error, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Deserialize)]
struct Line {
    id: usize,
    a: Body,
    b: Option<Body>,
    checks: Vec<Check>,
}

#[derive(Deserialize)]
struct Body {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    r: [f64; 9],
    t: [f64; 3],
}

#[derive(Deserialize)]
struct Check {
    question: String,
    argument: Value,
}

impl Body {
    fn mesh(&self, flags: TriMeshFlags) -> Option<TriMesh> {
        let vertices = self.vertices.iter().map(|&v| self.turned(v)).collect();
        TriMesh::with_flags(vertices, self.triangles.clone(), flags).ok()
    }

    fn pose(&self) -> Pose {
        Pose::from_parts(vector(self.t), Rotation::IDENTITY)
    }

    /// Its rotations are quaternions, which would round a quarter turn; so vertices are turned
    /// first, which does not.
    fn turned(&self, v: [f64; 3]) -> Vector {
        let row =
            |i: usize| (self.r[3 * i] * v[0] + self.r[3 * i + 1] * v[1]) + self.r[3 * i + 2] * v[2];
        Vector::new(row(0), row(1), row(2))
    }
}

fn vector([x, y, z]: [f64; 3]) -> Vector {
    Vector::new(x, y, z)
}

fn main() -> Result<(), Error> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let [suite, answers] = &files[..] else {
        return Err(Error::other("usage: elbowroom-conformance-parry SUITE.jsonl ANSWERS.jsonl"));
    };
    // A question may make it panic, which is an answer of a kind.
    std::panic::set_hook(Box::new(|_| {}));
    let mut to = BufWriter::new(File::create(answers)?);
    for text in BufReader::new(File::open(suite)?).lines() {
        let line: Line = serde_json::from_str(&text?)?;
        let given: Vec<Value> = line.checks.iter().map(|check| guarded(&line, check)).collect();
        writeln!(to, "{}", json!({"id": line.id, "answers": given}))?;
    }
    to.flush()
}

fn guarded(line: &Line, check: &Check) -> Value {
    catch_unwind(AssertUnwindSafe(|| answer(line, check)))
        .unwrap_or_else(|_| json!({"error": "it panics"}))
}

fn answer(line: &Line, check: &Check) -> Value {
    match &line.b {
        Some(b) => answer_two(&line.a, b, check),
        None if check.question == "point" => place(&line.a, &check.argument),
        None => Value::Null,
    }
}

fn answer_two(a: &Body, b: &Body, check: &Check) -> Value {
    let (pose_a, pose_b) = (a.pose(), b.pose());
    let meshes = (a.mesh(TriMeshFlags::empty()), b.mesh(TriMeshFlags::empty()));
    let (Some(a), Some(b)) = meshes else { return json!({"error": "it refuses the mesh"}) };
    let meets = || {
        intersection_test(&pose_a, &a, &pose_b, &b)
            .map_or(Value::Null, |hit| json!(hit.intersecting))
    };
    let length = || distance(&pose_a, &a, &pose_b, &b).ok().map(|hit| hit.distance);
    match check.question.as_str() {
        "meets" => meets(),
        "distance" => json!(length()),
        "within" if check.argument.as_f64() == Some(0.0) => meets(),
        "within" => {
            json!(length().zip(check.argument.as_f64()).map(|(length, limit)| length <= limit))
        }
        "pairs" => json!(pairs(&a, &pose_a, &b, &pose_b).len()),
        "pair_list" => json!(pairs(&a, &pose_a, &b, &pose_b)),
        _ => Value::Null,
    }
}

fn pairs(a: &TriMesh, pose_a: &Pose, b: &TriMesh, pose_b: &Pose) -> Vec<[u32; 2]> {
    let b_in_a = pose_a.inv_mul(pose_b);
    let may_meet = |node_a: &BvhNode, node_b: &BvhNode| {
        node_a.aabb().intersects(&node_b.aabb().transform_by(&b_in_a))
    };
    let mut pairs: Vec<[u32; 2]> = a
        .bvh()
        .leaf_pairs(b.bvh(), may_meet)
        .filter(|&(i, j)| {
            let (first, second) = (a.triangle(i), b.triangle(j));
            intersection_test_support_map_support_map(&b_in_a, &first, &second)
        })
        .map(|(i, j)| [i, j])
        .collect();
    pairs.sort_unstable();
    pairs
}

/// It tells inside from outside; what is on the surface it does not say.
fn place(body: &Body, argument: &Value) -> Value {
    let Ok(point) = serde_json::from_value::<[f64; 3]>(argument.clone()) else {
        return Value::Null;
    };
    let Some(mesh) = body.mesh(TriMeshFlags::ORIENTED | TriMeshFlags::MERGE_DUPLICATE_VERTICES)
    else {
        return json!({"error": "it refuses the mesh"});
    };
    let inside = mesh.contains_point(&body.pose(), vector(point));
    json!(if inside { "inside" } else { "outside" })
}
