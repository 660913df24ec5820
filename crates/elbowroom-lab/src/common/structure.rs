//! The structures that are compared, made and asked alike.
//!
//! Trees of one family and of layers share a topology, that which boxes along the axes make; trees
//! of oriented boxes are cut as their boxes lie, by each of the fits; the packed tree is what the
//! library takes when nothing is said. A cylinder's tree is cut as its cylinders lie.

use elbowroom::internal::bvh::{Config, Stats};
use elbowroom::internal::model::DeformableBvh;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, CollisionResult, collide, collide_deformable};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::{Family, Fit};
use elbowroom::{Mesh, Pose};
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::collide_layered;
use glam::DVec3;

use crate::sbbk::scene::{sbbk, sound};

/// One kind of structure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    of: Of,
}

/// What the structure is made of.
#[derive(Clone, Copy, Debug)]
enum Of {
    /// Oriented boxes for vector instructions.
    Packed,
    /// A readable tree as configured.
    Readable(Config),
    /// One family over the topology of boxes along the axes.
    Single(Family),
    /// Spheres, boxes, 18-DOPs over the same topology.
    Sbbk,
    /// Boxes along the axes in f32, eight a block: what a scene keeps for skins.
    Kept,
}

/// By its place in [`KINDS`].
pub(super) const PACKED: usize = 0;
pub(super) const OBB: usize = 4;

const fn oriented(name: &'static str, fit: Fit) -> Kind {
    Kind { name, of: Of::Readable(Config::obbtree().with_fit(fit)) }
}

const fn single(name: &'static str, family: Family) -> Kind {
    Kind { name, of: Of::Single(family) }
}

/// All of them; the first is the library's own choice.
pub(super) const KINDS: [Kind; 12] = [
    Kind { name: "packed OBB", of: Of::Packed },
    single("sphere", Family::Sphere),
    single("AABB", Family::Aabb),
    oriented("OBB, vertices", Fit::Vertices),
    oriented("OBB, surface", Fit::Triangles),
    oriented("OBB, hull", Fit::Hull),
    oriented("OBB, DiTO", Fit::Dito14),
    single("14-DOP", Family::Kdop14),
    single("18-DOP", Family::Kdop18),
    single("26-DOP", Family::Kdop26),
    Kind { name: "cylinder", of: Of::Readable(Config::obbtree().with_family(Family::Cylinder)) },
    Kind { name: "SBBK", of: Of::Sbbk },
];

/// What the library keeps for skins that deform.
pub(super) const KEPT: Kind = Kind { name: "soft AABB", of: Of::Kept };

impl Kind {
    /// As it is built once and asked often.
    pub(super) fn make(&self, mesh: &Mesh) -> Made {
        let aligned = Config::default().with_family(Family::Aabb);
        let layered = |layering: &Layers, config: &Config| {
            Made::HybridTree(Box::new(HybridTree::new(mesh.clone(), layering, config)))
        };
        match self.of {
            Of::Packed => Made::Model(Box::new(Model::new(mesh.clone()))),
            Of::Readable(config) => {
                Made::Model(Box::new(Model::with_config(mesh.clone(), &config)))
            }
            Of::Single(family) => layered(&sound(Layers::single(family)), &aligned),
            Of::Sbbk => layered(&sbbk(), &aligned),
            Of::Kept => {
                Made::DeformableBvh(Box::new(DeformableBvh::new(mesh).expect("small enough")))
            }
        }
    }

    /// As it is kept for a mesh that deforms: one that can be refitted where there is one.
    pub(super) fn make_soft(&self, mesh: &Mesh) -> Made {
        match self.of {
            Of::Readable(config) if config.family == Family::Obb => {
                let layering = sound(Layers::single(config.family));
                Made::HybridTree(Box::new(HybridTree::new(mesh.clone(), &layering, &config)))
            }
            _ => self.make(mesh),
        }
    }

    /// Puts it around moved vertices: by a refit, or, where there is none, by building it from
    /// scratch.
    pub(super) fn follow(&self, made: &mut Made, vertices: &[DVec3]) {
        match made {
            Made::HybridTree(layered) => layered.refit(vertices).expect("as many as before"),
            Made::DeformableBvh(soft) => soft.refit(vertices).expect("as many as before"),
            Made::Model(model) => {
                let moved = model.mesh().with_vertices(vertices.to_vec());
                *made = self.make(&moved.expect("as many as before"));
            }
        }
    }

    /// Whether it is refitted, not built from scratch.
    pub(super) fn is_refitted(&self) -> bool {
        match self.of {
            Of::Packed => false,
            Of::Readable(config) => config.family == Family::Obb,
            Of::Single(_) | Of::Sbbk | Of::Kept => true,
        }
    }

    /// Whether it is one tree of layers, as `model::choose` makes them.
    pub(super) fn is_layered(&self) -> bool {
        matches!(self.of, Of::Single(_) | Of::Sbbk)
    }
}

/// A structure around one mesh.
pub(super) enum Made {
    Model(Box<Model>),
    HybridTree(Box<HybridTree>),
    /// Where it stands: it knows no poses.
    DeformableBvh(Box<DeformableBvh>),
}

impl Made {
    /// The bytes in memory beside the mesh, for each triangle.
    pub(super) fn bytes_per_triangle(&self) -> f64 {
        match self {
            Self::Model(model) => match model.packed() {
                Some(packed) => packed.bytes() as f64 / model.mesh().triangles().len() as f64,
                None => model.stats().bytes_per_primitive,
            },
            Self::HybridTree(layered) => {
                let topology = Stats::of(layered.tree(), 0).bytes_per_primitive;
                let triangles = layered.mesh().triangles().len() as f64;
                // Of each node, the number of its volume and of its layer.
                let places = (layered.tree().len() * size_of::<[u32; 2]>()) as f64;
                topology + (layered.layers().bytes() as f64 + places) / triangles
            }
            Self::DeformableBvh(soft) => {
                size_of_val(soft.boxes().blocks()) as f64 / soft.triangles().len() as f64
            }
        }
    }

    pub(super) fn layered(&self) -> Option<&HybridTree> {
        match self {
            Self::HybridTree(layered) => Some(layered),
            Self::Model(_) | Self::DeformableBvh(_) => None,
        }
    }
}

/// Two structures of one kind are asked; nothing is known of two of different kinds.
pub(super) fn ask_made(
    [a, b]: [&Made; 2],
    [place_a, place_b]: &[Pose; 2],
    question: &CollisionRequest,
    workspace: &mut Workspace,
) -> CollisionResult {
    match (a, b) {
        (Made::Model(a), Made::Model(b)) => collide(a, place_a, b, place_b, question, workspace),
        (Made::HybridTree(a), Made::HybridTree(b)) => {
            collide_layered(a, place_a, b, place_b, question, workspace)
        }
        (Made::DeformableBvh(a), Made::DeformableBvh(b)) => {
            collide_deformable(a, b, question.want, workspace)
        }
        _ => CollisionResult::default(),
    }
}
