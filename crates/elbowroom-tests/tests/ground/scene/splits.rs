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
    // Animals in one armature cannot be told from the hands of one robot, unless a rigid part is
    // between them.
    let mut rig = two_chains(9, 8);
    let joints: Vec<Joint> = rig
        .skeleton
        .joints()
        .iter()
        .enumerate()
        .map(|(at, known)| Joint { name: format!("bone{at}"), ..known.clone() })
        .collect();
    rig.skeleton = Skeleton::new(joints).unwrap();
    rig.parts = vec![weighing("cat", 1..19, 2..11), weighing("dog", 1..19, 11..19)];
    let found = groups(&rig);
    assert_eq!((found.len(), &found[0].loose), (1, &vec!["cat".to_owned(), "dog".to_owned()]));
    rig.parts.push(rigid("chest", 1));
    assert_eq!(groups(&rig)[0].loose, [""; 0]);
    // A tail of seven joints is no body.
    let mut rig = two_chains(9, 7);
    rig.parts = vec![weighing("ann", 1..18, 2..11), weighing("tail", 1..18, 11..18)];
    assert_eq!(names(&rig).len(), 1);
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
