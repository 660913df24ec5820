//! From the testkit's plain arrays to the library's types.

use elbowroom::internal::bvh::{Config, Failed, Split};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::TrianglePair;
use elbowroom::internal::volume::{Family, Fit};
use elbowroom::{Mesh, Pose, Relation};
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::oracle::{self, PlainPose};
use glam::{DMat3, DVec3};

pub fn mesh(soup: &Soup) -> Mesh {
    let vertices = soup.vertices.iter().map(|&v| DVec3::from_array(v)).collect();
    Mesh::new(vertices, soup.triangles.clone()).expect("the testkit's meshes are sound")
}

pub fn placement(pose: &PlainPose) -> Pose {
    let rotation = DMat3::from_cols_array_2d(&pose.r).transpose();
    Pose::new(rotation, DVec3::from_array(pose.t)).expect("the testkit's poses are rigid")
}

pub fn plain(pairs: &[TrianglePair]) -> Vec<(u32, u32, oracle::Relation)> {
    let relation = |relation| match relation {
        Relation::Apart => oracle::Relation::Apart,
        Relation::Touching => oracle::Relation::Touching,
        Relation::Crossing => oracle::Relation::Crossing,
    };
    pairs.iter().map(|pair| (pair.a, pair.b, relation(pair.relation))).collect()
}

/// Trees of every family, fit, split and way to stop.
pub fn configs() -> Vec<Config> {
    let base = Config::default();
    let mut configs = vec![Config::obbtree(), Config::rapid()];
    configs.extend(Family::ALL.map(|family| base.with_family(family)));
    configs.extend(
        [Fit::Vertices, Fit::Triangles, Fit::Hull, Fit::Dito14].map(|fit| base.with_fit(fit)),
    );
    for split in [Split::Mean, Split::AreaMean, Split::Median, Split::Sah { bins: 8 }] {
        for failed in [Failed::NextAxis, Failed::Halve] {
            configs.push(Config { failed, ..base.with_split(split) });
        }
    }
    configs.push(Config { leaf: 4, ..base });
    configs.push(Config { leaf: 3, ..base.with_family(Family::Kdop18).with_split(Split::Median) });
    configs
}

/// What answers queries.
#[derive(Clone, Copy, Debug)]
pub enum Engine {
    /// The packed tree, built from the mesh.
    Packed,
    /// A packed tree made from a readable one.
    PackedFrom(Config),
    /// The readable tree.
    Readable(Config),
}

impl Engine {
    /// A model that this engine answers for, its trees checked.
    pub fn model(&self, mesh: Mesh) -> Model {
        match self {
            Self::Packed => Model::new(mesh),
            Self::PackedFrom(config) => Model::packed_from(mesh, config),
            Self::Readable(config) => Model::with_config(mesh, config),
        }
    }

    /// As [`model`](Self::model), and its trees are checked.
    pub fn checked_model(&self, mesh: Mesh) -> Model {
        let model = self.model(mesh);
        if let Some(packed) = model.packed() {
            packed.validate(model.mesh()).unwrap_or_else(|fault| panic!("{self:?}: {fault}"));
        }
        if !matches!(self, Self::Packed) {
            model.validate().unwrap_or_else(|fault| panic!("{self:?}: {fault}"));
        }
        model
    }
}

/// Every engine: the packed tree first, then packed ones from all readable ones, then those.
pub fn engines() -> Vec<Engine> {
    let from = configs().into_iter().map(Engine::PackedFrom);
    let readable = configs().into_iter().map(Engine::Readable);
    std::iter::once(Engine::Packed).chain(from).chain(readable).collect()
}
