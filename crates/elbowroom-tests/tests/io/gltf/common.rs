//! What several test files use: a writer of small GLBs that checks nothing, and rigs to write.

use elbowroom::Mesh;
use elbowroom_io::{Document, ParseError, ReadOptions, gltf};
use elbowroom_motion::body::{
    Clip, Hold, Influence, Interpolation, Joint, JointId, Local, Morph, Part, Rig, Skeleton, Skin,
    Target, Track,
};
use glam::{DAffine3, DQuat, DVec3};
use serde_json::{Value, json};

pub(crate) fn parse(bytes: &[u8]) -> Result<Document, ParseError> {
    gltf::parse(bytes, None, &ReadOptions::default())
}

/// A GLB in the making: set what is wanted in `json`, and add accessors to it.
#[derive(Clone)]
pub(crate) struct Builder {
    pub(crate) json: Value,
    pub(crate) bin: Vec<u8>,
}

impl Builder {
    pub(crate) fn new() -> Self {
        let json = json!({
            "asset": { "version": "2.0" },
            "buffers": [{}], "bufferViews": [], "accessors": [],
        });
        Self { json, bin: Vec::new() }
    }

    fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    /// A view of the bytes, which begin at a multiple of four.
    pub(crate) fn view(&mut self, bytes: impl IntoIterator<Item = u8>) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let start = self.bin.len();
        self.bin.extend(bytes);
        let length = self.bin.len() - start;
        self.push("bufferViews", json!({ "buffer": 0, "byteOffset": start, "byteLength": length }))
    }

    pub(crate) fn accessor(&mut self, accessor: Value) -> usize {
        self.push("accessors", accessor)
    }

    pub(crate) fn f32s(&mut self, shape: &str, values: &[f32]) -> usize {
        let view = self.view(values.iter().flat_map(|value| value.to_le_bytes()));
        self.list(view, 5126, shape, values.len(), false)
    }

    pub(crate) fn u8s(&mut self, shape: &str, values: &[u8], normalized: bool) -> usize {
        let view = self.view(values.iter().copied());
        self.list(view, 5121, shape, values.len(), normalized)
    }

    pub(crate) fn u16s(&mut self, shape: &str, values: &[u16], normalized: bool) -> usize {
        let view = self.view(values.iter().flat_map(|value| value.to_le_bytes()));
        self.list(view, 5123, shape, values.len(), normalized)
    }

    fn list(
        &mut self,
        view: usize,
        component: u32,
        shape: &str,
        values: usize,
        normalized: bool,
    ) -> usize {
        let width = match shape {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        self.accessor(json!({
            "bufferView": view, "componentType": component, "type": shape, "count": values / width,
            "normalized": normalized,
        }))
    }

    /// A triangle as the only mesh, on the only node.
    pub(crate) fn triangle() -> Self {
        let mut builder = Self::new();
        let position = builder.f32s("VEC3", &TRIANGLE);
        builder.json["nodes"] = json!([{ "name": "n", "mesh": 0 }]);
        builder.json["meshes"] =
            json!([{ "primitives": [{ "attributes": { "POSITION": position } }] }]);
        builder
    }

    /// A triangle on a skin of two joints; the weights are those given.
    pub(crate) fn skinned(joints: [u8; 12], weights: [f32; 12]) -> Self {
        let mut builder = Self::triangle();
        let joints = builder.u8s("VEC4", &joints, false);
        let weights = builder.f32s("VEC4", &weights);
        let attributes = &mut builder.json["meshes"][0]["primitives"][0]["attributes"];
        attributes["JOINTS_0"] = json!(joints);
        attributes["WEIGHTS_0"] = json!(weights);
        builder.json["nodes"] = json!([
            { "name": "body", "mesh": 0, "skin": 0 },
            { "name": "a", "children": [2] },
            { "name": "b", "translation": [0, 1, 0] },
        ]);
        builder.json["skins"] = json!([{ "joints": [1, 2] }]);
        builder
    }

    /// A triangle whose node moves.
    pub(crate) fn moving() -> Self {
        let mut builder = Self::triangle();
        let times = builder.f32s("SCALAR", &[0.0, 1.0]);
        let values = builder.f32s("VEC3", &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        builder.json["animations"] = json!([{
            "name": "slide",
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
            "samplers": [{ "input": times, "output": values }],
        }]);
        builder
    }

    /// The JSON as text, with its buffer in a data URI if `uri` is none.
    pub(crate) fn text(mut self, uri: Option<&str>) -> String {
        self.json["buffers"][0]["byteLength"] = json!(self.bin.len());
        let inline = || format!("data:application/octet-stream;base64,{}", base64(&self.bin));
        self.json["buffers"][0]["uri"] = json!(uri.map_or_else(inline, str::to_owned));
        self.json.to_string()
    }

    pub(crate) fn glb(mut self) -> Vec<u8> {
        if self.json["buffers"][0]["byteLength"].is_null() {
            self.json["buffers"][0]["byteLength"] = json!(self.bin.len());
        }
        glb(self.json.to_string().as_bytes(), &self.bin)
    }
}

pub(crate) const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// A GLB of any text and any bytes.
pub(crate) fn glb(json: &[u8], bin: &[u8]) -> Vec<u8> {
    let padded = |bytes: &[u8], with: u8| {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), with);
        bytes
    };
    let (json, bin) = (padded(json, b' '), padded(bin, 0));
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend((28 + json.len() as u32 + bin.len() as u32).to_le_bytes());
    for (bytes, kind) in [(json, b"JSON"), (bin, b"BIN\0")] {
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(bytes);
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
        let bits = bits << (8 * (3 - group.len()));
        for digit in 0..4 {
            let index = bits >> (18 - 6 * digit) & 63;
            let padding = digit > group.len();
            text.push(if padding { '=' } else { DIGITS[index as usize] as char });
        }
    }
    text
}

/// A rig with everything that a GLB can hold and most that makes it hard: several roots, six
/// influences a vertex and one joint twice, morphs, two parts on one joint, clips of all kinds,
/// times before 0, two keys at one time, a track that is overruled.
pub(crate) fn hard_rig() -> Rig {
    let joint = |name: &str, parent: Option<u32>, y: f64| Joint {
        name: name.to_owned(),
        parent: parent.map(JointId),
        rest: Local {
            translation: DVec3::new(0.1, y, 0.0),
            rotation: DQuat::from_rotation_z(0.2) * 3.0,
            scale: DVec3::new(1.0, 1.5, 1.0),
        },
    };
    let joints = vec![
        joint("knee", Some(1), 0.5),
        joint("hip", None, 1.0),
        joint("", Some(1), 0.25),
        joint("apart", None, 2.0),
        joint("toe", Some(0), 0.5),
        joint("knee", Some(4), 0.125),
    ];
    let mut rig = Rig::new("hard", Skeleton::new(joints).unwrap());
    let mesh = || Mesh::new(points(), vec![[0, 1, 2], [2, 1, 3], [3, 3, 3]]).unwrap();
    let all: Vec<JointId> = (0..6).map(JointId).collect();
    let binds: Vec<DAffine3> = (0..6).map(|i| DAffine3::from_rotation_x(f64::from(i))).collect();
    let influence = |(joint, weight): (u16, f32)| Influence { joint, weight };
    let one: Vec<Influence> =
        [(0, 0.3), (1, 0.1), (2, 0.2), (3, 0.1), (4, 0.2), (5, 0.1)].map(influence).to_vec();
    let twice = [(3, 0.25), (3, 0.5), (1, 1e-30), (0, 0.1)].map(influence).to_vec();
    let (mut offsets, mut influences) = (vec![0], Vec::new());
    for own in [&one, &twice, &one[..1].to_vec(), &twice] {
        influences.extend_from_slice(own);
        offsets.push(influences.len() as u32);
    }
    let skin = Skin::new(all, binds, offsets, influences).unwrap();
    let mut skinned = Part::new("skin", mesh(), Hold::Skinned(skin));
    let morph = |name: &str, by: DVec3| Morph { name: name.to_owned(), offsets: vec![by; 4] };
    skinned.morphs = vec![morph("smile", DVec3::X), morph("", DVec3::new(0.0, 0.1, 1e-3))];
    skinned.morph_weights = vec![0.5, 0.0];
    rig.parts = vec![
        skinned,
        Part::new("shoe", mesh(), Hold::Rigid(JointId(4))),
        Part::new("sock", mesh(), Hold::Rigid(JointId(4))),
    ];
    rig.clips = vec![hard_clip(), Clip::new("still".to_owned(), Vec::new()).unwrap()];
    rig.validate().unwrap();
    rig
}

fn points() -> Vec<DVec3> {
    vec![DVec3::ZERO, DVec3::X, DVec3::new(0.1, 1.0, 1.0 / 3.0), DVec3::new(1.0, 1.0, 0.5)]
}

fn hard_clip() -> Clip {
    let track = |target, interpolation, times: &[f64], values: &[f64]| Track {
        target,
        interpolation,
        times: times.to_vec(),
        values: values.to_vec(),
    };
    let (q, r) = ([0.0, 0.0, 0.0, 2.0], [0.6, 0.0, 0.0, 0.8]);
    let spline: Vec<f64> =
        [[0.0; 4], q.map(|x| x / 2.0), [0.1, 0.0, 0.0, 0.0], [0.0; 4], r, [0.0; 4]].concat();
    let tracks = vec![
        track(Target::Rotation(JointId(0)), Interpolation::Cubic, &[-1.0, 1.0], &spline),
        track(Target::Translation(JointId(4)), Interpolation::Step, &[0.0], &[9.0; 3]),
        track(
            Target::Translation(JointId(4)),
            Interpolation::Linear,
            &[-0.5, 0.5, 0.5, 2.0],
            &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0],
        ),
        track(Target::Scale(JointId(1)), Interpolation::Cubic, &[0.5], &[1.0; 9]),
        track(Target::Rotation(JointId(1)), Interpolation::Step, &[0.0, 1.0], &[q, r].concat()),
        track(Target::Weights(0), Interpolation::Linear, &[-1.0, 1.0], &[0.0, 1.0, 1.0, 0.0]),
    ];
    Clip::new("hard".to_owned(), tracks).unwrap()
}
