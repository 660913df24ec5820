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

#[test]
fn two_skins_join_by_a_third() {
    let joints = vec![joint("a", None), joint("b", None), joint("c", None)];
    let mut rig = Rig::new("two", Skeleton::new(joints).unwrap());
    rig.parts =
        vec![skinned("x", &[0]), skinned("y", &[1]), skinned("z", &[1, 0]), skinned("w", &[2])];
    let parts: Vec<_> = groups(&rig).into_iter().map(|g| g.parts).collect();
    assert_eq!(parts, [vec![0, 1, 2], vec![3]]);
}
