//! All frames of a clip or a sequence, into an archive or a file each.

use elbowroom_io::npz_out::Archive;
use elbowroom_io::{Axis, Document, MeshOut, VertexFrames, rate};
use elbowroom_motion::body::Clip;

use super::{ConvertArgs, Written, lost, save_still, unfit, write_mesh};
use crate::bake::Still;
use crate::messages::{Refusal, count, grouped, short};
use crate::save::{self, Draft, Failure, Target, check_free, refusal, unwritten};

/// More frames than anybody asks for on purpose.
const MOST_FRAMES: f64 = 1e6;

/// The largest number that a frame may have.
const MOST_NUMBER: f64 = 1e9;

/// Frames that follow each other.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// The number of the first on the timeline, of which frame 0 is at time 0.
    pub(super) first: i64,
    /// How many there are, at least one.
    pub(super) frames: usize,
    pub(super) fps: Option<f64>,
}

/// Writes every frame of a clip.
pub(super) fn write_clip(
    args: &ConvertArgs,
    target: &Target,
    mut still: Still,
    mut notes: Vec<String>,
) -> Result<Written, Failure> {
    let clips = args.moment.clips(&still.document.rigs)?;
    // Of a motion from another file, its reader has said it.
    if args.motion.motion.is_none() {
        notes.extend(args.moment.choice_notes(&still.document.rigs));
    }
    let (run, fps) = run_of(args, &clips, &mut notes)?;
    let clips: Vec<Option<Clip>> = clips.into_iter().map(Option::<&Clip>::cloned).collect();
    let mesh_at = |frame: usize| {
        let time = run.first.saturating_add_unsigned(frame as u64) as f64 / fps;
        let Still { document, poses } = &mut still;
        for (pose, (rig, clip)) in poses.iter_mut().zip(document.rigs.iter().zip(&clips)) {
            *pose = rig.rest_pose();
            if let Some(clip) = clip {
                clip.sample(time, pose);
            }
        }
        Ok(still.mesh()?)
    };
    write_moving(args, target, run, notes, mesh_at)
}

/// From the earliest first key to the latest last one, at the highest of the clips' rates.
fn run_of(
    args: &ConvertArgs,
    clips: &[Option<&Clip>],
    notes: &mut Vec<String>,
) -> Result<(Run, f64), Refusal> {
    if args.moment.frame.is_some() || args.moment.time.is_some() {
        let what = "holds all frames of a clip, but --frame or --time chooses one";
        return Err(refusal(&args.output, what, "write an .obj or .glb for a single one"));
    }
    let clips = || clips.iter().copied().flatten();
    let rates = clips().map(|clip| args.moment.rate_of(clip));
    let Some((fps, assumed)) = rates.reduce(|a, b| if b.0 > a.0 { b } else { a }) else {
        return Err(refusal(&args.output, "no clip", "name one with --clip"));
    };
    if assumed && clips().any(|clip| clip.seconds() > 0.0) {
        notes.push(format!(
            "the keys of the clip have no even rate; {fps} frames per second are written, --fps gives another rate"
        ));
    }
    let from = clips().map(Clip::start).fold(f64::INFINITY, f64::min);
    let to = clips().map(Clip::end).fold(f64::NEG_INFINITY, f64::max);
    let (first, last) = rate::frame_span(from, to, fps);
    if last - first >= MOST_FRAMES {
        let what = format!("{} frames are too many for a file", last - first + 1.0);
        return Err(refusal(&args.output, &what, "give fewer frames per second with --fps"));
    }
    if first.abs() > MOST_NUMBER {
        let what = format!("the first key is at {from} s, frame {first}");
        return Err(refusal(&args.output, &what, "give fewer frames per second with --fps"));
    }
    #[expect(clippy::cast_sign_loss, reason = "the last is not before the first")]
    let frames = (last - first) as usize + 1;
    let first = first as i64;
    if first != 0 {
        notes.push(format!(
            "the first frame is number {first}, at {:.3} s of the file's time",
            first as f64 / fps
        ));
    }
    Ok((Run { first, frames, fps: Some(fps) }, fps))
}

/// Writes all frames, into an archive or a file each.
pub(super) fn write_moving(
    args: &ConvertArgs,
    target: &Target,
    Run { first: first_number, frames, fps }: Run,
    mut notes: Vec<String>,
    mut mesh_at: impl FnMut(usize) -> Result<MeshOut, Failure>,
) -> Result<Written, Failure> {
    let first = mesh_at(0)?;
    if let Target::Numbered(numbered) = target {
        if first_number < 0 {
            notes.push("numbers of files are not below 0, so they begin with 0".to_owned());
        }
        let base = usize::try_from(first_number).unwrap_or(0);
        let path_of = |frame: usize| numbered.path(base + frame);
        (0..frames).try_for_each(|frame| check_free(&path_of(frame), args.save.force))?;
        notes.extend(lost::in_mesh(&first, numbered.kind, args.save.ascii));
        for frame in 0..frames {
            let (path, mesh) = (path_of(frame), mesh_at(frame)?);
            let bytes = numbered.kind.bytes(&mesh, args.save.encoding());
            save::write_fast(&path, &bytes.map_err(|error| unfit(&path, &error))?)?;
        }
    } else {
        notes.extend(lost::groups(&first, "NPZ"));
        let mut draft = Draft::new(&args.output)?;
        let failed = |error: elbowroom_io::WriteError| unwritten(&args.output, &error);
        let out = std::io::BufWriter::new(&mut draft.file);
        let mut archive = Archive::new(out, frames, first.vertices().len()).map_err(failed)?;
        archive.begin_at(first_number);
        for frame in 0..frames {
            archive.frame(mesh_at(frame)?.vertices()).map_err(failed)?;
        }
        archive.finish(first.triangles(), fps).map_err(failed)?;
        draft.finish()?;
    }
    let rate = fps.map_or(String::new(), |fps| format!(" at {} per second", short(fps)));
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
    let mut notes = frames.notes().to_vec();
    if let (Some(given), Some(own)) = (args.moment.fps, frames.fps())
        && given != own
    {
        notes.push(format!(
            "the frames are written as they are, {} a second instead of {} as the file has it: they are played at another speed, not sampled anew",
            short(given),
            short(own)
        ));
    }
    let (count_of, fps) = (frames.span_len(), args.moment.fps.or(frames.fps()));
    let first = frames.first_number();
    let name = args.output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = name.split('.').next().unwrap_or_default().to_owned();
    let mut points = Vec::new();
    let mut still_at = |frame: usize| -> Result<Still, Failure> {
        let frame = frames.at_number(frame);
        frames.read(frame, &mut points).map_err(|error| Refusal {
            problems: vec![error.to_string()],
            hint: "repair or leave out that frame".to_owned(),
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
        let run = Run { first, frames: count_of, fps };
        return write_moving(args, target, run, notes, |frame| Ok(still_at(frame)?.mesh()?));
    }
    let number = args.moment.frame.unwrap_or(first);
    let place = usize::try_from(number - first).ok().filter(|&place| place < count_of);
    let (Some(place), None, None) = (place, args.moment.time, &args.moment.clip) else {
        let last = first.saturating_add_unsigned(count_of as u64 - 1);
        let what = format!("has the frames {first} to {last}, and no clips");
        return Err(refusal(&args.input, &what, "give a --frame among them").into());
    };
    let (still, pose) = (still_at(place)?, format!("frame {number} of {count_of}"));
    if *target == Target::Glb {
        return save_still(&args.output, &still, &pose, notes);
    }
    write_mesh(&args.output, target, &still.mesh()?, &args.save, &format!(", {pose}"), notes)
}
