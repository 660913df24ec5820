//! A scene file, baked: the vertices of all its objects as a check sees them, frame by frame.
//!
//! Others can then look at the same bits without knowing rigs, clips or crowds. Objects stand
//! behind each other in one mesh, in the order of the scene, and a note says whose vertices are
//! where.
//!
//! Invariant: everyone is there in every frame, for a mesh has as many vertices in one frame as in
//! the next.

use elbowroom_io::{MeshOut, read_scene};
use elbowroom_motion::scene::{ObjectId, Scene, Stage};

use super::moving::{Run, write_moving};
use super::{ConvertArgs, Written, write_mesh};
use crate::messages::{Refusal, grouped};
use crate::save::{Failure, Target, refusal};

/// What a scene file gives itself is not given otherwise.
pub(super) fn check(args: &ConvertArgs) -> Result<(), Refusal> {
    let moment = &args.moment;
    if args.motion.motion.is_some() || moment.clip.is_some() || moment.fps.is_some() {
        let what = "a scene file gives its clips and its rate itself";
        return Err(refusal(&args.input, what, "change it there"));
    }
    Ok(())
}

/// Writes all frames of a scene, or one.
pub(super) fn write_scene(args: &ConvertArgs, target: &Target) -> Result<Written, Failure> {
    let moment = &args.moment;
    if matches!(target, Target::Glb | Target::Csv) {
        let what = "a scene is written as the vertices of its objects";
        let hint = "let the name end in .npz, .####.obj, or .obj for one --frame";
        return Err(refusal(&args.output, what, hint).into());
    }
    let file = read_scene(&args.input, &args.read.options()).map_err(|error| Refusal {
        problems: vec![error.to_string()],
        hint: "nothing was written; docs/scene-file.md describes scene files".to_owned(),
    })?;
    let (scene, mut notes) = (file.scene, file.notes);
    notes.extend(args.read.heed(&file.facts)?);
    let mut stage = Stage::new();
    let timing = scene.timing();
    let mut mesh_at = |frame: u32| {
        mesh(&scene, frame, &mut stage).map_err(|problem| {
            let hint = "give other `frames` in the scene file";
            Failure::from(refusal(&args.input, &problem, hint))
        })
    };
    if let Target::Mesh(_) = target {
        let frame = moment.frame.map_or(timing.first, |frame| {
            // What is no frame at all is refused as one that is not there.
            u32::try_from(frame).unwrap_or(u32::MAX)
        });
        let mesh = mesh_at(frame)?;
        return write_mesh(
            &args.output,
            target,
            &mesh,
            &args.save,
            &format!(", frame {frame}"),
            notes,
        );
    }
    notes.extend(whose(&scene));
    let frames = (timing.last - timing.first) as usize + 1;
    let run = Run { first: i64::from(timing.first), frames, fps: Some(timing.fps) };
    write_moving(args, target, run, notes, |frame| mesh_at(timing.first + frame as u32))
}

/// Everybody as they stand in a frame.
fn mesh(scene: &Scene, frame: u32, stage: &mut Stage) -> Result<MeshOut, String> {
    scene.at(frame, stage).map_err(|error| error.to_string())?;
    for (index, object) in scene.objects().iter().enumerate() {
        if !stage.is_present(scene, ObjectId(index as u32)) {
            return Err(format!("{} is not in the scene in frame {frame}", object.name));
        }
    }
    let (mut out, mut points) = (MeshOut::default(), Vec::new());
    for piece in stage.pieces() {
        piece.points(&mut points);
        let name = &scene.objects()[piece.object().index()].name;
        out.add(name, &points, piece.triangles()).map_err(|error| error.to_string())?;
    }
    Ok(out)
}

/// Whose vertices are where, for few objects.
fn whose(scene: &Scene) -> Option<String> {
    const FEW: usize = 20;
    let objects = scene.objects();
    if objects.len() > FEW {
        return None;
    }
    let mut first = 0;
    let lines = objects.iter().enumerate().map(|(index, object)| {
        let start = first;
        first += scene.size(ObjectId(index as u32)).0;
        format!("{} from vertex {}", object.name, grouped(u64::from(start)))
    });
    Some(lines.collect::<Vec<_>>().join(", "))
}
