//! Section 7: what a tree takes in memory.

use elbowroom::Mesh;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::volume::{
    Aabb, Cylinder, Family, Fit, Kdop14, Kdop18, Kdop24, Kdop26, Obb, Sphere,
};
use elbowroom_make::{bumpy_sphere, landscape, lat_long_sphere, person, torus};
use glam::DVec3;

use crate::{Claim, Context, Report, Table, Verdict};

/// What the paper prints, in bytes: a box, a triangle, and both for each triangle of a model.
const BOX: u32 = 168;
const TRIANGLE: u32 = 76;
const PRINTED: u32 = 412;

pub(crate) fn run(context: &Context) -> Report {
    let (nodes, counted) = nodes(context);
    let (parts, families) = (parts(), families());
    Report {
        charts: Vec::new(),
        id: "obbtree-memory",
        title: "Memory of a tree".to_owned(),
        what: "The paper adds up what its program keeps for each triangle. Here the nodes of trees are counted, and \
               the same sum is made for the binary tree of this library, the one on which counts are measured."
            .to_owned(),
        tables: vec![nodes, parts, families],
        claims: vec![claim(&counted)],
        notes: Vec::new(),
    }
}

/// What was counted.
struct Counted {
    models: u32,
    /// Those whose trees have other than 2n − 1 nodes.
    other: u32,
    /// Bytes a triangle of the 32,000-triangle sphere.
    ours: f64,
}

/// Bytes of the mesh itself, for each triangle.
fn mesh_bytes(mesh: &Mesh) -> f64 {
    let bytes = size_of_val(mesh.vertices()) + size_of_val(mesh.triangles());
    bytes as f64 / mesh.triangles().len() as f64
}

fn nodes(context: &Context) -> (Table, Counted) {
    let mut table = Table::new(
        "Nodes and bytes of trees of oriented boxes, one triangle a leaf",
        [
            "model",
            "triangles n",
            "nodes",
            "2n − 1",
            "tree, bytes/triangle",
            "mesh, bytes/triangle",
            "together",
            "paper",
        ],
    );
    let mut counted = Counted { models: 0, other: 0, ours: 0.0 };
    let fit = if context.quick { Fit::Triangles } else { Fit::Hull };
    for (name, mesh) in [
        ("sphere of the paper's Figure 5", lat_long_sphere(101, 160)),
        ("torus", torus(1.0, 0.3, 100, 50)),
        ("bumpy sphere", bumpy_sphere(20, 0.3, 7)),
        ("landscape", landscape(80, 60, 3)),
        ("person", person()),
    ] {
        let n = mesh.triangles().len();
        let of_mesh = mesh_bytes(&mesh);
        let stats = Model::with_config(mesh, &Config::obbtree().with_fit(fit)).stats();
        let together = stats.bytes_per_primitive + of_mesh;
        if counted.models == 0 {
            counted.ours = together;
        }
        counted.models += 1;
        counted.other += u32::from(stats.nodes != 2 * n - 1);
        table.row([
            name.into(),
            n.into(),
            stats.nodes.into(),
            (2 * n - 1).into(),
            stats.bytes_per_primitive.into(),
            of_mesh.into(),
            together.into(),
            PRINTED.into(),
        ]);
    }
    (table, counted)
}

/// What one box and one triangle consist of.
fn parts() -> Table {
    let mut table = Table::new("Bytes of the parts", ["part", "paper", "here", "what it is here"]);
    let topology = node_bytes();
    let number = size_of::<f64>();
    table.row([
        "box".into(),
        BOX.into(),
        size_of::<Obb>().into(),
        "centre, axes, half extents".into(),
    ]);
    table.row([
        "links".into(),
        "in the box".into(),
        topology.into(),
        "run of triangles, child, level".into(),
    ]);
    table.row([
        "triangle".into(),
        TRIANGLE.into(),
        (3 * size_of::<u32>()).into(),
        "three vertex numbers".into(),
    ]);
    table.row([
        "vertex".into(),
        "in the triangle".into(),
        (3 * number).into(),
        "shared by six triangles or so".into(),
    ]);
    table
}

/// Bytes of a node without its volume.
#[expect(clippy::cast_sign_loss, reason = "bytes are never negative")]
fn node_bytes() -> usize {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let one = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("a triangle is a mesh");
    let stats = Model::new(one).stats();
    // One node, one number in the order, one box.
    stats.bytes_per_primitive as usize - size_of::<u32>() - size_of::<Obb>()
}

fn families() -> Table {
    let mut table = Table::new(
        "Bytes of one volume, and of a tree of them for each triangle",
        ["family", "volume", "tree, bytes/triangle"],
    );
    for family in Family::ALL {
        let volume = match family {
            Family::Sphere => size_of::<Sphere>(),
            Family::Aabb => size_of::<Aabb>(),
            Family::Obb => size_of::<Obb>(),
            Family::Kdop14 => size_of::<Kdop14>(),
            Family::Kdop18 => size_of::<Kdop18>(),
            Family::Kdop24 => size_of::<Kdop24>(),
            Family::Kdop26 => size_of::<Kdop26>(),
            Family::Cylinder => size_of::<Cylinder>(),
            Family::TimeBox | Family::TimeObb => continue,
        };
        // Two nodes and one number in the order for each triangle, but for one node.
        let tree = 2 * (volume + node_bytes()) + size_of::<u32>();
        table.row([family.name().into(), volume.into(), tree.into()]);
    }
    table
}

fn claim(counted: &Counted) -> Claim {
    let sum = 2 * BOX + TRIANGLE;
    let holds = counted.other == 0 && sum == PRINTED;
    Claim::gate("OBB-S7-memory", "n triangles make n leaves and n − 1 inner boxes, and 412 bytes a triangle.")
        .paper("168 B a box, 76 B a triangle, 412 B together")
        .ours(format!(
            "2n − 1 nodes in {} of {} trees; 2·168 + 76 = {sum}; here {:.0} B a triangle with its share of the mesh",
            counted.models - counted.other,
            counted.models,
            counted.ours
        ))
        .verdict(if holds { Verdict::HoldsWithAnotherNumber } else { Verdict::DoesNotHold })
        .why(
            "The counts and the sum are the paper's. Here a box stands in its model's frame and needs no parent, vertices \
             are shared, and links are numbers of four bytes.",
        )
}
