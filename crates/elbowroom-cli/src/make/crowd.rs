//! A crowd as one rig that walks, or as the trajectories of its people.
//!
//! Each person hangs on a joint of their own, which carries them over the floor and makes them as
//! tall as they are; below it are the joints of our man or woman, who walk in step with the way
//! they cover. One clip moves all, so that any viewer plays the whole crowd. Who has not entered
//! yet comes from afar, straight on at the speed they will have; who has left goes on likewise. So
//! no one stands about or appears from nowhere.

use std::f64::consts::TAU;

use elbowroom_io::trajectory::{Trajectories, Trajectory, TrajectoryRate};
use elbowroom_io::{Source, Units};
use elbowroom_make::body::{Sex, female, male};
use elbowroom_make::{Crowd, Ground, Stand, Walker, crowd};
use elbowroom_motion::body::{
    Clip, Hold, Interpolation, Joint, JointId, Local, Part, Rig, Skeleton, SkeletonPose, Skin,
    Target as Moves, Track,
};
use glam::{DQuat, DVec3};

use super::{Made, MakeArgs, bad, things};
use crate::messages::Refusal;
use crate::save::Target;

const MOST_BODIES: u32 = 500;
const MOST_WALKERS: u32 = 100_000;

/// A frame of a person takes some half a kilobyte in the file and twice that in memory.
const MOST_BODY_FRAMES: f64 = 4e5;
const MOST_SAMPLES: f64 = 2e7;

struct Wish {
    crowd: Crowd,
    fps: f64,
    frames: u32,
}

pub(super) fn make(args: &MakeArgs, target: &Target) -> Result<Made, Refusal> {
    let table = *target == Target::Csv;
    let wish = wish(args, if table { MOST_WALKERS } else { MOST_BODIES })?;
    let walkers = crowd(&wish.crowd);
    if table {
        return Ok(Made { rigs: Vec::new(), ways: Some(ways(&walkers, &wish)) });
    }
    let rig = bodies(&walkers, &wish).map_err(|problem| bad(&problem, "choose other numbers"))?;
    Ok(Made { rigs: vec![rig], ways: None })
}

fn wish(args: &MakeArgs, most: u32) -> Result<Wish, Refusal> {
    let people = args.people.unwrap_or(20);
    if !(1..=most).contains(&people) {
        let hint = format!("say 1 to {most}; a .csv takes more than bodies do");
        return Err(bad(&format!("a crowd of {people} is not made"), &hint));
    }
    let seconds = args.seconds.unwrap_or(20.0);
    if !(0.1..=3600.0).contains(&seconds) {
        return Err(bad(&format!("{seconds} s of a crowd are not made"), "say 0.1 to 3600"));
    }
    let length = |value: f64| (1.0..=10_000.0).contains(&value);
    let ground = match (args.plaza, args.corridor.as_deref()) {
        (_, Some(&[along, across])) if length(along) && length(across) => {
            Ground::Corridor { length: along, width: across }
        }
        (_, Some(_)) => {
            return Err(bad(
                "a corridor takes a length and a width of 1 to 10000 m",
                "like --corridor 30,4",
            ));
        }
        (radius, None) => {
            let radius = radius.unwrap_or(15.0);
            if !length(radius) {
                let problem = format!("a plaza of {radius} m is not made");
                return Err(bad(&problem, "say a radius of 1 to 10000 m"));
            }
            Ground::Plaza { radius }
        }
    };
    let fps = args.fps.unwrap_or(if most == MOST_BODIES { 30.0 } else { 25.0 });
    let frames = seconds * fps;
    let most_frames = if most == MOST_BODIES { MOST_BODY_FRAMES } else { MOST_SAMPLES };
    if !(1.0..=most_frames).contains(&(frames * f64::from(people))) {
        return Err(bad(
            &format!("{people} people at {fps} frames per second for {seconds} s are too much"),
            "say fewer with --people, --fps or --seconds",
        ));
    }
    let crowd = Crowd { people, ground, seconds, seed: things::seed(args) };
    // Not negative and below the limit above.
    #[expect(clippy::cast_sign_loss, reason = "see above")]
    Ok(Wish { crowd, fps, frames: frames.round() as u32 })
}

/// Where a walker is at any time, on the straight before they enter and after they leave.
fn stand(walker: &Walker, time: f64) -> Stand {
    // The ends may miss the path by a rounding.
    let margin = 1e-9 * (1.0 + walker.leaves().abs());
    let inside = time.clamp(walker.enters + margin, walker.leaves() - margin);
    let nowhere = Stand { place: DVec3::ZERO, heading: 0.0, phase: 0.0 };
    let at = walker.at(inside).unwrap_or(nowhere);
    let way = (time - inside) * walker.speed;
    let ahead = DVec3::new(libm::sin(at.heading), 0.0, libm::cos(at.heading));
    let strides = at.phase + way / walker.stride;
    Stand { place: at.place + ahead * way, phase: strides - strides.floor(), ..at }
}

/// The trajectories of a crowd for a user who has none: sixty people who cross a square, and do not
/// give way.
pub(crate) fn built_in_ways() -> Trajectories {
    let crowd = Crowd { people: 60, ground: Ground::Plaza { radius: 6.0 }, seconds: 12.0, seed: 1 };
    ways(&elbowroom_make::crowd(&crowd), &Wish { crowd, fps: 25.0, frames: 500 })
}

fn ways(walkers: &[Walker], wish: &Wish) -> Trajectories {
    let person = |(id, walker): (i64, &Walker)| {
        let mut way = Trajectory { id, ..Trajectory::default() };
        for frame in 0..=wish.frames {
            let Some(stand) = walker.at(f64::from(frame) / wish.fps) else { continue };
            way.frames.push(i64::from(frame));
            // Y up to z up: the floor is x and -z.
            way.positions.push(DVec3::new(stand.place.x, -stand.place.z, 0.0));
            let heading = stand.heading - 0.25 * TAU;
            way.headings.push(if heading < -0.5 * TAU { heading + TAU } else { heading });
        }
        way
    };
    let people = (1..).zip(walkers).map(person);
    Trajectories {
        rate: TrajectoryRate { fps: wish.fps, source: Source::File },
        units: Units { metres_per_unit: 1.0, source: Source::File },
        people: people.filter(|way| !way.frames.is_empty()).collect(),
        notes: Vec::new(),
    }
}

fn bodies(walkers: &[Walker], wish: &Wish) -> Result<Rig, String> {
    let models = [male(), female()];
    let text = |error: &dyn std::error::Error| error.to_string();
    let (mut joints, mut parts, mut tracks) = (Vec::new(), Vec::new(), Vec::new());
    for (index, walker) in walkers.iter().enumerate() {
        let model = &models[usize::from(walker.sex == Sex::Female)];
        let name = format!("person {}", index + 1);
        let top = joints.len() as u32;
        let high = model.parts[0].mesh.bounds().max;
        let scale = DVec3::splat(walker.height / high.y);
        let first = stand(walker, 0.0);
        let rest = Local { scale, ..place(&first) };
        joints.push(Joint { name: name.clone(), parent: None, rest });
        joints.extend(model.skeleton.joints().iter().map(|joint| Joint {
            name: format!("{name}/{}", joint.name),
            parent: Some(JointId(joint.parent.map_or(top, |parent| top + 1 + parent.0))),
            rest: joint.rest,
        }));
        for part in &model.parts {
            let skin = moved_skin(part, top + 1).map_err(|error| text(&error))?;
            parts.push(Part::new(&*name, part.mesh.clone(), skin));
        }
        tracks.extend(walk(walker, model, top, wish));
    }
    let mut rig = Rig::new("crowd", Skeleton::new(joints).map_err(|error| text(&error))?);
    rig.parts = parts;
    rig.clips = vec![Clip::new("crowd".to_owned(), tracks).map_err(|error| text(&error))?];
    Ok(rig)
}

fn place(stand: &Stand) -> Local {
    let half = 0.5 * stand.heading;
    let rotation = DQuat::from_xyzw(0.0, libm::sin(half), 0.0, libm::cos(half));
    Local::from_rotation_translation(rotation, stand.place)
}

/// The skin of a part whose joints now begin further on.
fn moved_skin(part: &Part, first: u32) -> Result<Hold, elbowroom_motion::body::SkinError> {
    let skin = match &part.hold {
        Hold::Rigid(joint) => return Ok(Hold::Rigid(JointId(joint.0 + first))),
        Hold::Skinned(skin) => skin,
    };
    let joints = skin.joints().iter().map(|joint| JointId(joint.0 + first)).collect();
    let (mut offsets, mut influences) = (vec![0], Vec::new());
    for vertex in 0..skin.vertices_len() as u32 {
        influences.extend_from_slice(skin.influences(vertex));
        offsets.push(influences.len() as u32);
    }
    Skin::new(joints, skin.inverse_binds().to_vec(), offsets, influences).map(Hold::Skinned)
}

/// The tracks of one person: over the floor, and every joint that walking moves.
fn walk(walker: &Walker, model: &Rig, top: u32, wish: &Wish) -> Vec<Track> {
    let times: Vec<f64> = (0..=wish.frames).map(|frame| f64::from(frame) / wish.fps).collect();
    let stands: Vec<Stand> = times.iter().map(|&time| stand(walker, time)).collect();
    let track = |target, values| {
        let (interpolation, times) = (Interpolation::Linear, times.clone());
        Track { target, interpolation, times, values }
    };
    let locals = stands.iter().map(place);
    let (mut places, mut turns) = (Vec::new(), Vec::new());
    for local in locals {
        places.extend(local.translation.to_array());
        turns.extend(local.rotation.to_array());
    }
    let own = JointId(top);
    let mut tracks =
        vec![track(Moves::Translation(own), places), track(Moves::Rotation(own), turns)];
    let Some(clip) = model.clips.iter().find(|clip| clip.name() == "walk") else { return tracks };
    let poses: Vec<SkeletonPose> = stands
        .iter()
        .map(|stand| {
            let mut pose = model.rest_pose();
            clip.sample(clip.start() + stand.phase * clip.seconds(), &mut pose);
            pose
        })
        .collect();
    for moving in clip.tracks() {
        let values = |joint: JointId, of: fn(&Local) -> Vec<f64>| {
            poses.iter().flat_map(|pose| of(&pose.locals[joint.index()])).collect()
        };
        let on = |joint: JointId| JointId(top + 1 + joint.0);
        tracks.push(match moving.target {
            Moves::Translation(joint) => track(
                Moves::Translation(on(joint)),
                values(joint, |l| l.translation.to_array().to_vec()),
            ),
            Moves::Rotation(joint) => {
                track(Moves::Rotation(on(joint)), values(joint, |l| l.rotation.to_array().to_vec()))
            }
            Moves::Scale(_) | Moves::Weights(_) => continue,
        });
    }
    tracks
}
