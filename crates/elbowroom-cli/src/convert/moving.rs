//! All frames of a clip or a sequence, into an archive or a file each.

use elbowroom::body::{Pose, Rig};
use elbowroom_io::npz_out::Archive;
use elbowroom_io::{Axis, Document, MeshOut, VertexFrames};

use super::{ConvertArgs, Written, lost, save_still, unfit, write_mesh};
use crate::moment::MomentArgs;
use crate::rate;
use crate::save::{self, Draft, Failure, Target, check_free, refusal, unwritten};
use crate::still::Still;
use crate::words::{Refusal, count, grouped, short};

/// More frames than anybody asks for on purpose.
const MOST_FRAMES: usize = 1_000_000;

/// Writes every frame of a clip.
pub(super) fn write_clip(
    args: &ConvertArgs,
    target: &Target,
    mut still: Still,
    mut notes: Vec<String>,
) -> Result<Written, Failure> {
    let (frames, fps, starts) = frames_of(args, &still.document.rigs)?;
    if starts != 0.0 {
        notes.push(format!("frame 0 is at {starts} s of the clip's own time"));
    }
    let mesh_at = |frame: usize| {
        set_poses(&mut still, &args.moment, |start| start + frame as f64 / fps);
        Ok(still.mesh()?)
    };
    write_moving(args, target, frames, Some(fps), notes, mesh_at)
}

/// Sets every rig that has the clip to a time, which may depend on the clip's beginning.
fn set_poses(still: &mut Still, moment: &MomentArgs, time: impl Fn(f64) -> f64) {
    let posed = |rig: &Rig| -> Pose {
        let mut pose = rig.rest_pose();
        if let Some(clip) = moment.clip_of(rig) {
            clip.sample(time(clip.start()), &mut pose);
        }
        pose
    };
    still.poses = still.document.rigs.iter().map(posed).collect();
}

/// How many frames, at which rate, and when the longest of the clips begins.
fn frames_of(args: &ConvertArgs, rigs: &[Rig]) -> Result<(usize, f64, f64), Refusal> {
    let clips = args.moment.clips(rigs)?;
    if args.moment.frame.is_some() || args.moment.time.is_some() {
        let what = "holds all frames of a clip, but --frame or --time asks for one";
        return Err(refusal(&args.output, what, "write an .obj or .glb for a single one"));
    }
    let clips = clips.iter().copied().flatten();
    let Some(longest) = clips.max_by(|a, b| a.seconds().total_cmp(&b.seconds())) else {
        return Err(refusal(&args.output, "no clip", "name one with --clip"));
    };
    let fps = args.moment.rate_of(longest)?;
    let frames = rate::frames(longest.seconds(), fps);
    if frames > MOST_FRAMES {
        let what = format!("{} are more than a file should have", count(frames as u64, "frame"));
        return Err(refusal(&args.output, &what, "say fewer a second with --fps"));
    }
    Ok((frames, fps, longest.start()))
}

/// Writes all frames, into an archive or a file each.
pub(super) fn write_moving(
    args: &ConvertArgs,
    target: &Target,
    frames: usize,
    fps: Option<f64>,
    mut notes: Vec<String>,
    mut mesh_at: impl FnMut(usize) -> Result<MeshOut, Failure>,
) -> Result<Written, Failure> {
    let first = mesh_at(0)?;
    if let Target::Numbered(numbered) = target {
        (0..frames).try_for_each(|frame| check_free(&numbered.path(frame), args.save.force))?;
        notes.extend(lost::in_mesh(&first, numbered.kind, args.save.ascii));
        for frame in 0..frames {
            let (path, mesh) = (numbered.path(frame), mesh_at(frame)?);
            let bytes = numbered.kind.bytes(&mesh, args.save.encoding());
            save::write_fast(&path, &bytes.map_err(|error| unfit(&path, &error))?)?;
        }
    } else {
        notes.extend(lost::groups(&first, "NPZ"));
        let mut draft = Draft::new(&args.output)?;
        let failed = |error: elbowroom_io::WriteError| unwritten(&args.output, &error);
        let out = std::io::BufWriter::new(&mut draft.file);
        let mut archive = Archive::new(out, frames, first.vertices().len()).map_err(failed)?;
        for frame in 0..frames {
            archive.frame(mesh_at(frame)?.vertices()).map_err(failed)?;
        }
        archive.finish(first.triangles(), fps).map_err(failed)?;
        draft.finish()?;
    }
    let rate = fps.map_or(String::new(), |fps| format!(" at {} a second", short(fps)));
    let line = format!(
        "{}: {}{rate}, {} vertices each",
        args.output.display(),
        count(frames as u64, "frame"),
        grouped(first.vertices().len() as u64)
    );
    Ok(Written { line, notes })
}

/// A mesh over frames, read as it is written.
pub(super) fn write_frames(
    args: &ConvertArgs,
    target: &Target,
    mut frames: VertexFrames,
) -> Result<Written, Failure> {
    let notes = frames.notes().to_vec();
    let (count_of, fps) = (frames.len(), args.moment.fps.or(frames.fps()));
    let name = args.output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = name.split('.').next().unwrap_or_default().to_owned();
    let mut points = Vec::new();
    let mut still_at = |frame: usize| -> Result<Still, Failure> {
        frames.read(frame, &mut points).map_err(|error| Refusal {
            problems: vec![error.to_string()],
            hint: "mend or leave out that frame".to_owned(),
        })?;
        let mesh = elbowroom::Mesh::new(points.clone(), frames.mesh().triangles().to_vec());
        let mesh = mesh.map_err(|error| unfit(&args.input, &error))?;
        let document = Document::of_mesh(&name, mesh, &args.read.options().at(&args.input));
        let mut still = Still::at_rest(document.map_err(|error| unfit(&args.input, &error))?);
        if args.metres || *target == Target::Glb {
            still = still.in_metres()?;
        }
        match if *target == Target::Glb { Some(Axis::Y) } else { args.to_up } {
            Some(axis) => Ok(still.turned(axis)?),
            None => Ok(still),
        }
    };
    if matches!(target, Target::Npz | Target::Numbered(_)) {
        return write_moving(args, target, count_of, fps, notes, |frame| {
            Ok(still_at(frame)?.mesh()?)
        });
    }
    let frame = args.moment.frame.unwrap_or(0);
    if frame >= count_of || args.moment.time.is_some() || args.moment.clip.is_some() {
        let what = format!("has {}, and no clips", count(count_of as u64, "frame"));
        return Err(refusal(&args.input, &what, "say a --frame, from 0").into());
    }
    let (still, pose) = (still_at(frame)?, format!("frame {frame} of {count_of}"));
    if *target == Target::Glb {
        return save_still(&args.output, &still, &pose, notes);
    }
    write_mesh(&args.output, target, &still.mesh()?, &args.save, &format!(", {pose}"), notes)
}
