//! FBX, as text or binary, of any version since 3000: nodes, meshes, skins, blend shapes and
//! animation stacks.
//!
//! The format has no public specification and thirty years of dialects, so the parsing is left to
//! the library `ufbx`, which is fuzzed by its authors and here. What we do: every node becomes a
//! joint (joint i is node i, the first is the file's root); pivots, rotation orders and offsets are
//! folded into T·R·S; transforms of geometry and scale that is not inherited become joints of their
//! own, which keeps them exact. Polygons are cut by our own triangulation. Every animation stack
//! becomes a clip, its curves and layers baked to straight lines at the file's rate. Shapes in
//! between and the frames of point caches are morphs of their own.
//!
//! Units and axes are what the file says, and are stated, not applied; only left-handed files and
//! those whose up axis points down are turned to right-handed with Y up.
//!
//! Invariants: see [`crate`]; the library's memory is bounded by [`ReadOptions::max_decoded_bytes`]
//! as ours is.

use std::path::Path;

use elbowroom_motion::body::{Joint, JointId, Local, Rig, Skeleton};
use glam::{DAffine3, DMat3, DQuat, DVec3};
use ufbx::{
    AllocatorOpts, CoordinateAxes, CoordinateAxis, ErrorType, FileFormat,
    GeometryTransformHandling, IndexErrorHandling, InheritModeHandling, LoadOpts, MirrorAxis,
    OpenFileCb, OpenFileInfo, Scene, SceneRoot, StringOpt, WarningType,
};

use crate::document::{Axis, Document, ReadOptions, Source, Units, Up};
use crate::error::{Fault, ParseError};
use crate::limits::FBX_NESTING;
use crate::odd::{Notes, too_large};
use crate::text::quote;
use crate::winding;

use files::Files;

mod active;
mod clips;
mod files;
mod morphs;
mod moved;
mod nesting;
mod parts;
mod skin;

/// Reads the bytes of an FBX file. Of the files that it names only point caches are opened, and
/// only those in its folder unless the caller allows more.
///
/// # Errors
/// Says what is wrong, in which node or mesh, and what to do.
pub fn parse(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Document, ParseError> {
    let files = Files { folder, allow_outside: options.allow_outside };
    read(bytes, &files, options).map_err(|fault| fault.in_text(&[]))
}

fn read(bytes: &[u8], files: &Files<'_>, options: &ReadOptions) -> Result<Document, Fault> {
    if bytes.is_empty() {
        return Err(Fault::whole("the file is empty; export it again"));
    }
    let mut notes = Notes::default();
    let mut scene = load(bytes, files, options, None)?;
    let up = if let Some(up) = up(&scene.settings.axes) {
        up
    } else {
        notes.add(|| {
            "the file is left-handed or its up axis points down; it was turned to right-handed with Y up"
                .to_owned()
        });
        scene = load(bytes, files, options, Some(CoordinateAxes::right_handed_y_up()))?;
        Up { axis: Axis::Y, source: Source::File }
    };
    let warned = scene.metadata.warnings.iter();
    for warning in warned.filter(|warning| warning.type_ != WarningType::MissingExternalFile) {
        notes.add(|| format!("{} ({} times)", &*warning.description, warning.count.max(1)));
    }
    let mut budget = Budget { limit: options.max_decoded_bytes, left: options.max_decoded_bytes };
    let rig = rig(&scene, (active::stack_name(bytes), files), &mut budget, &mut notes)?;
    Ok(Document { rigs: vec![rig], units: units(&scene), up, notes: notes.0 })
}

fn rig(
    scene: &Scene,
    (active, files): (Option<&[u8]>, &Files<'_>),
    budget: &mut Budget,
    notes: &mut Notes,
) -> Result<Rig, Fault> {
    let skeleton = Skeleton::new(joints(scene))
        .map_err(|error| Fault::whole(format!("the node tree: {error}")))?;
    let parts = parts::Parts::read(scene, files, budget, notes)?;
    let clips = clips::read(scene, active, &parts, budget, notes)?;
    let mut rig = Rig::new("", skeleton);
    rig.parts = parts.parts;
    rig.clips = clips;
    rig.validate().map_err(|error| Fault::whole(error.to_string()))?;
    moved::note(scene, &rig, notes);
    winding::keep_outside(&mut rig);
    Ok(rig)
}

fn load(
    bytes: &[u8],
    files: &Files<'_>,
    options: &ReadOptions,
    target_axes: Option<CoordinateAxes>,
) -> Result<SceneRoot, Fault> {
    let limit = limited(options.max_decoded_bytes);
    let unknown = CoordinateAxis::Unknown;
    let open = |path: &str, info: &OpenFileInfo| files.open(path, info);
    let opts = LoadOpts {
        temp_allocator: limit(),
        result_allocator: limit(),
        ignore_embedded: true,
        load_external_files: files.folder.is_some(),
        ignore_missing_external_files: true,
        filename: files.name().map_or(StringOpt::Unset, StringOpt::Owned),
        open_file_cb: OpenFileCb::Ref(&open),
        // A bad corner shows as one that does not exist, and is refused where the mesh is read.
        index_error_handling: IndexErrorHandling::NoIndex,
        geometry_transform_handling: GeometryTransformHandling::HelperNodes,
        inherit_mode_handling: InheritModeHandling::HelperNodes,
        target_axes: target_axes.unwrap_or(CoordinateAxes {
            right: unknown,
            up: unknown,
            front: unknown,
        }),
        handedness_conversion_axis: target_axes.map_or(MirrorAxis::None, |_| MirrorAxis::X),
        file_format: FileFormat::Fbx,
        ..LoadOpts::default()
    };
    ufbx::load_memory(bytes, opts).map_err(|error| refused(&error, bytes, options))
}

/// Makes the options of an allocator that ends at a number of bytes.
fn limited(bytes: u64) -> impl Fn() -> AllocatorOpts {
    let memory_limit = usize::try_from(bytes).unwrap_or(usize::MAX).max(1);
    move || AllocatorOpts { memory_limit, ..AllocatorOpts::default() }
}

fn refused(error: &ufbx::Error, bytes: &[u8], options: &ReadOptions) -> Fault {
    let why = match error.type_ {
        ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
            return too_large(options.max_decoded_bytes);
        }
        ErrorType::UnrecognizedFileFormat => "not an FBX file; check what it is".to_owned(),
        ErrorType::TruncatedFile => "the file is truncated; copy or export it again".to_owned(),
        ErrorType::Unknown if nesting::levels(bytes) >= FBX_NESTING => {
            format!("records nest deeper than {FBX_NESTING}; export it again")
        }
        // The library does not say where it stopped.
        ErrorType::Unknown => "the FBX is damaged: a value in it does not fit the rest, like a corner beyond the last vertex; export it again".to_owned(),
        _ => format!("cannot be read as FBX ({}); export it again", &*error.description),
    };
    Fault::whole(why)
}

/// How many bytes may still be decoded.
struct Budget {
    limit: u64,
    left: u64,
}

impl Budget {
    fn spend(&mut self, bytes: usize) -> Result<(), Fault> {
        self.left = self.left.checked_sub(bytes as u64).ok_or_else(|| too_large(self.limit))?;
        Ok(())
    }
}

fn units(scene: &Scene) -> Units {
    let metres_per_unit = scene.settings.unit_meters;
    if metres_per_unit.is_finite() && metres_per_unit > 0.0 {
        Units { metres_per_unit, source: Source::File }
    } else {
        // The centimetre is what the format means where it says nothing.
        Units { metres_per_unit: 0.01, source: Source::Assumed }
    }
}

/// The up axis of a right-handed file; `None` if it must be turned first.
fn up(axes: &CoordinateAxes) -> Option<Up> {
    let [right, up, front] = [axes.right, axes.up, axes.front].map(direction);
    let (Some(right), Some(up), Some(front)) = (right, up, front) else {
        return Some(Up { axis: Axis::Y, source: Source::Assumed });
    };
    let axis = match axes.up {
        CoordinateAxis::PositiveX => Axis::X,
        CoordinateAxis::PositiveY => Axis::Y,
        CoordinateAxis::PositiveZ => Axis::Z,
        _ => return None,
    };
    (right.cross(up).dot(front) > 0.0).then_some(Up { axis, source: Source::File })
}

fn direction(axis: CoordinateAxis) -> Option<DVec3> {
    match axis {
        CoordinateAxis::PositiveX => Some(DVec3::X),
        CoordinateAxis::NegativeX => Some(DVec3::NEG_X),
        CoordinateAxis::PositiveY => Some(DVec3::Y),
        CoordinateAxis::NegativeY => Some(DVec3::NEG_Y),
        CoordinateAxis::PositiveZ => Some(DVec3::Z),
        CoordinateAxis::NegativeZ => Some(DVec3::NEG_Z),
        CoordinateAxis::Unknown => None,
    }
}

/// A joint for every node, in the order of the nodes.
fn joints(scene: &Scene) -> Vec<Joint> {
    let joint = |node: &ufbx::Node| Joint {
        name: name(node),
        parent: node.parent.as_ref().map(|parent| id(parent)),
        rest: local(&node.local_transform),
    };
    (&scene.nodes).into_iter().map(joint).collect()
}

/// The joint of a node.
fn id(node: &ufbx::Node) -> JointId {
    JointId(node.element.typed_id)
}

/// A node's own name, or one that says what it is there for.
fn name(node: &ufbx::Node) -> String {
    let parent =
        || node.parent.as_ref().map_or(String::new(), |parent| parent.element.name.to_string());
    if node.is_root {
        "root".to_owned()
    } else if node.is_geometry_transform_helper {
        format!("{}.geometry", parent())
    } else if node.is_scale_helper {
        format!("{}.scale", parent())
    } else if node.element.name.is_empty() {
        format!("node_{}", node.element.typed_id)
    } else {
        node.element.name.to_string()
    }
}

/// What a node is called in messages.
fn place(node: &ufbx::Node) -> String {
    format!("node {}", quote(name(node).as_bytes()))
}

fn vector(v: ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

fn quaternion(q: ufbx::Quat) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}

fn local(transform: &ufbx::Transform) -> Local {
    Local {
        translation: vector(transform.translation),
        rotation: quaternion(transform.rotation),
        scale: vector(transform.scale),
    }
}

fn affine(m: &ufbx::Matrix) -> DAffine3 {
    let matrix3 = DMat3::from_cols(
        DVec3::new(m.m00, m.m10, m.m20),
        DVec3::new(m.m01, m.m11, m.m21),
        DVec3::new(m.m02, m.m12, m.m22),
    );
    DAffine3 { matrix3, translation: DVec3::new(m.m03, m.m13, m.m23) }
}
