//! What is known of a file, in the shape in which it is printed as JSON. Lengths are metres.

use std::path::Path;

use elbowroom::Mesh;
use elbowroom_io::clip_choice::default_clip;
use elbowroom_io::trajectory::Trajectories;
use elbowroom_io::{Axis, Document, MeshFile, Source, Units, Up, VertexFrames, rate};
use elbowroom_motion::body::{Clip, Freedom, FreedomKind, Hold, Poser, Primitive, Rig};
use glam::DVec3;
use serde::Serialize;

use crate::load::{Loaded, What};

#[derive(Debug, Serialize)]
pub(super) struct FileReport {
    pub(super) path: String,
    pub(super) ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) format: Option<&'static str>,
    #[serde(flatten)]
    pub(super) content: Option<Content>,
    pub(super) notes: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Content {
    Rigs(RigsReport),
    Frames(FramesReport),
    Trajectories(WaysReport),
}

#[derive(Debug, Serialize)]
pub(super) struct RigsReport {
    pub(super) units: Known<f64>,
    pub(super) up: Known<&'static str>,
    /// Of all parts in the rest pose; of the joints where there is no part.
    pub(super) bounds: Option<Bounds>,
    pub(super) rigs: Vec<RigReport>,
    /// Named runs of faces in a plain mesh.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) groups: Vec<GroupReport>,
    /// Faces of a plain mesh before they were cut into triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) faces: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct Known<T> {
    pub(super) value: T,
    /// said, file or assumed.
    pub(super) source: &'static str,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Bounds {
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
}

#[derive(Debug, Serialize)]
pub(super) struct GroupReport {
    pub(super) name: String,
    pub(super) faces: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct RigReport {
    pub(super) name: String,
    pub(super) joints: Vec<String>,
    pub(super) parts: Vec<PartReport>,
    pub(super) clips: Vec<ClipReport>,
    pub(super) freedoms: Vec<FreedomReport>,
    /// Joints whose parts may touch, by name.
    pub(super) allowed_pairs: Vec<[String; 2]>,
}

#[derive(Debug, Serialize)]
pub(super) struct PartReport {
    pub(super) name: String,
    pub(super) triangles: usize,
    pub(super) vertices: usize,
    pub(super) closed: bool,
    pub(super) closed_after_welding: bool,
    /// After welding, as the next three are.
    pub(super) open_edges: usize,
    pub(super) flipped_edges: usize,
    pub(super) branching_edges: usize,
    pub(super) degenerate_triangles: usize,
    pub(super) bounds: Option<Bounds>,
    /// The joint that a rigid part hangs on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) joint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skin: Option<SkinReport>,
    pub(super) morphs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) primitive: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct SkinReport {
    pub(super) joints: usize,
    pub(super) most_influences: usize,
    pub(super) renormalised_vertices: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct ClipReport {
    pub(super) name: String,
    pub(super) start: f64,
    pub(super) seconds: f64,
    pub(super) tracks: usize,
    pub(super) most_keys: usize,
    /// Null where the keys are uneven.
    pub(super) fps: Option<f64>,
    pub(super) frames: Option<usize>,
    /// Whether it is played where none is asked for.
    pub(super) default: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct FreedomReport {
    pub(super) name: String,
    pub(super) joint: String,
    pub(super) kind: &'static str,
    pub(super) values: usize,
    /// Radians, or metres for a slide; an end that is infinite is null.
    pub(super) range: Option<[Option<f64>; 2]>,
    /// The joint variable that this one follows.
    pub(super) mimics: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct FramesReport {
    pub(super) frames: usize,
    pub(super) fps: Option<f64>,
    pub(super) first_number: i64,
    pub(super) units: Known<f64>,
    /// At the first frame.
    pub(super) part: PartReport,
}

#[derive(Debug, Serialize)]
pub(super) struct WaysReport {
    pub(super) units: Known<f64>,
    pub(super) people: usize,
    pub(super) samples: usize,
    pub(super) first_frame: i64,
    pub(super) last_frame: i64,
    pub(super) fps: Known<f64>,
    pub(super) bounds: Option<Bounds>,
    /// Over the floor, in metres a second.
    pub(super) mean_speed: Option<f64>,
    pub(super) headings: bool,
}

pub(super) fn of(path: &Path, loaded: Result<Loaded, String>) -> FileReport {
    let path_text = path.display().to_string();
    let Loaded { format, what, facts } = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            return FileReport {
                path: path_text,
                ok: false,
                error: Some(error),
                format: None,
                content: None,
                notes: Vec::new(),
            };
        }
    };
    let (content, notes) = match what {
        What::Document(mut document, file) => {
            let notes = std::mem::take(&mut document.notes);
            (Content::Rigs(rigs(&document, file.as_deref())), notes)
        }
        What::Frames(frames) => {
            (Content::Frames(vertex_frames(&frames, facts.units)), frames.notes().to_vec())
        }
        What::Ways(mut ways) => {
            let notes = std::mem::take(&mut ways.notes);
            (Content::Trajectories(trajectories(ways)), notes)
        }
    };
    FileReport {
        path: path_text,
        ok: true,
        error: None,
        format: Some(format),
        content: Some(content),
        notes,
    }
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Said => "given",
        Source::File => "file",
        Source::Assumed => "assumed",
    }
}

fn units(units: Units) -> Known<f64> {
    Known { value: units.metres_per_unit, source: source(units.source) }
}

fn up(up: Up) -> Known<&'static str> {
    let value = match up.axis {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
    };
    Known { value, source: source(up.source) }
}

/// The box around points, in metres; none without points or beyond the numbers.
fn bounds(points: impl Iterator<Item = DVec3>, metres_per_unit: f64) -> Option<Bounds> {
    let ends = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = points.fold(ends, |(low, high), p| (low.min(p), high.max(p)));
    let (low, high) = (low * metres_per_unit, high * metres_per_unit);
    let there = low.is_finite() && high.is_finite();
    there.then(|| Bounds { low: low.to_array(), high: high.to_array() })
}

fn rigs(document: &Document, file: Option<&MeshFile>) -> RigsReport {
    let metres = document.units.metres_per_unit;
    let rigs: Vec<RigReport> = document.rigs.iter().map(|of| rig(of, metres)).collect();
    let boxes = rigs.iter().flat_map(|rig| &rig.parts).filter_map(|part| part.bounds);
    let corners = boxes.flat_map(|b| [b.low, b.high]).map(DVec3::from_array);
    let around = bounds(corners, 1.0).or_else(|| {
        let mut world = Vec::new();
        let mut places = Vec::new();
        for rig in &document.rigs {
            rig.skeleton.world(&rig.rest_pose(), &mut world);
            places.extend(world.iter().map(|joint| joint.translation));
        }
        bounds(places.into_iter(), metres)
    });
    let groups = file.map_or(&[][..], |file| &file.parts);
    RigsReport {
        units: units(document.units),
        up: up(document.up),
        bounds: around,
        rigs,
        groups: groups
            .iter()
            .map(|part| GroupReport { name: part.name.clone(), faces: part.faces })
            .collect(),
        faces: file.map(|file| file.faces),
    }
}

fn rig(rig: &Rig, metres: f64) -> RigReport {
    let joint_name = |index: usize| rig.skeleton.joints()[index].name.clone();
    let (mut poser, mut points) = (Poser::new(), Vec::new());
    poser.set(rig, &rig.rest_pose());
    let parts = rig.parts.iter().enumerate().map(|(index, part)| {
        poser.part(rig, index, &mut points);
        let corners = part.mesh.triangles().iter().flatten().map(|&i| points[i as usize]);
        let mut report = mesh(&part.name, &part.mesh, bounds(corners, metres));
        match &part.hold {
            Hold::Rigid(joint) => report.joint = Some(joint_name(joint.index())),
            Hold::Skinned(skin) => {
                let influences = |vertex| skin.influences(vertex).iter();
                let heavy = |vertex| influences(vertex).filter(|i| i.weight > 0.0).count();
                report.skin = Some(SkinReport {
                    joints: skin.joints().len(),
                    most_influences: (0..skin.vertices_len() as u32).map(heavy).max().unwrap_or(0),
                    renormalised_vertices: skin.renormalised(),
                });
            }
        }
        report.morphs = part.morphs.iter().map(|morph| morph.name.clone()).collect();
        report.primitive = part.primitive.map(|(_, primitive)| primitive_name(&primitive));
        report
    });
    RigReport {
        name: rig.name.clone(),
        parts: parts.collect(),
        joints: rig.skeleton.joints().iter().map(|joint| joint.name.clone()).collect(),
        clips: clips(&rig.clips),
        freedoms: rig.freedoms.iter().map(|of| freedom(rig, of, metres)).collect(),
        allowed_pairs: rig
            .allowed
            .iter()
            .map(|&(a, b)| [a, b].map(|joint| joint_name(joint as usize)))
            .collect(),
    }
}

fn mesh(name: &str, mesh: &Mesh, bounds: Option<Bounds>) -> PartReport {
    let closed = mesh.seams().is_closed();
    let welded = mesh.welded().seams();
    PartReport {
        name: name.to_owned(),
        triangles: mesh.triangles().len(),
        vertices: mesh.vertices().len(),
        closed,
        closed_after_welding: welded.is_closed(),
        open_edges: welded.boundary,
        flipped_edges: welded.inconsistent,
        branching_edges: welded.branching,
        degenerate_triangles: welded.degenerate,
        bounds,
        joint: None,
        skin: None,
        morphs: Vec::new(),
        primitive: None,
    }
}

fn primitive_name(primitive: &Primitive) -> &'static str {
    match primitive {
        Primitive::Sphere { .. } => "sphere",
        Primitive::Capsule { .. } => "capsule",
        Primitive::Cuboid { .. } => "box",
        Primitive::Cylinder { .. } => "cylinder",
        Primitive::Ellipsoid { .. } => "ellipsoid",
        Primitive::HalfSpace => "half-space",
    }
}

fn clips(clips: &[Clip]) -> Vec<ClipReport> {
    let default = default_clip(clips);
    clips.iter().enumerate().map(|(index, of)| clip(of, default == Some(index))).collect()
}

fn clip(clip: &Clip, default: bool) -> ClipReport {
    let rate = rate::rate(clip);
    ClipReport {
        name: clip.name().to_owned(),
        start: clip.start(),
        seconds: clip.seconds(),
        tracks: clip.tracks().len(),
        most_keys: rate::most_keys(clip),
        fps: rate.map(|rate| rate.fps),
        frames: rate.map(|rate| rate.frames),
        default,
    }
}

fn freedom(rig: &Rig, freedom: &Freedom, metres: f64) -> FreedomReport {
    let slide = freedom.kind == FreedomKind::Slide;
    let end = |value: f64| value.is_finite().then_some(if slide { value * metres } else { value });
    let followed =
        |mimic: &elbowroom_motion::body::Mimic| Some(rig.freedoms.get(mimic.of)?.name.clone());
    FreedomReport {
        name: freedom.name.clone(),
        joint: rig.skeleton.joints()[freedom.joint.index()].name.clone(),
        kind: match freedom.kind {
            FreedomKind::Hinge => "hinge",
            FreedomKind::Slide => "slide",
            FreedomKind::Ball => "ball",
            FreedomKind::Free => "free",
        },
        values: if freedom.mimic.is_some() { 0 } else { freedom.kind.width() },
        range: freedom.range.map(|(low, high)| [end(low), end(high)]),
        mimics: freedom.mimic.as_ref().and_then(followed),
    }
}

fn vertex_frames(frames: &VertexFrames, of: Units) -> FramesReport {
    let first = frames.mesh();
    let corners = first.triangles().iter().flatten().map(|&i| first.vertices()[i as usize]);
    FramesReport {
        frames: frames.len(),
        fps: frames.fps(),
        first_number: frames.first_number(),
        units: units(of),
        part: mesh("", first, bounds(corners, of.metres_per_unit)),
    }
}

fn trajectories(ways: Trajectories) -> WaysReport {
    let known = units(ways.units);
    let (first_frame, last_frame) = ways.frames().unwrap_or((0, 0));
    let ways = ways.to_metres();
    let (mut way, mut seconds) = (0.0, 0.0);
    for person in &ways.people {
        for (points, frames) in person.positions.windows(2).zip(person.frames.windows(2)) {
            way += (points[1] - points[0]).truncate().length();
            seconds += (frames[1] - frames[0]) as f64 / ways.rate.fps;
        }
    }
    let places = ways.people.iter().flat_map(|person| person.positions.iter().copied());
    WaysReport {
        units: known,
        people: ways.people.len(),
        samples: ways.samples(),
        first_frame,
        last_frame,
        fps: Known { value: ways.rate.fps, source: source(ways.rate.source) },
        bounds: bounds(places, 1.0),
        mean_speed: (seconds > 0.0).then_some(way / seconds),
        headings: ways.people.iter().any(|person| !person.headings.is_empty()),
    }
}
