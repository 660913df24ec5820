//! Which objects a file's rig is made of.

use elbowroom_motion::body::{Hold, Influence, Joint, JointId, Local, Part, Rig, Skeleton, Skin};
use elbowroom_motion::scene::groups;
use glam::{DAffine3, DVec3};

use super::common::arm;

fn joint(name: &str, parent: Option<u32>) -> Joint {
    Joint { name: name.into(), parent: parent.map(JointId), rest: Local::IDENTITY }
}

fn skinned(name: &str, joints: &[u32]) -> Part {
    let mesh = elbowroom_make::cuboid(DVec3::ONE);
    let count = mesh.vertices().len() as u32;
    let skin = Skin::new(
        joints.iter().map(|&j| JointId(j)).collect(),
        vec![DAffine3::IDENTITY; joints.len()],
        (0..=count).collect(),
        (0..count).map(|_| Influence { joint: 0, weight: 1.0 }).collect(),
    );
    Part::new(name, mesh, Hold::Skinned(skin.unwrap()))
}

fn rigid(name: &str, joint: u32) -> Part {
    Part::new(name, elbowroom_make::cuboid(DVec3::ONE), Hold::Rigid(JointId(joint)))
}

#[test]
fn a_shot_is_characters_and_things() {
    let joints = vec![
        joint("root", None),
        joint("Ann", Some(0)),
        joint("hips", Some(1)),
        joint("hand", Some(2)),
        joint("slot", Some(3)),
        joint("Bob", Some(0)),
        joint("hips", Some(5)),
        joint("table", Some(0)),
        joint("cup", Some(7)),
        joint("cape", Some(2)),
    ];
    let mut rig = Rig::new("shot", Skeleton::new(joints).unwrap());
    rig.parts = vec![
        rigid("cup", 8),
        skinned("body", &[2, 3]),
        skinned("body", &[6]),
        rigid("sword", 4),
        skinned("cape", &[9]),
        rigid("table", 7),
        rigid("table legs", 7),
    ];
    let found: Vec<_> = groups(&rig).into_iter().map(|g| (g.name, g.parts, g.is_skinned)).collect();
    let expected = [
        ("cup".to_owned(), vec![0], false),
        ("Ann".to_owned(), vec![1, 3, 4], true),
        ("Bob".to_owned(), vec![2], true),
        ("table".to_owned(), vec![5, 6], false),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_robot_is_one_object() {
    let mut rig = arm(1.0);
    assert_eq!(groups(&rig).len(), 2);
    rig.allowed.push((0, 1));
    let found = groups(&rig);
    assert_eq!((found.len(), found[0].parts.len(), found[0].name.as_str()), (1, 2, "arm"));
    rig.parts.clear();
    assert!(groups(&rig).is_empty());
}

/// Weights on joints, over and over.
fn weighing(name: &str, listed: std::ops::Range<u32>, own: std::ops::Range<u32>) -> Part {
    let mesh = elbowroom_make::icosphere(2);
    let count = mesh.vertices().len() as u32;
    let (first, length) = (own.start - listed.start, own.len() as u32);
    let influence = |v: u32| Influence { joint: (first + v % length) as u16, weight: 1.0 };
    let skin = Skin::new(
        listed.clone().map(JointId).collect(),
        vec![DAffine3::IDENTITY; listed.len()],
        (0..=count).collect(),
        (0..count).map(influence).collect(),
    );
    Part::new(name, mesh, Hold::Skinned(skin.unwrap()))
}

/// The joints of a person, in one chain.
const PERSON: [&str; 8] =
    ["Hips", "Spine", "LeftArm", "RightArm", "LeftLeg", "RightLeg", "LeftFoot", "RightFoot"];

/// A root, and two chains of this many joints on it; the names of the first are those of a person.
fn two_chains(a: u32, b: u32) -> Rig {
    let mut joints = vec![joint("scene", None), joint("root", Some(0))];
    let name = |i: u32| PERSON.get(i as usize).map_or(format!("a{i}"), |&name| name.to_owned());
    joints.extend((0..a).map(|i| joint(&name(i), Some(i + 1))));
    joints
        .extend((0..b).map(|i| joint(&format!("b{i}"), Some(if i == 0 { 1 } else { a + i + 1 }))));
    Rig::new("scene", Skeleton::new(joints).unwrap())
}

/// Two people in one armature: each skin lists all its bones, and weighs on those of one.
#[test]
fn skins_that_share_a_skeleton_and_no_joint_are_two() {
    let names = |rig: &Rig| -> Vec<_> {
        let found = groups(rig).into_iter();
        found.map(|group| (group.name, group.parts, group.shares_skeleton)).collect()
    };
    let mut rig = two_chains(9, 8);
    rig.parts = vec![
        weighing("ann", 1..19, 2..11),
        weighing("bob", 1..19, 11..19),
        weighing("shirt", 1..19, 4..8),
        rigid("hat", 18),
        rigid("root box", 1),
    ];
    let expected = [("ann".to_owned(), vec![0, 2, 4], true), ("bob".to_owned(), vec![1, 3], true)];
    assert_eq!(names(&rig), expected);
    // One joint in common makes them one.
    rig.parts.push(weighing("cloak", 1..19, 10..12));
    assert_eq!(names(&rig).len(), 1);
    assert!(!names(&rig)[0].2);
    // So are two animals, which cannot be told from the hands of one robot where a rigid part holds
    // them.
    let mut rig = renamed(&two_chains(9, 8));
    rig.parts = vec![weighing("cat", 1..19, 2..11), weighing("dog", 1..19, 11..19)];
    let found = groups(&rig);
    assert_eq!(found.iter().map(|group| &group.parts[..]).collect::<Vec<_>>(), [[0], [1]]);
    assert!(found.iter().all(|group| group.shares_skeleton && group.loose.is_empty()));
    rig.parts.push(rigid("chest", 1));
    let found = groups(&rig);
    assert_eq!((found.len(), &found[0].loose), (1, &vec!["cat".to_owned(), "dog".to_owned()]));
    // A tail of seven joints is no body.
    let mut rig = two_chains(9, 7);
    rig.parts = vec![weighing("ann", 1..18, 2..11), weighing("tail", 1..18, 11..18)];
    assert_eq!(names(&rig).len(), 1);
}

/// A root that both skins weigh on joins no two characters, and what they wear stays with them.
#[test]
fn a_root_that_both_weigh_on_joins_nobody() {
    let parts = |rig: &Rig| groups(rig).into_iter().map(|group| group.parts).collect::<Vec<_>>();
    // One person and one animal, then two animals; both weigh on the root, joint 1.
    let mut rig = two_chains(9, 8);
    rig.parts = vec![
        weighing("ann", 1..19, 1..11),
        mixed("bob", 1..19, &[1, 11, 12, 13, 14, 15, 16, 17, 18]),
        weighing("shirt", 1..19, 4..8),
    ];
    assert_eq!(parts(&rig), [vec![0, 2], vec![1]]);
    let mut animals = renamed(&rig);
    assert_eq!(parts(&animals), [vec![0, 2], vec![1]]);
    // Two joints in common are a body, and so are pieces that are too small without the root.
    animals.parts.push(weighing("cloak", 1..19, 10..12));
    assert_eq!(parts(&animals), [vec![0, 1, 2, 3]]);
    let mut small = two_chains(7, 9);
    small.parts = vec![
        weighing("tail", 1..18, 1..9),
        mixed("body", 1..18, &[1, 9, 10, 11, 12, 13, 14, 15, 16, 17]),
    ];
    assert_eq!(parts(&renamed(&small)), [vec![0, 1]]);
    // Shirt and trousers of one person share the hips alone.
    let mut joints = vec![joint("scene", None), joint("Hips", Some(0))];
    let arms = ["LeftArm", "RightArm", "LeftHand", "RightHand", "Chest", "Neck", "Head", "Jaw"];
    let legs = ["LeftLeg", "RightLeg", "LeftFoot", "RightFoot", "LeftToe", "RightToe", "a", "b"];
    joints.extend(arms.iter().chain(&legs).map(|name| joint(name, Some(1))));
    let mut person = Rig::new("scene", Skeleton::new(joints).unwrap());
    person.parts = vec![
        weighing("shirt", 1..18, 1..10),
        mixed("trousers", 1..18, &[1, 10, 11, 12, 13, 14, 15, 16, 17]),
    ];
    assert_eq!(parts(&person), [vec![0, 1]]);
}

/// Weights on these joints, over and over.
fn mixed(name: &str, listed: std::ops::Range<u32>, own: &[u32]) -> Part {
    let mesh = elbowroom_make::icosphere(2);
    let count = mesh.vertices().len() as u32;
    let influence = |v: u32| Influence {
        joint: (own[v as usize % own.len()] - listed.start) as u16,
        weight: 1.0,
    };
    let skin = Skin::new(
        listed.clone().map(JointId).collect(),
        vec![DAffine3::IDENTITY; listed.len()],
        (0..=count).collect(),
        (0..count).map(influence).collect(),
    );
    Part::new(name, mesh, Hold::Skinned(skin.unwrap()))
}

/// The same rig, with joints of names that say nothing.
fn renamed(rig: &Rig) -> Rig {
    let joints = rig.skeleton.joints().iter().enumerate();
    let joints = joints.map(|(at, known)| Joint { name: format!("bone{at}"), ..known.clone() });
    let mut out = rig.clone();
    out.skeleton = Skeleton::new(joints.collect()).unwrap();
    out
}

#[test]
fn two_skins_join_by_a_third() {
    let joints = vec![joint("a", None), joint("b", None), joint("c", None)];
    let mut rig = Rig::new("two", Skeleton::new(joints).unwrap());
    rig.parts =
        vec![skinned("x", &[0]), skinned("y", &[1]), skinned("z", &[1, 0]), skinned("w", &[2])];
    let parts: Vec<_> = groups(&rig).into_iter().map(|g| g.parts).collect();
    assert_eq!(parts, [vec![0, 1, 2], vec![3]]);
}
