//! Whether sizes can be: a wrong unit makes a result that looks right and is not.
//!
//! A file in millimetres that is read in metres, or the other way round, is a thousandfold off, and
//! mostly clear of everything else. Nothing here changes a result. What looks wrong becomes a
//! warning, which every output keeps. The limits are wide, so that a warning is worth reading:
//! dolls and giants pass, and so do screws beside a car.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use elbowroom::Mesh;
use elbowroom::internal::model::Model;
use elbowroom_io::{FileFacts, Source, unit_name};
use elbowroom_motion::body::{
    Joint, Local, Part, Poser, Primitive, Retarget, RetargetConfig, Rig, Skeleton,
};
use elbowroom_motion::scene::{Actor, Content, Scene, Whereabouts};
use glam::{DAffine3, DVec3};

use crate::measure::Unit;
use crate::messages::printable;
use crate::warnings::Warning;

/// How many times as large as another an object may be.
const MOST_APART: f64 = 1000.0;

/// How many times as large as another an object may be if the unit of one of the two is only
/// assumed: a metre for a millimetre is a thousandfold, and things differ by tens of their own
/// accord.
const MOST_APART_ASSUMED: f64 = 100.0;

/// People, with their clothes on, in metres: from a doll to a giant.
const PEOPLE: [f64; 2] = [0.2, 15.0];

/// Robots, in metres: from a gripper's finger to a crane.
const ROBOTS: [f64; 2] = [0.005, 100.0];

/// How many times as large as the distance between its joints a part of a robot may be.
const MOST_OF_JOINTS: f64 = 30.0;

/// What is this much thinner than it is long is a floor or a wall, whose length says nothing.
const FLAT: f64 = 0.01;

/// How fast those who walk may be on average, in metres a second.
const FASTEST: f64 = 15.0;

/// How many joints a body must have that we know from people.
const LIKE_PEOPLE: usize = 10;

/// An object as far as its size goes.
struct Sized {
    name: String,
    /// Where it comes from; nothing for what was made.
    file: Option<PathBuf>,
    /// Along the axes, in metres; in the unit of the files if it is unknown.
    extent: DVec3,
    /// Where its unit is known from, and which it is; nothing for what was made.
    units: Option<(Source, f64)>,
}

impl Sized {
    fn size(&self) -> f64 {
        self.extent.max_element()
    }

    /// Whether its size can be compared: it has one, and is no floor.
    fn is_solid(&self) -> bool {
        let size = self.size();
        size.is_finite() && size > 0.0 && !is_flat(self.extent)
    }

    /// What to do if the unit is wrong.
    fn remedy(&self) -> String {
        match self.units {
            Some((Source::File, metres)) => format!(
                "the file states {}: if that is wrong, export it again, or give it a `scale` in a scene file",
                unit_name(metres)
            ),
            Some((Source::Said, metres)) => format!("{} was given as its unit", unit_name(metres)),
            Some((Source::Assumed, metres)) => format!(
                "its file does not state a unit, and {} is assumed: give it with --units, or FILE@mm",
                unit_name(metres)
            ),
            None => "check its `scale`".to_owned(),
        }
    }
}

fn warning(text: String) -> Warning {
    Warning { kind: "units", text }
}

/// What looks wrong about plain meshes, all of one unit.
pub(crate) fn of_meshes(scene: &Scene, sources: &[Option<PathBuf>], unit: &Unit) -> Vec<Warning> {
    let mut known: HashMap<*const Model, DVec3> = HashMap::new();
    let metres = unit.scene_metres();
    let sized = scene.objects().iter().zip(sources).filter_map(|(object, source)| {
        let (Content::Still { model, .. } | Content::Moving { model, .. }) = &object.content else {
            return None;
        };
        let extent = *known
            .entry(Arc::as_ptr(model))
            .or_insert_with(|| extent(model.mesh().vertices().iter().copied()));
        Some(Sized {
            name: printable(&object.name),
            file: source.clone(),
            extent: extent * metres.unwrap_or(1.0),
            units: metres.map(|metres| (Source::Said, metres)),
        })
    });
    apart(&sized.collect::<Vec<_>>(), unit).into_iter().collect()
}

/// What looks wrong about the objects of a scene.
pub(crate) fn of_scene(
    scene: &Scene,
    sources: &[Option<PathBuf>],
    files: &[FileFacts],
    unit: &Unit,
) -> Vec<Warning> {
    let mut bodies = Bodies::default();
    let mut warnings = Vec::new();
    let mut sized = Vec::new();
    for (object, source) in scene.objects().iter().zip(sources) {
        let units = source.as_deref().and_then(|path| units_of(path, files));
        let (extent, scale, rig) = match &object.content {
            Content::Actor(actor) => {
                let scale = scale_of(actor);
                (bodies.extent(actor) * scale, scale, Some(&actor.rig))
            }
            Content::Still { model, .. } | Content::Moving { model, .. } => {
                (mesh_extent(model.mesh()), 1.0, None)
            }
            Content::Vertices(sequence) => {
                let source = sequence.source.lock().unwrap_or_else(PoisonError::into_inner);
                let scale = linear(&sequence.world_from_mesh);
                (mesh_extent(source.mesh()) * scale, scale, None)
            }
        };
        let file = source.clone();
        let object = Sized { name: printable(&object.name), file, extent, units };
        if let Some(rig) = rig.filter(|rig| bodies.is_new(rig, scale)) {
            warnings.extend(bodies.doubt(rig, &object, scale));
        }
        sized.push(object);
    }
    warnings.extend(apart(&sized, unit));
    warnings.extend(fast(scene));
    warnings
}

fn units_of(path: &Path, files: &[FileFacts]) -> Option<(Source, f64)> {
    let file = files.iter().find(|file| file.path == path)?;
    Some((file.units.source, file.units.metres_per_unit))
}

/// Two files whose largest objects are of sizes too far apart, the two that are the farthest;
/// floors and walls aside. Within a file all is in one unit, so that a button beside a house there
/// is a button.
fn apart(objects: &[Sized], unit: &Unit) -> Option<Warning> {
    let is_assumed = |object: &Sized| matches!(object.units, Some((Source::Assumed, _)));
    let by_size = |a: &&Sized, b: &&Sized| a.size().total_cmp(&b.size());
    let mut of_file: BTreeMap<Option<&Path>, &Sized> = BTreeMap::new();
    for object in objects.iter().filter(|object| object.is_solid()) {
        let largest = of_file.entry(object.file.as_deref()).or_insert(object);
        if object.size() > largest.size() {
            *largest = object;
        }
    }
    let small = of_file.values().copied().min_by(by_size)?;
    let large = of_file.values().copied().max_by(by_size)?;
    // Files without a unit beside files with one are compared more strictly.
    let mixed = is_assumed(small) != is_assumed(large);
    let most = if mixed { MOST_APART_ASSUMED } else { MOST_APART };
    let ratio = large.size() / small.size();
    if ratio < most {
        return None;
    }
    let text = |object: &Sized| {
        let size = if unit.name().is_some() {
            metres_text(object.size())
        } else {
            crate::messages::short(object.size())
        };
        format!("{} is {size} long", object.name)
    };
    let suspect = if is_assumed(small) { small } else { large };
    Some(warning(format!(
        "{}, and {}, {} times as much; are their units right? {}: {}",
        text(small),
        text(large),
        rounded(ratio),
        suspect.name,
        suspect.remedy()
    )))
}

/// A length in metres as people read it.
fn metres_text(metres: f64) -> String {
    let (value, unit) = match metres {
        _ if metres >= 1.0 => (metres, "m"),
        _ if metres >= 0.01 => (100.0 * metres, "cm"),
        _ if metres >= 1e-5 => (1000.0 * metres, "mm"),
        _ => (1e6 * metres, "µm"),
    };
    format!("{} {unit}", rounded(value))
}

/// Few digits, for a number that is only to be compared.
fn rounded(value: f64) -> String {
    match value {
        _ if value >= 1e6 => format!("{value:.1e}"),
        _ if value >= 100.0 => format!("{value:.0}"),
        _ => format!("{value:.1}").trim_end_matches(".0").to_owned(),
    }
}

/// People on their way who are faster than people can be: their places are in another unit than
/// metres.
fn fast(scene: &Scene) -> Option<Warning> {
    let speeds = scene.objects().iter().filter_map(|object| match &object.content {
        Content::Actor(Actor { whereabouts: Whereabouts::Walk { path, .. }, .. }) => {
            let (first, last) = path.span();
            let way = path.length();
            (last > first).then(|| way / (last - first))
        }
        _ => None,
    });
    let mut speeds: Vec<f64> = speeds.collect();
    let middle = speeds.len() / 2;
    let (_, &mut speed, _) =
        (!speeds.is_empty()).then(|| speeds.select_nth_unstable_by(middle, f64::total_cmp))?;
    (speed > FASTEST).then(|| {
        warning(format!(
            "the people walk at {speed:.0} m/s on average, which is too fast; are their trajectories in metres, and is their rate right? `units` and `fps` of the crowd set them"
        ))
    })
}

/// Bodies, each measured once.
#[derive(Default)]
struct Bodies {
    extents: HashMap<(*const Rig, Option<Vec<u32>>), DVec3>,
    seen: HashSet<(*const Rig, u64)>,
    person: Option<Skeleton>,
    poser: Poser,
    points: Vec<DVec3>,
}

impl Bodies {
    /// The size of an actor at rest, before it is placed.
    fn extent(&mut self, actor: &Actor) -> DVec3 {
        let key = (Arc::as_ptr(&actor.rig), actor.parts.clone());
        if let Some(known) = self.extents.get(&key) {
            return *known;
        }
        let rig = &*actor.rig;
        self.poser.set(rig, &rig.rest_pose());
        // A floor that belongs to a robot's file is no part of its size, unless there is nothing
        // else.
        let (mut all, mut solid) = (Ends::NONE, Ends::NONE);
        for part in 0..rig.parts.len() {
            let is_his = |parts: &Vec<u32>| parts.contains(&(part as u32));
            if actor.parts.as_ref().is_none_or(is_his) {
                self.poser.part(rig, part, &mut self.points);
                let ends = self.points.iter().copied().fold(Ends::NONE, Ends::with);
                all = all.joined(ends);
                let is_floor = is_plane(&rig.parts[part]) || is_flat(ends.extent());
                solid = if is_floor { solid } else { solid.joined(ends) };
            }
        }
        let ends = if solid.extent() == DVec3::ZERO { all } else { solid };
        *self.extents.entry(key).or_insert(ends.extent())
    }

    /// Whether a rig of this size was not asked about before.
    fn is_new(&mut self, rig: &Arc<Rig>, scale: f64) -> bool {
        self.seen.insert((Arc::as_ptr(rig), scale.to_bits()))
    }

    /// What looks wrong about a person or robot.
    fn doubt(&mut self, rig: &Rig, object: &Sized, scale: f64) -> Option<Warning> {
        let size = object.size();
        if !(size.is_finite() && size > 0.0) || rig.skeleton.joints().len() < 3 {
            return None;
        }
        let is_person = rig.freedoms.is_empty() && self.is_person(&rig.skeleton);
        let (what, [least, most]) = if is_person {
            ("has the joints of a person", PEOPLE)
        } else if rig.freedoms.is_empty() {
            return None;
        } else {
            ("is a robot", ROBOTS)
        };
        let (name, long) = (&object.name, metres_text(size));
        if !(least..=most).contains(&size) {
            let remedy = object.remedy();
            return Some(warning(format!(
                "{name} {what}, and is {long} long; is its unit right? {remedy}"
            )));
        }
        if is_person { None } else { self.parts_beyond_joints(rig, name, scale) }
    }

    /// Parts that are far larger than the distances between the joints that hold them: meshes in
    /// millimetres on links in metres.
    fn parts_beyond_joints(&mut self, rig: &Rig, name: &str, scale: f64) -> Option<Warning> {
        let mut world = Vec::new();
        rig.skeleton.world(&rig.rest_pose(), &mut world);
        let joints = world.iter().fold(Ends::NONE, |ends, joint| ends.with(joint.translation));
        let apart = joints.extent().max_element();
        if !(apart.is_finite() && apart > 0.0) {
            return None;
        }
        self.poser.set(rig, &rig.rest_pose());
        for (index, part) in rig.parts.iter().enumerate() {
            self.poser.part(rig, index, &mut self.points);
            let extent = extent(self.points.iter().copied());
            let size = extent.max_element();
            if size.is_finite()
                && size > MOST_OF_JOINTS * apart
                && !is_flat(extent)
                && !is_plane(part)
            {
                let (size, apart) = (metres_text(size * scale), metres_text(apart * scale));
                let part = printable(&part.name);
                return Some(warning(format!(
                    "{name}: the part {part} is {size} long, and the joints of the robot are {apart} apart; is the mesh in another unit? `scale` of a mesh gives it in URDF and MJCF"
                )));
            }
        }
        None
    }

    /// Whether the joints are called as those of people are.
    fn is_person(&mut self, skeleton: &Skeleton) -> bool {
        if self.person.is_none() {
            self.person = person();
        }
        let Some(person) = &self.person else { return false };
        let retarget = Retarget::new(skeleton, person, &RetargetConfig::default());
        retarget.is_ok_and(|retarget| retarget.matched().len() >= LIKE_PEOPLE)
    }
}

/// A skeleton with the joints that all people have.
fn person() -> Option<Skeleton> {
    const JOINTS: [(&str, Option<u32>, [f64; 3]); 15] = [
        ("Hips", None, [0.0, 1.0, 0.0]),
        ("Spine", Some(0), [0.0, 0.2, 0.0]),
        ("Head", Some(1), [0.0, 0.5, 0.0]),
        ("LeftUpLeg", Some(0), [0.1, 0.0, 0.0]),
        ("LeftLeg", Some(3), [0.0, -0.5, 0.0]),
        ("LeftFoot", Some(4), [0.0, -0.45, 0.0]),
        ("RightUpLeg", Some(0), [-0.1, 0.0, 0.0]),
        ("RightLeg", Some(6), [0.0, -0.5, 0.0]),
        ("RightFoot", Some(7), [0.0, -0.45, 0.0]),
        ("LeftArm", Some(1), [0.2, 0.3, 0.0]),
        ("LeftForeArm", Some(9), [0.3, 0.0, 0.0]),
        ("LeftHand", Some(10), [0.3, 0.0, 0.0]),
        ("RightArm", Some(1), [-0.2, 0.3, 0.0]),
        ("RightForeArm", Some(12), [-0.3, 0.0, 0.0]),
        ("RightHand", Some(13), [-0.3, 0.0, 0.0]),
    ];
    let joint = |(name, parent, at): (&str, Option<u32>, [f64; 3])| Joint {
        name: name.to_owned(),
        parent: parent.map(elbowroom_motion::body::JointId),
        rest: Local { translation: DVec3::from_array(at), ..Local::IDENTITY },
    };
    Skeleton::new(JOINTS.map(joint).to_vec()).ok()
}

/// How much larger than at rest an actor is.
fn scale_of(actor: &Actor) -> f64 {
    match &actor.whereabouts {
        Whereabouts::Fixed(place) => linear(place),
        Whereabouts::Walk { scale, .. } => *scale,
    }
}

/// How many times as long as before a placed length is, on average.
fn linear(place: &DAffine3) -> f64 {
    place.matrix3.determinant().abs().cbrt()
}

fn mesh_extent(mesh: &Mesh) -> DVec3 {
    extent(mesh.vertices().iter().copied())
}

fn extent(points: impl Iterator<Item = DVec3>) -> DVec3 {
    points.fold(Ends::NONE, Ends::with).extent()
}

/// Whether a part has no end: what stands for it has any size.
fn is_plane(part: &Part) -> bool {
    matches!(part.primitive, Some((_, Primitive::HalfSpace)))
}

/// Whether something is a floor or a wall.
fn is_flat(extent: DVec3) -> bool {
    extent.min_element() < FLAT * extent.max_element()
}

/// The two ends of a box.
#[derive(Clone, Copy)]
struct Ends(DVec3, DVec3);

impl Ends {
    const NONE: Self = Self(DVec3::INFINITY, DVec3::NEG_INFINITY);

    fn with(self, point: DVec3) -> Self {
        Self(self.0.min(point), self.1.max(point))
    }

    fn joined(self, other: Self) -> Self {
        Self(self.0.min(other.0), self.1.max(other.1))
    }

    /// Zero without points.
    fn extent(self) -> DVec3 {
        if self.0.x > self.1.x { DVec3::ZERO } else { self.1 - self.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized(name: &str, size: f64, source: Source) -> Sized {
        Sized {
            name: name.to_owned(),
            file: Some(name.into()),
            extent: DVec3::splat(size),
            units: Some((source, 1.0)),
        }
    }

    #[test]
    fn sizes_that_are_too_far_apart_are_seen() {
        let seen = |a: Sized, b: Sized| apart(&[a, b], &Unit::METRES).map(|warning| warning.text);
        let robot = || sized("panda", 1.0, Source::File);
        let text = seen(robot(), sized("fixture", 200.0, Source::Assumed)).unwrap();
        assert!(text.contains("fixture is 200 m long, 200 times as much"), "{text}");
        assert!(text.contains("does not state a unit, and m is assumed"), "{text}");
        assert_eq!(seen(robot(), sized("hall", 200.0, Source::File)), None);
        assert_eq!(seen(robot(), sized("table", 2.0, Source::Assumed)), None);
        let pin = || sized("pin", 0.0005, Source::File);
        assert!(seen(robot(), pin()).is_some());
        assert_eq!(seen(robot(), Sized { file: robot().file, ..pin() }), None);
        let floor =
            Sized { extent: DVec3::new(5e3, 0.0, 5e3), ..sized("floor", 1.0, Source::File) };
        assert_eq!(seen(robot(), floor), None);
        assert_eq!(seen(robot(), sized("nothing", 0.0, Source::File)), None);
    }

    #[test]
    fn people_are_known_by_their_joints() {
        let mut bodies = Bodies::default();
        assert!(bodies.is_person(&elbowroom_make::body::male().skeleton));
        let names = (0..20).map(|index| Joint {
            name: format!("link{index}"),
            parent: None,
            rest: Local::IDENTITY,
        });
        assert!(!bodies.is_person(&Skeleton::new(names.collect()).unwrap()));
    }

    #[test]
    fn people_of_millimetres_and_of_a_hundred_metres_are_doubted() {
        let rig = elbowroom_make::body::male();
        let mut bodies = Bodies::default();
        let mut doubt = |size: f64| bodies.doubt(&rig, &sized("man", size, Source::File), 1.0);
        assert!([0.0017, 0.017, 17.0, 170.0].map(&mut doubt).iter().all(Option::is_some));
        assert!([0.3, 1.7, 4.0].map(&mut doubt).iter().all(Option::is_none));
    }
}
