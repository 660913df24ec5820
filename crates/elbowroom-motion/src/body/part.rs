//! The meshes that hang on a skeleton.

use glam::DVec3;

use super::local::Local;
use super::skeleton::JointId;
use super::skin::Skin;
use elbowroom::internal::geom::mesh::Mesh;

/// One way in which a mesh changes its shape: how far each vertex moves at weight one.
#[derive(Clone, Debug, PartialEq)]
pub struct Morph {
    /// The name in the file.
    pub name: String,
    /// One for each vertex of the mesh.
    pub offsets: Vec<DVec3>,
}

/// What a mesh is attached to.
#[derive(Clone, Debug, PartialEq)]
pub enum Hold {
    /// One joint: the vertices are in its frame.
    Rigid(JointId),
    /// Several joints, by weights: the vertices are in the frame of the bind.
    Skinned(Skin),
}

/// A simple solid, centred at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Primitive {
    /// A ball.
    Sphere {
        /// The radius.
        radius: f64,
    },
    /// All that is within the radius of a segment along z.
    Capsule {
        /// The radius.
        radius: f64,
        /// Half the length of the segment.
        half_length: f64,
    },
    /// A box along the axes.
    Cuboid {
        /// Half its edges.
        half: DVec3,
    },
    /// A cylinder along z.
    Cylinder {
        /// The radius.
        radius: f64,
        /// Half its length.
        half_length: f64,
    },
    /// An ellipsoid along the axes.
    Ellipsoid {
        /// Half its axes.
        half: DVec3,
    },
    /// All points with z ≤ 0: a floor without end.
    HalfSpace,
}

impl Primitive {
    /// Whether every measure is finite and not negative.
    pub fn is_valid(&self) -> bool {
        let measures = match *self {
            Self::Sphere { radius } => DVec3::splat(radius),
            Self::Capsule { radius, half_length } | Self::Cylinder { radius, half_length } => {
                DVec3::new(radius, radius, half_length)
            }
            Self::Cuboid { half } | Self::Ellipsoid { half } => half,
            Self::HalfSpace => DVec3::ZERO,
        };
        measures.is_finite() && measures.min_element() >= 0.0
    }
}

/// A mesh of a rig, and how it hangs on the skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The name in the file.
    pub name: String,
    /// The mesh at rest.
    pub mesh: Mesh,
    /// What the mesh is attached to.
    pub hold: Hold,
    /// Changes of its shape, before it is posed.
    pub morphs: Vec<Morph>,
    /// The default weight of each morph, for poses that give none; one for each morph.
    pub morph_weights: Vec<f64>,
    /// The solid that the mesh stands for, if the file gives one, in the frame of the mesh.
    ///
    /// The mesh encloses the solid (of a half-space, it is a slab of it); a scene decides contacts
    /// by the solid.
    pub primitive: Option<(Local, Primitive)>,
}

impl Part {
    /// A part without morphs.
    pub fn new(name: impl Into<String>, mesh: Mesh, hold: Hold) -> Self {
        let (morphs, morph_weights) = (Vec::new(), Vec::new());
        Self { name: name.into(), mesh, hold, morphs, morph_weights, primitive: None }
    }
}
