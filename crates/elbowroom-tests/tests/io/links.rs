//! Links made from real skeletons and skins: walking people of motion capture, characters, and a
//! robot hand with a ball. What the hierarchies find is what exact arithmetic says of all their
//! triangles.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use elbowroom::Pose;
use elbowroom::internal::model::Model;
use elbowroom_io::{ReadOptions, biovision, read_document};
use elbowroom_make::{BoneShape, Bones, bones, cuboid, icosphere, rigid_frames, skin_links};
use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton};
use elbowroom_papers::cab::{Allowed, LinkQuestion, Workspace, between, within};
use elbowroom_papers::cab::{ArticulatedBody, CabAxis, CabHierarchy, Link, RefitMethod};
use elbowroom_testkit::data::{shared_dir, skip_note};
use elbowroom_testkit::oracle::{PlainPose, Relation, relation};
use glam::{DAffine3, DVec3};

const KEEPS: [RefitMethod; 4] = [
    RefitMethod::AabbVertices,
    RefitMethod::AabbCorners,
    RefitMethod::Covariance,
    RefitMethod::Cab(CabAxis::Longest),
];

fn data(test: &str) -> Option<PathBuf> {
    let folder = shared_dir();
    if folder.is_none() {
        skip_note(test);
    }
    folder
}

/// A triangle as it is in its link, and a box around it as it stands in the world.
struct Standing {
    corners: [[f64; 3]; 3],
    low: DVec3,
    high: DVec3,
}

fn standing(link: &Link, place: &Pose) -> Vec<Standing> {
    let mesh = link.model.mesh();
    let stand = |index: usize| {
        let corners = mesh.triangle(index);
        let [p, q, r] = corners.map(|corner| place.apply(corner));
        // Much more than rounding, so that nothing is passed over that might touch.
        let room = DVec3::splat(1e-9 * (1.0 + p.abs().max_element()));
        let (low, high) = (p.min(q).min(r) - room, p.max(q).max(r) + room);
        Standing { corners: corners.map(|corner| corner.to_array()), low, high }
    };
    (0..mesh.triangles().len()).map(stand).collect()
}

/// Whether two links have a point in common, by rational arithmetic on their triangles; those that
/// are well apart along an axis are passed over.
fn meet(a: &Link, at: &Pose, b: &Link, bt: &Pose) -> bool {
    let [pa, pb] = [at, bt].map(|place| PlainPose {
        r: place.rotation().transpose().to_cols_array_2d(),
        t: place.translation().to_array(),
    });
    let (first, second) = (standing(a, at), standing(b, bt));
    first.iter().any(|t| {
        let near = second.iter().filter(|u| t.low.cmple(u.high).all() && u.low.cmple(t.high).all());
        near.into_iter().any(|u| relation(&t.corners, &pa, &u.corners, &pb) != Relation::Apart)
    })
}

/// The pairs of links of a body that meet and may not, by triangles alone.
fn truth(body: &CabHierarchy, allowed: &Allowed) -> Vec<(u32, u32)> {
    let (links, places) = (body.articulation().links(), body.placements());
    let mut pairs = Vec::new();
    for i in 0..links.len() {
        for j in i + 1..links.len() {
            let pair = (i as u32, j as u32);
            if !allowed.has(pair.0, pair.1) && meet(&links[i], &places[i], &links[j], &places[j]) {
                pairs.push(pair);
            }
        }
    }
    pairs
}

/// A body under all ways of keeping boxes.
struct Kept {
    bodies: [CabHierarchy; KEEPS.len()],
    allowed: Allowed,
    room: Workspace,
}

impl Kept {
    fn new(rig: &Rig) -> Self {
        let articulation = Arc::new(ArticulatedBody::of_rig(rig).expect("rigid parts"));
        let allowed = Allowed::of_rig(&articulation, rig);
        let bodies = KEEPS.map(|keep| CabHierarchy::new(Arc::clone(&articulation), keep));
        Self { bodies, allowed, room: Workspace::new() }
    }

    /// What all ways find in a pose, which must be the same.
    fn found(&mut self, world: &[DAffine3]) -> Vec<(u32, u32)> {
        let mut answers = Vec::new();
        for body in &mut self.bodies {
            body.update(world).expect("a rigid pose");
            let found = within(body, &self.allowed, &LinkQuestion::default(), &mut self.room);
            answers.push(found.contacts.iter().map(|c| (c.a, c.b)).collect::<Vec<_>>());
        }
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
        answers.swap_remove(0)
    }
}

fn biovision_file(path: &Path) -> biovision::Motion {
    let packed = std::fs::read(path).expect("a clip");
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&packed[..]), &mut bytes)
        .expect("a gzip file");
    biovision::read(&bytes, true).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn people_of_motion_capture_walk_in_bones() {
    let Some(folder) = data("people_of_motion_capture_walk_in_bones") else { return };
    let (mut frames, mut met, mut checked) = (0, 0, 0);
    for (clip, shape) in [
        ("02_01", BoneShape::Capsule),
        ("05_01", BoneShape::Cuboid),
        ("07_01", BoneShape::Capsule),
        ("08_01", BoneShape::Cuboid),
    ] {
        let motion = biovision_file(&folder.join(format!("mocap/short/{clip}.bvh.gz")));
        let mut rig = motion.rig;
        rig.parts = bones(&rig.skeleton, &motion.ends, &Bones { shape, ..Bones::default() });
        rig.validate().expect("bones hang on joints");
        for joint in rig.skeleton.joints().iter().filter_map(|joint| joint.parent) {
            let held = |part: &Part| part.hold == Hold::Rigid(joint);
            assert!(rig.parts.iter().any(held), "{clip}: joint {joint:?} has a child and no link");
        }
        let mut kept = Kept::new(&rig);
        let (mut pose, mut world) = (rig.rest_pose(), Vec::new());
        let count = motion.frames as u32 - 1;
        for frame in (0..count).step_by(6) {
            rig.clips[0].sample(f64::from(frame) * motion.frame_secs, &mut pose);
            rig.skeleton.world(&pose, &mut world);
            let found = kept.found(&world);
            frames += 1;
            met += found.len();
            if frame % 60 == 0 {
                assert_eq!(found, truth(&kept.bodies[0], &kept.allowed), "{clip}, frame {frame}");
                checked += 1;
            }
        }
    }
    println!("{frames} frames, {met} pairs of bones, {checked} frames by triangles");
    assert!(frames > 150 && met > 100 && checked >= 16, "{frames} {met} {checked}");
}

#[test]
fn characters_become_links() {
    let Some(folder) = data("characters_become_links") else { return };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.join("characters"))
        .expect("characters")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "glb"))
        .collect();
    files.sort();
    let (mut characters, mut links, mut met, mut checked, mut refused) = (0, 0, 0, 0, 0);
    for path in &files {
        let name = path.file_name().expect("a name").to_string_lossy();
        let document = read_document(path, &ReadOptions::default()).expect("a character");
        for mut rig in document.rigs {
            let skinned = rig.parts.iter().any(|part| matches!(part.hold, Hold::Skinned(_)));
            if !skinned {
                continue;
            }
            rig.parts = match skin_links(&rig) {
                Ok(parts) => parts,
                // A sheared joint has no rigid frame, and its link would not be rigid.
                Err(error) => {
                    assert!(error.to_string().contains("sheared at rest"), "{name}: {error}");
                    refused += 1;
                    continue;
                }
            };
            let mut kept = Kept::new(&rig);
            let (mut pose, mut world) = (rig.rest_pose(), Vec::new());
            if let Some(clip) = rig.clips.first() {
                clip.sample(0.4 * clip.seconds(), &mut pose);
            }
            rig.skeleton.world(&pose, &mut world);
            rigid_frames(&mut world);
            let found = kept.found(&world);
            println!("{name} {}: {} links, {} meet", rig.name, rig.parts.len(), found.len());
            characters += 1;
            links += rig.parts.len();
            met += found.len();
            if name.starts_with("mh_lowpoly") || name.starts_with("khronos_Cesium") {
                assert_eq!(found, truth(&kept.bodies[0], &kept.allowed), "{name}");
                checked += 1;
            }
        }
    }
    println!("{characters} characters, {links} links, {met} pairs, {refused} refused");
    assert!(characters >= 20 && links > 300 && met > 20, "{characters} {links} {met}");
    assert!(checked == 2 && refused < 3, "{checked} {refused}");
}

#[test]
fn a_walking_skin_meets_itself_as_its_triangles_do() {
    let Some(folder) = data("a_walking_skin_meets_itself_as_its_triangles_do") else { return };
    let path = folder.join("characters/mh_lowpoly741_cmu.glb");
    let mut rig =
        read_document(&path, &ReadOptions::default()).expect("a character").rigs.remove(0);
    rig.parts = skin_links(&rig).expect("a skin");
    let mut kept = Kept::new(&rig);
    let clip = &rig.clips[0];
    let (mut pose, mut world, mut met) = (rig.rest_pose(), Vec::new(), 0);
    for step in 0..12 {
        clip.sample(clip.seconds() * f64::from(step) / 12.0, &mut pose);
        rig.skeleton.world(&pose, &mut world);
        rigid_frames(&mut world);
        let found = kept.found(&world);
        assert_eq!(found, truth(&kept.bodies[0], &kept.allowed), "step {step}");
        met += found.len();
    }
    assert!(met > 0, "{met}");
}

/// A ball that goes to and fro over the fingers, and a table under the hand.
fn around() -> Rig {
    let joint = |name: &str| Joint { name: name.to_owned(), parent: None, rest: Local::IDENTITY };
    let skeleton = Skeleton::new(vec![joint("ball"), joint("table")]).expect("two roots");
    let mut rig = Rig::new("around", skeleton);
    let ball = icosphere(5);
    let ball = elbowroom::Mesh::new(
        ball.vertices().iter().map(|&p| 0.035 * p).collect(),
        ball.triangles().to_vec(),
    );
    rig.parts = vec![
        Part::new("ball", ball.expect("a ball"), Hold::Rigid(JointId(0))),
        Part::new("table", cuboid(DVec3::new(0.4, 0.4, 0.01)), Hold::Rigid(JointId(1))),
    ];
    rig
}

#[test]
fn the_shadow_hand_plays_with_a_ball() {
    let Some(folder) = data("the_shadow_hand_plays_with_a_ball") else { return };
    let options = ReadOptions { allow_outside: true, ..ReadOptions::default() };
    let path = folder.join("meshes/robots/shadow_hand/right_hand.xml");
    let hand = read_document(&path, &options).expect("a hand").rigs.remove(0);
    let [hand_links, things] =
        [&hand, &around()].map(|rig| Arc::new(ArticulatedBody::of_rig(rig).expect("rigid parts")));
    let mut room = Workspace::new();
    let mut bodies = KEEPS
        .map(|keep| [&hand_links, &things].map(|body| CabHierarchy::new(Arc::clone(body), keep)));
    let mut world = Vec::new();
    hand.skeleton.world(&hand.rest_pose(), &mut world);
    let places = world.iter().map(|place| place.translation);
    let (low, high) =
        places.fold((DVec3::MAX, DVec3::MIN), |(low, high), p| (low.min(p), high.max(p)));
    let (middle, reach) = (0.5 * (low + high), 0.5 * (high - low));
    let (mut hits, mut calls) = (0, [0; KEEPS.len()]);
    let frames = 400;
    for frame in 0..frames {
        let time = f64::from(frame) / 60.0;
        let values = hand.freedoms.iter().filter(|freedom| freedom.mimic.is_none()).enumerate();
        let values: Vec<f64> = values
            .map(|(index, freedom)| {
                let (low, high) = freedom.range.unwrap_or((-0.5, 0.5));
                let share = 0.5 + 0.4 * libm::sin(2.0 * time + 0.6 * index as f64);
                low + share * (high - low)
            })
            .collect();
        let pose = hand.pose_of(&values).expect("values in range");
        hand.skeleton.world(&pose, &mut world);
        let way = DVec3::new(libm::sin(1.3 * time), libm::sin(0.9 * time), libm::sin(1.7 * time));
        let ball = DAffine3::from_translation(middle + reach * way);
        let table = DAffine3::from_translation(DVec3::new(middle.x, middle.y, low.z - 0.05));
        let mut answers = Vec::new();
        for ([hand, things], calls) in bodies.iter_mut().zip(&mut calls) {
            hand.update(&world).expect("a rigid pose");
            things.update(&[ball, table]).expect("a rigid pose");
            let found = between(hand, things, &LinkQuestion::default(), &mut room);
            *calls += found.work.calls;
            answers.push(found.contacts.iter().map(|c| (c.a, c.b)).collect::<Vec<_>>());
        }
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "frame {frame}: {answers:?}");
        let [hand, things] = &bodies[0];
        if frame % 40 == 0 {
            let mut expected = Vec::new();
            for (i, (a, at)) in hand_links.links().iter().zip(hand.placements()).enumerate() {
                for (j, b) in things.articulation().links().iter().enumerate() {
                    if touching(a, at, b, &things.placements()[j]) {
                        expected.push((i as u32, j as u32));
                    }
                }
            }
            assert_eq!(answers[0], expected, "frame {frame}");
        }
        hits += answers[0].len();
    }
    let pairs = hand_links.links().len() * things.links().len();
    println!("{pairs} pairs a frame, {frames} frames, {hits} hits, calls {calls:?}");
    assert!(hits > 100 && calls[1] >= calls[0] && calls[2] == calls[3], "{hits} {calls:?}");
}

/// Without boxes, on the links' own trees: the hand's meshes are too fine for rational arithmetic
/// on all pairs.
fn touching(a: &Link, at: &Pose, b: &Link, bt: &Pose) -> bool {
    let (first, second): (&Model, &Model) = (&a.model, &b.model);
    elbowroom::internal::query::intersects(first, at, second, bt)
}
