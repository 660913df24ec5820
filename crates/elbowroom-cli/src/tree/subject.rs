//! What a file gives to build over: a mesh, a body of links, a motion; as far as it holds them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use elbowroom::Mesh;
use elbowroom_io::{Axis, Document, FileFacts, ReadOptions, Source, VertexFrames};
use elbowroom_make::{rigid_frames, skin_links};
use elbowroom_motion::body::{Clip, Hold, Rig};
use elbowroom_motion::space_time::{Reach, Taking, Trace};
use elbowroom_papers::cab::ArticulatedBody;
use glam::{DAffine3, DVec3};

use super::kind::{Named, Sort};
use crate::actors::up;
use crate::bake::Still;
use crate::load::{What, load};
use crate::messages::{Refusal, printable};
use crate::save::refusal;
use crate::time_arg::MomentArgs;
use crate::units::ReadArgs;

const HINT: &str =
    "name a mesh, a robot, a character or a motion; `elbowroom info` says what a file holds";

/// A file, ready to be built over.
pub(super) struct Subject {
    pub(super) path: PathBuf,
    pub(super) name: String,
    /// At rest or at the moment that was asked for.
    pub(super) mesh: Option<Mesh>,
    pub(super) body: Option<Body>,
    pub(super) trace: Option<Trace>,
    /// Of mesh and links.
    pub(super) up: Axis,
    /// Metres in a unit of the numbers; `None` if it is not given.
    pub(super) metres: Option<f64>,
    pub(super) facts: FileFacts,
    pub(super) notes: Vec<String>,
    is_character: bool,
}

/// Links that move.
pub(super) struct Body {
    rig: Rig,
    pub(super) links: Arc<ArticulatedBody>,
    pub(super) clip: Option<Clip>,
    /// The time that was asked for; `None` for the rest pose.
    pub(super) moment: Option<f64>,
    is_skinned: bool,
}

impl Body {
    /// Where the joints are at a time, or at rest.
    pub(super) fn joints(&self, time: Option<f64>) -> Vec<DAffine3> {
        let (mut pose, mut world) = (self.rig.rest_pose(), Vec::new());
        if let (Some(clip), Some(time)) = (&self.clip, time) {
            clip.sample(time, &mut pose);
        }
        self.rig.skeleton.world(&pose, &mut world);
        if self.is_skinned {
            rigid_frames(&mut world);
        }
        world
    }
}

impl Subject {
    pub(super) fn has(&self, sort: Sort) -> bool {
        match sort {
            Sort::Meshes => self.mesh.is_some(),
            Sort::Links => self.body.is_some(),
            Sort::Motions => self.trace.is_some(),
        }
    }

    /// Whether it has links that move against each other.
    pub(super) fn is_joined(&self) -> bool {
        self.body.as_ref().is_some_and(|body| body.links.links().len() > 1)
    }

    /// The kind of hierarchies that fits the subject best.
    pub(super) fn main_sort(&self) -> Sort {
        match (&self.mesh, &self.trace) {
            (None, Some(_)) => Sort::Motions,
            _ if self.is_joined() => Sort::Links,
            _ => Sort::Meshes,
        }
    }

    /// The kind that is built if none is named.
    pub(super) fn usual(&self) -> &'static str {
        match self.main_sort() {
            Sort::Motions => "mobb",
            Sort::Links if !self.is_character => "cab",
            Sort::Links => "bch",
            Sort::Meshes => "obbtree",
        }
    }

    /// Why a kind does not fit.
    pub(super) fn lacks(&self, kind: &Named) -> Refusal {
        let (what, hint) = match kind.sort() {
            Sort::Meshes => ("has no mesh", "name a mesh, a robot or a character"),
            Sort::Links => ("has no links", "name a robot, or a character with a skin"),
            Sort::Motions => ("holds no motion", "name a capture, or a character with a clip"),
        };
        refusal(&self.path, &format!("{what}, which {} is over", kind.name), hint)
    }

    /// The mesh with z up, as it is seen from above; the numbers are the same, in another order.
    pub(super) fn upright(&self) -> Option<Mesh> {
        let (mesh, up) = (self.mesh.as_ref()?, up(self.up));
        let stood = |&p: &DVec3| up.ground(p).extend(up.height(p));
        mesh.with_vertices(mesh.vertices().iter().map(stood).collect()).ok()
    }
}

/// Reads the files, in one unit and with one axis up.
pub(super) fn read_all(
    paths: &[PathBuf],
    read: &ReadArgs,
    moment: &MomentArgs,
    radius: Option<f64>,
) -> Result<Vec<Subject>, Refusal> {
    let mut loaded = Vec::new();
    for path in paths {
        // A rest pose in front of a capture stands elsewhere, with its arms out.
        let options = ReadOptions { skip_rest_frame: true, ..read.options() };
        let problem = |problem| Refusal { problems: vec![problem], hint: HINT.to_owned() };
        loaded.push(load(path, &options).map_err(problem)?);
    }
    // Plain meshes have the numbers of their files, as in `check`, unless they are of several
    // units.
    let is_plain = |what: &What| matches!(what, What::Document(_, Some(_)) | What::Frames(_));
    let common = loaded[0].facts.units.metres_per_unit;
    let same = loaded.iter().all(|it| {
        it.facts.units.metres_per_unit == common && it.facts.up.axis == loaded[0].facts.up.axis
    });
    let as_is = same && loaded.iter().all(|it| is_plain(&it.what));
    let axis = loaded[0].facts.up.axis;
    let each = loaded.into_iter().zip(paths);
    each.map(|(it, path)| match it.what {
        What::Document(document, _) => {
            let placing = if as_is { None } else { Some(axis) };
            of_document(path, document, it.facts, placing, (moment, radius))
        }
        What::Frames(_) if !as_is => Err(refusal(
            path,
            "holds vertices over time in another unit, or beside a character",
            "write one frame of it with `elbowroom convert`",
        )),
        What::Frames(frames) => of_frames(path, *frames, it.facts, moment),
        What::Ways(_) => Err(refusal(path, "holds trajectories, and no body", HINT)),
    })
    .collect()
}

fn empty(path: &Path, facts: FileFacts, up: Axis, metres: Option<f64>) -> Subject {
    let name = printable(&path.file_name().unwrap_or_default().to_string_lossy());
    let (mesh, body, trace) = (None, None, None);
    let (path, notes, is_character) = (path.to_owned(), Vec::new(), false);
    Subject { path, name, mesh, body, trace, up, metres, facts, notes, is_character }
}

fn of_frames(
    path: &Path,
    mut frames: VertexFrames,
    facts: FileFacts,
    moment: &MomentArgs,
) -> Result<Subject, Refusal> {
    let number = moment.frame.unwrap_or_else(|| frames.first_number());
    let place = (0..frames.len()).find(|&place| frames.number(place) == Some(number));
    let place = place.ok_or_else(|| {
        refusal(path, &format!("has no frame {number}"), "`elbowroom info` lists its frames")
    })?;
    let mut vertices = Vec::new();
    let bad = |error: &dyn std::fmt::Display| refusal(path, &error.to_string(), "mend the file");
    frames.read(place, &mut vertices).map_err(|error| bad(&error))?;
    let mesh = frames.mesh().with_vertices(vertices).map_err(|error| bad(&error))?;
    let metres = known(&facts);
    let up = facts.up.axis;
    let mut subject = Subject { mesh: Some(mesh), ..empty(path, facts, up, metres) };
    subject.notes.extend(frames.notes().iter().cloned());
    Ok(subject)
}

fn of_document(
    path: &Path,
    mut document: Document,
    facts: FileFacts,
    placing: Option<Axis>,
    (moment, radius): (&MomentArgs, Option<f64>),
) -> Result<Subject, Refusal> {
    let mut notes = std::mem::take(&mut document.notes);
    notes.retain(|note| !note.contains("--units") && !note.contains("--up"));
    let mut still = Still::at_rest(document);
    let known = known(&facts);
    let (mut axis, mut metres) = (facts.up.axis, known);
    if let Some(to) = placing {
        still = still.in_metres()?.turned(to)?;
        (axis, metres) = (to, Some(1.0));
    }
    if moment.is_asked() {
        still.set(moment)?;
    }
    let Still { document, .. } = &still;
    let has_faces = |rig: &Rig| rig.parts.iter().any(|part| !part.mesh.triangles().is_empty());
    let mut subject = Subject { notes, ..empty(path, facts, axis, metres) };
    let rigs = &document.rigs;
    let has_clip = rigs.iter().any(|rig| !rig.clips.is_empty());
    if has_clip {
        subject.trace = Some(trace(path, rigs, (axis, metres), moment, radius)?);
        subject.notes.extend(moment.choice_notes(rigs));
    }
    if let Some(rig) = rigs.iter().find(|rig| has_faces(rig)) {
        subject.is_character = rig.parts.iter().any(|part| matches!(part.hold, Hold::Skinned(_)));
        let made = still.mesh()?;
        let mesh = Mesh::new(made.vertices().to_vec(), made.triangles().to_vec());
        subject.mesh = Some(mesh.map_err(|error| refusal(path, &error.to_string(), HINT))?);
        subject.body = body(path, rig, moment)?;
    }
    if subject.mesh.is_none() && subject.trace.is_none() {
        let what = "has neither a mesh nor a motion to build a tree over";
        return Err(refusal(path, what, HINT));
    }
    Ok(subject)
}

/// The links of the first rig that has a mesh; `None` if all of it deforms.
fn body(path: &Path, rig: &Rig, moment: &MomentArgs) -> Result<Option<Body>, Refusal> {
    let bad = |error: &dyn std::fmt::Display| refusal(path, &error.to_string(), "mend the file");
    let is_skinned = rig.parts.iter().any(|part| matches!(part.hold, Hold::Skinned(_)));
    let mut rig = rig.clone();
    if is_skinned {
        rig.parts = skin_links(&rig).map_err(|error| bad(&error))?;
    }
    rig.parts.retain(|part| !part.mesh.triangles().is_empty());
    if rig.parts.iter().all(|part| !part.morphs.is_empty()) {
        return Ok(None);
    }
    let links = Arc::new(ArticulatedBody::of_rig(&rig).map_err(|error| bad(&error))?);
    let clip = if rig.clips.is_empty() {
        None
    } else {
        moment.clips(std::slice::from_ref(&rig))?[0].cloned()
    };
    let asked = clip.as_ref().filter(|_| moment.is_asked());
    let moment = asked.map(|clip| moment.time_in(clip)).transpose()?;
    Ok(Some(Body { rig, links, clip, moment, is_skinned }))
}

fn trace(
    path: &Path,
    rigs: &[Rig],
    (axis, metres): (Axis, Option<f64>),
    moment: &MomentArgs,
    radius: Option<f64>,
) -> Result<Trace, Refusal> {
    let (rig, clip) = moment.first(path, rigs)?;
    let taking = Taking {
        up: up(axis),
        reach: radius.map_or(Reach::Farthest, Reach::Fixed),
        scale: metres.unwrap_or(1.0),
        fps: Some(moment.fps.unwrap_or(30.0)),
        ..Taking::default()
    };
    let is_bare = rig.parts.iter().all(|part| part.mesh.vertices().is_empty());
    let taken = if is_bare {
        Trace::from_clip(&rig.skeleton, clip, &taking)
    } else {
        rig.validate().map_err(|error| refusal(path, &error.to_string(), "mend the file"))?;
        Trace::from_rig(rig, clip, &taking)
    };
    let hint = "say another rate with --fps or another unit with --units";
    taken.map_err(|error| refusal(path, &error.to_string(), hint))
}

/// Metres in a unit, if it is given.
fn known(facts: &FileFacts) -> Option<f64> {
    (facts.units.source != Source::Assumed).then_some(facts.units.metres_per_unit)
}
