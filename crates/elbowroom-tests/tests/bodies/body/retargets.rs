//! Motions carried over between the skeletons that people have.
//!
//! Each convention is written as a table of joints with the point of a body where each stands, so
//! that a match of two names is right when both stand at the same point.

use elbowroom_motion::body::{
    Clip, Interpolation, Joint, JointId, Local, Retarget, RetargetConfig, Skeleton, SkeletonPose,
    Target, Track,
};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::any_rotation;

/// A convention: words for left and right, then lines of name, parent and point; `%` is a side.
struct Convention {
    name: &'static str,
    sides: [&'static str; 2],
    joints: &'static [&'static str],
}

const CONVENTIONS: [Convention; 8] = [
    Convention {
        name: "CMU as Biovision",
        sides: ["Left", "Right"],
        joints: &[
            "Hips - hips",
            "!HipJoint Hips hipjoint",
            "%UpLeg !HipJoint thigh",
            "%Leg %UpLeg shin",
            "%Foot %Leg foot",
            "%ToeBase %Foot toe",
            "LowerBack Hips spine0",
            "Spine LowerBack spine1",
            "Spine1 Spine spine2",
            "Neck Spine1 neck0",
            "Neck1 Neck neck1",
            "Head Neck1 head",
            "%Shoulder Spine1 shoulder",
            "%Arm %Shoulder upperarm",
            "%ForeArm %Arm forearm",
            "%Hand %ForeArm hand",
            "%FingerBase %Hand base",
            "%HandIndex1 %FingerBase index",
            "!Thumb %Hand thumb",
        ],
    },
    Convention {
        name: "CMU's own",
        sides: ["l", "r"],
        joints: &[
            "root - hips",
            "%hipjoint root hipjoint",
            "%femur %hipjoint thigh",
            "%tibia %femur shin",
            "%foot %tibia foot",
            "%toes %foot toe",
            "lowerback root spine0",
            "upperback lowerback spine1",
            "thorax upperback spine2",
            "lowerneck thorax neck0",
            "upperneck lowerneck neck1",
            "head upperneck head",
            "%clavicle thorax shoulder",
            "%humerus %clavicle upperarm",
            "%radius %humerus forearm",
            "%wrist %radius hand",
            "%hand %wrist palm",
            "%fingers %hand base",
            "%thumb %wrist thumb",
        ],
    },
    Convention {
        name: "Mixamo",
        sides: ["Left", "Right"],
        joints: &[
            "mixamorig:Hips - hips",
            "mixamorig:Spine mixamorig:Hips spine0",
            "mixamorig:Spine1 mixamorig:Spine spine1",
            "mixamorig:Spine2 mixamorig:Spine1 spine2",
            "mixamorig:Neck mixamorig:Spine2 neck0",
            "mixamorig:Head mixamorig:Neck head",
            "mixamorig:HeadTop_End mixamorig:Head crown",
            "mixamorig:%Shoulder mixamorig:Spine2 shoulder",
            "mixamorig:%Arm mixamorig:%Shoulder upperarm",
            "mixamorig:%ForeArm mixamorig:%Arm forearm",
            "mixamorig:%Hand mixamorig:%ForeArm hand",
            "mixamorig:%HandThumb1 mixamorig:%Hand thumb",
            "mixamorig:%HandIndex1 mixamorig:%Hand index",
            "mixamorig:%UpLeg mixamorig:Hips thigh",
            "mixamorig:%Leg mixamorig:%UpLeg shin",
            "mixamorig:%Foot mixamorig:%Leg foot",
            "mixamorig:%ToeBase mixamorig:%Foot toe",
            "mixamorig:%Toe_End mixamorig:%ToeBase tip",
        ],
    },
    Convention {
        name: "VRM",
        sides: ["L", "R"],
        joints: &[
            "Root - floor",
            "J_Bip_C_Hips Root hips",
            "J_Bip_C_Spine J_Bip_C_Hips spine0",
            "J_Bip_C_Chest J_Bip_C_Spine spine1",
            "J_Bip_C_UpperChest J_Bip_C_Chest spine2",
            "J_Bip_C_Neck J_Bip_C_UpperChest neck0",
            "J_Bip_C_Head J_Bip_C_Neck head",
            "J_Bip_%_Shoulder J_Bip_C_UpperChest shoulder",
            "J_Bip_%_UpperArm J_Bip_%_Shoulder upperarm",
            "J_Bip_%_LowerArm J_Bip_%_UpperArm forearm",
            "J_Bip_%_Hand J_Bip_%_LowerArm hand",
            "J_Bip_%_Index1 J_Bip_%_Hand index",
            "J_Bip_%_Thumb1 J_Bip_%_Hand thumb",
            "J_Bip_%_UpperLeg J_Bip_C_Hips thigh",
            "J_Bip_%_LowerLeg J_Bip_%_UpperLeg shin",
            "J_Bip_%_Foot J_Bip_%_LowerLeg foot",
            "J_Bip_%_ToeBase J_Bip_%_Foot toe",
        ],
    },
    Convention {
        name: "Unity",
        sides: ["left", "right"],
        joints: &[
            "hips - hips",
            "spine hips spine0",
            "chest spine spine2",
            "neck chest neck0",
            "head neck head",
            "%Shoulder chest shoulder",
            "%UpperArm %Shoulder upperarm",
            "%LowerArm %UpperArm forearm",
            "%Hand %LowerArm hand",
            "%IndexProximal %Hand index",
            "%ThumbProximal %Hand thumb",
            "%UpperLeg hips thigh",
            "%LowerLeg %UpperLeg shin",
            "%Foot %LowerLeg foot",
            "%Toes %Foot toe",
        ],
    },
    Convention {
        name: "KayKit",
        sides: ["l", "r"],
        joints: &[
            "root - floor",
            "hips root hips",
            "spine hips spine0",
            "chest spine spine2",
            "upperarm.% chest upperarm",
            "lowerarm.% upperarm.% forearm",
            "wrist.% lowerarm.% hand",
            "hand.% wrist.% palm",
            "handslot.% hand.% grip",
            "head chest head",
            "upperleg.% hips thigh",
            "lowerleg.% upperleg.% shin",
            "foot.% lowerleg.% foot",
            "toes.% foot.% toe",
            "kneeIK.% root pole",
            "IK-foot.% root pole",
            "IK-toe.% root pole",
        ],
    },
    Convention {
        name: "Quaternius, legs on the floor",
        sides: ["L", "R"],
        joints: &[
            "Bone - floor",
            "Body Bone belly",
            "Hips Body hips",
            "Abdomen Hips spine0",
            "Torso Abdomen spine2",
            "Neck Torso neck0",
            "Head Neck head",
            "Shoulder.% Torso shoulder",
            "UpperArm.% Shoulder.% upperarm",
            "LowerArm.% UpperArm.% forearm",
            "Palm.% LowerArm.% hand",
            "Thumb.% Palm.% thumb",
            "UpperLeg.% Body thigh",
            "LowerLeg.% UpperLeg.% shin",
            "Foot.% Bone foot",
            "PoleTarget.% Bone pole",
        ],
    },
    Convention {
        name: "glTF's RiggedFigure",
        sides: ["L", "R"],
        joints: &[
            "torso_joint_1 - hips",
            "torso_joint_2 torso_joint_1 spine0",
            "torso_joint_3 torso_joint_2 spine2",
            "neck_joint_1 torso_joint_3 neck0",
            "neck_joint_2 neck_joint_1 neck1",
            "arm_joint_%_1 torso_joint_3 upperarm",
            "arm_joint_%_2 arm_joint_%_1 forearm",
            "arm_joint_%_3 arm_joint_%_2 hand",
            "leg_joint_%_1 torso_joint_1 thigh",
            "leg_joint_%_2 leg_joint_%_1 shin",
            "leg_joint_%_3 leg_joint_%_2 foot",
            "leg_joint_%_5 leg_joint_%_3 toe",
        ],
    },
];

/// Where things are on a body of 1.8 m that looks along z, arms out; the left side is x.
fn point(key: &str) -> DVec3 {
    let (x, y, z) = match key {
        "floor" => (0.0, 0.0, 0.0),
        "belly" => (0.0, 0.98, 0.0),
        "hips" => (0.0, 1.0, 0.0),
        "hipjoint" => (0.02, 0.99, 0.0),
        "thigh" => (0.1, 0.95, 0.0),
        "shin" => (0.11, 0.5, 0.02),
        "foot" => (0.1, 0.08, -0.02),
        "toe" => (0.11, 0.02, 0.12),
        "tip" => (0.11, 0.02, 0.18),
        "spine0" => (0.0, 1.1, 0.0),
        "spine1" => (0.0, 1.2, -0.01),
        "spine2" => (0.0, 1.3, -0.02),
        "neck0" => (0.0, 1.5, 0.0),
        "neck1" => (0.0, 1.55, 0.01),
        "head" => (0.0, 1.6, 0.02),
        "crown" => (0.0, 1.8, 0.02),
        "shoulder" => (0.04, 1.42, 0.0),
        "upperarm" => (0.18, 1.42, -0.01),
        "forearm" => (0.45, 1.41, -0.02),
        "hand" => (0.7, 1.41, 0.0),
        "palm" => (0.74, 1.41, 0.0),
        "base" => (0.78, 1.41, 0.0),
        "grip" => (0.76, 1.38, 0.0),
        "index" => (0.8, 1.41, 0.03),
        "thumb" => (0.73, 1.4, 0.04),
        "pole" => (0.1, 0.5, 0.5),
        other => panic!("{other}"),
    };
    DVec3::new(x, y, z)
}

/// A skeleton and what each of its joints is; right sides end in R, left ones in L.
struct Figure {
    skeleton: Skeleton,
    keys: Vec<String>,
}

impl Figure {
    /// The body after `shape` has moved each point, with joints turned as `axes` says.
    fn new(
        convention: &Convention,
        shape: &dyn Fn(&str, DVec3) -> DVec3,
        mut axes: impl FnMut() -> DQuat,
    ) -> Self {
        let (mut names, mut parents, mut keys, mut worlds) = (vec![], vec![], vec![], vec![]);
        for line in convention.joints {
            let mut fields = line.split(' ');
            let [name, parent, key] = std::array::from_fn(|_| fields.next().expect("three fields"));
            let sides: &[usize] = if line.contains(['%', '!']) { &[0, 1] } else { &[2] };
            for &side in sides {
                let fill = |text: &str| match side {
                    2 => text.to_owned(),
                    _ => text
                        .replace('%', convention.sides[side])
                        .replace('!', &convention.sides[side][..1]),
                };
                let mirror = if side == 1 { DVec3::new(-1.0, 1.0, 1.0) } else { DVec3::ONE };
                names.push(fill(name));
                parents.push(fill(parent));
                keys.push(format!("{key}{}", ["L", "R", ""][side]));
                let place = shape(keys.last().unwrap(), point(key) * mirror);
                worlds.push(DAffine3::from_rotation_translation(axes(), place));
            }
        }
        let joint = |i: usize| {
            let parent = names.iter().position(|name| *name == parents[i]);
            assert!(parent.is_some() || parents[i] == "-", "{}", parents[i]);
            let above = parent.map_or(DAffine3::IDENTITY, |parent| worlds[parent]);
            let rest = Local::from_affine(above.inverse() * worlds[i]).expect("rigid");
            Joint { name: names[i].clone(), parent: parent.map(|p| JointId(p as u32)), rest }
        };
        let skeleton = Skeleton::new((0..names.len()).map(joint).collect()).unwrap();
        Self { skeleton, keys }
    }

    fn plain(convention: &Convention) -> Self {
        Self::new(convention, &|_, point| point, || DQuat::IDENTITY)
    }

    fn place(&self, world: &[DAffine3], key: &str) -> Option<DVec3> {
        Some(world[self.keys.iter().position(|own| own == key)?].translation)
    }

    fn world(&self, pose: &SkeletonPose) -> Vec<DAffine3> {
        let mut world = Vec::new();
        self.skeleton.world(pose, &mut world);
        world
    }

    /// A person in motion.
    fn moving(&self, random: &mut Random) -> SkeletonPose {
        let mut pose = self.skeleton.rest_pose();
        for (local, key) in pose.locals.iter_mut().zip(&self.keys) {
            if key != "floor" && key != "belly" && !key.starts_with("hipjoint") {
                let some = DQuat::IDENTITY.slerp(any_rotation(random), 0.4);
                local.rotation *= some;
            }
            if key == "hips" {
                local.translation += DVec3::new(random.uniform(-3.0, 3.0), 0.1, 2.0);
            }
        }
        pose
    }
}

const LIMBS: [(&str, &str); 4] =
    [("thigh", "shin"), ("shin", "foot"), ("upperarm", "forearm"), ("forearm", "hand")];

/// Which way each limb points.
fn directions(figure: &Figure, pose: &SkeletonPose) -> Vec<DVec3> {
    let world = figure.world(pose);
    let limbs = LIMBS.iter().flat_map(|(a, b)| ["L", "R"].map(|side| (a, b, side)));
    limbs
        .map(|(a, b, side)| {
            let [a, b] = [a, b].map(|key| figure.place(&world, &format!("{key}{side}")).unwrap());
            (b - a).normalize()
        })
        .collect()
}

fn retarget(from: &Figure, to: &Figure) -> Retarget {
    Retarget::new(&from.skeleton, &to.skeleton, &RetargetConfig::default()).unwrap()
}

#[test]
fn every_convention_finds_the_bones_of_every_other() {
    let mut pairs = 0;
    for from in &CONVENTIONS {
        for to in &CONVENTIONS {
            let (a, b) = (Figure::plain(from), Figure::plain(to));
            let retarget = retarget(&a, &b);
            let mut found = Vec::new();
            for pair in retarget.matched() {
                let [one, other] = [&a.keys[pair.source.index()], &b.keys[pair.target.index()]];
                let trunk = |key: &str| key.trim_end_matches(['0', '1', '2']).to_owned();
                assert_eq!(trunk(one), trunk(other), "{} to {}", from.name, to.name);
                found.push(other.clone());
            }
            for key in ["hips", "spine0", "spine2"] {
                assert!(found.iter().any(|own| own == key), "{key}: {} to {}", from.name, to.name);
            }
            for (limb, end) in LIMBS {
                for key in ["L", "R"]
                    .iter()
                    .flat_map(|side| [format!("{limb}{side}"), format!("{end}{side}")])
                {
                    assert!(found.contains(&key), "{key}: {} to {}", from.name, to.name);
                }
            }
            let (all_from, all_to) = (a.skeleton.len(), b.skeleton.len());
            assert_eq!(retarget.only_in_target().len() + found.len(), all_to);
            assert!(retarget.only_in_source().len() < all_from);
            pairs += 1;
        }
    }
    assert_eq!(pairs, 64);
}

#[test]
fn a_skeleton_to_itself_changes_nothing() {
    let mut random = Random::new(61);
    for convention in &CONVENTIONS {
        let figure = Figure::new(convention, &|_, point| point, || any_rotation(&mut random));
        let retarget = retarget(&figure, &figure);
        assert_eq!(retarget.root_scale(), 1.0);
        let kept = retarget.only_in_target();
        let mut source = figure.moving(&mut random);
        for id in kept {
            source.locals[id.index()] = figure.skeleton.joints()[id.index()].rest;
        }
        let (before, after) = (figure.world(&source), figure.world(&retarget.pose(&source)));
        for ((a, b), key) in before.iter().zip(&after).zip(&figure.keys) {
            // A leg that hangs on the floor follows the hips instead.
            let of_leg = ["thigh", "shin", "foot"].iter().any(|part| key.starts_with(part));
            let floating = convention.name.starts_with("Quaternius") && of_leg;
            let same = a.abs_diff_eq(*b, 1e-12);
            assert!(same || floating, "{key} of {}: {a:?} {b:?}", convention.name);
        }
    }
}

#[test]
fn limbs_point_where_the_sources_do_whatever_the_axes() {
    let mut random = Random::new(62);
    let mut met = 0;
    for from in &CONVENTIONS {
        for to in &CONVENTIONS {
            let a = Figure::plain(from);
            let b = Figure::new(to, &|_, point| point, || any_rotation(&mut random));
            let source = a.moving(&mut random);
            // Whatever hangs its feet on the floor says nothing about its shins.
            if from.name.starts_with("Quaternius") {
                continue;
            }
            let target = retarget(&a, &b).pose(&source);
            let [wanted, found] = [directions(&a, &source), directions(&b, &target)];
            for (wanted, found) in wanted.iter().zip(&found) {
                assert!(wanted.abs_diff_eq(*found, 1e-12), "{} to {}", from.name, to.name);
                met += 1;
            }
            let hips = [a.place(&a.world(&source), "hips"), b.place(&b.world(&target), "hips")];
            assert!(hips[0].unwrap().abs_diff_eq(hips[1].unwrap(), 1e-12));
        }
    }
    assert_eq!(met, 7 * 8 * 8);
}

/// Arms that hang instead of being held out.
fn hanging(key: &str, point: DVec3) -> DVec3 {
    let on_arm = ["forearm", "hand", "palm", "base", "grip", "index", "thumb"];
    if !on_arm.iter().any(|part| key.starts_with(part)) {
        return point;
    }
    let side = point.x.signum();
    let shoulder = DVec3::new(0.18 * side, 1.42, -0.01);
    shoulder + DQuat::from_rotation_z(-side) * (point - shoulder)
}

#[test]
fn arms_that_hang_at_rest_are_held_out_all_the_same() {
    let mut random = Random::new(63);
    let (a, b) = (
        Figure::plain(&CONVENTIONS[0]),
        Figure::new(&CONVENTIONS[2], &hanging, || any_rotation(&mut random)),
    );
    let source = a.moving(&mut random);
    let wanted = directions(&a, &source);
    let off = |align_limbs| {
        let config = RetargetConfig { align_limbs, ..RetargetConfig::default() };
        let retarget = Retarget::new(&a.skeleton, &b.skeleton, &config).unwrap();
        let found = directions(&b, &retarget.pose(&source));
        wanted.iter().zip(found).map(|(a, b)| (*a - b).length()).fold(0.0, f64::max)
    };
    assert!(off(true) < 1e-12 && off(false) > 0.5, "{} {}", off(true), off(false));
    // Said as the target's rest, a pose does what the skeleton's own does.
    let straight = Figure::plain(&CONVENTIONS[2]);
    let mut rest = straight.skeleton.rest_pose();
    rest.locals.truncate(40);
    let config = RetargetConfig { target_rest: Some(rest), ..RetargetConfig::default() };
    let said = Retarget::new(&a.skeleton, &straight.skeleton, &config).unwrap();
    assert_eq!(said.pose(&source), retarget(&a, &straight).pose(&source));
}

#[test]
fn another_axis_up_and_another_size() {
    let mut random = Random::new(64);
    // Up is z, forward is -y; and the body is in centimetres, with legs of half the length.
    let turn = DMat3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y);
    let shape = |key: &str, point: DVec3| {
        let legs = ["shin", "foot", "toe", "tip"].iter().any(|part| key.starts_with(part));
        let short = 0.5 * point + DVec3::new(0.05 * point.x.signum(), 0.0, 0.0);
        turn * (100.0 * if legs { short } else { point - DVec3::new(0.0, 0.475, 0.0) })
    };
    let a = Figure::plain(&CONVENTIONS[0]);
    let b = Figure::new(&CONVENTIONS[3], &shape, || any_rotation(&mut random));
    let retarget = retarget(&a, &b);
    assert!((retarget.root_scale() - 50.0).abs() < 1e-9, "{}", retarget.root_scale());
    for _ in 0..20 {
        let source = a.moving(&mut random);
        let target = retarget.pose(&source);
        let [wanted, found] = [directions(&a, &source), directions(&b, &target)];
        assert!(wanted.iter().zip(&found).all(|(a, b)| (turn * *a).abs_diff_eq(*b, 1e-12)));
        let hips = |figure: &Figure, pose| figure.place(&figure.world(pose), "hips").unwrap();
        let (from, to) = (hips(&a, &source), hips(&b, &target));
        let over = turn * from * retarget.root_scale();
        assert!(to.truncate().abs_diff_eq(over.truncate(), 1e-9), "{from} {to}");
        // Who stands as at rest stands on the floor in both.
        let (high, rest) =
            (hips(&b, &b.skeleton.rest_pose()).z, hips(&a, &a.skeleton.rest_pose()).y);
        let rise = (to.z - high) - retarget.root_scale() * (from.y - rest);
        assert!(rise.abs() < 1e-9, "{rise}");
    }
    let config = RetargetConfig { root_scale: Some(100.0), ..RetargetConfig::default() };
    let kept = Retarget::new(&a.skeleton, &b.skeleton, &config).unwrap();
    assert_eq!(kept.root_scale(), 100.0);
}

#[test]
fn legs_that_hang_on_the_floor_go_with_the_hips() {
    let mut random = Random::new(65);
    let (a, b) = (Figure::plain(&CONVENTIONS[0]), Figure::plain(&CONVENTIONS[6]));
    let source = a.moving(&mut random);
    let target = retarget(&a, &b).pose(&source);
    let (rest, world) = (b.world(&b.skeleton.rest_pose()), b.world(&target));
    for side in ["L", "R"] {
        let [thigh, shin, foot] = ["thigh", "shin", "foot"].map(|key| format!("{key}{side}"));
        for (from, to) in [("hips", thigh.as_str()), (&thigh, &shin), (&shin, &foot)] {
            let length = |world: &[DAffine3]| {
                (b.place(world, to).unwrap() - b.place(world, from).unwrap()).length()
            };
            assert!((length(&world) - length(&rest)).abs() < 1e-12, "{from} to {to}");
        }
    }
    let wanted = directions(&a, &source);
    assert!(wanted.iter().zip(directions(&b, &target)).all(|(a, b)| a.abs_diff_eq(b, 1e-12)));
}

#[test]
fn a_clip_is_carried_over_frame_by_frame() {
    let mut random = Random::new(66);
    let (a, b) = (Figure::plain(&CONVENTIONS[1]), Figure::plain(&CONVENTIONS[2]));
    let poses: Vec<SkeletonPose> = (0..4).map(|_| a.moving(&mut random)).collect();
    let times = vec![0.5, 1.0, 1.5, 2.0];
    let tracks = (0..a.skeleton.len()).flat_map(|i| {
        let id = JointId(i as u32);
        let turns = poses.iter().flat_map(|pose| pose.locals[i].rotation.to_array()).collect();
        let moves = poses.iter().flat_map(|pose| pose.locals[i].translation.to_array()).collect();
        [(Target::Rotation(id), turns), (Target::Translation(id), moves)].map(|(target, values)| {
            Track { target, interpolation: Interpolation::Linear, times: times.clone(), values }
        })
    });
    let clip = Clip::new("walk".into(), tracks.collect()).unwrap();
    let retarget = retarget(&a, &b);
    let carried = retarget.clip(&clip, 10.0).unwrap();
    assert_eq!((carried.name(), carried.start(), carried.end()), ("walk", 0.5, 2.0));
    assert_eq!(carried.tracks()[0].times.len(), 16);
    assert_eq!(carried.tracks().len(), retarget.matched().len() + 1);
    let mut pose = b.skeleton.rest_pose();
    for (time, source) in [0.5, 1.0, 1.5, 2.0].into_iter().zip(&poses) {
        carried.sample(time, &mut pose);
        let expected = retarget.pose(source);
        for (found, expected) in pose.locals.iter().zip(&expected.locals) {
            assert!(found.affine().abs_diff_eq(expected.affine(), 1e-12), "{time}");
        }
    }
    assert!(retarget.clip(&clip, 0.0).is_err() && retarget.clip(&clip, 1e12).is_err());
}

#[test]
fn strangers_share_names_or_nothing() {
    let row = |names: &[&str]| {
        let joint = |(i, name): (usize, &&str)| Joint {
            name: (*name).into(),
            parent: i.checked_sub(1).map(|p| JointId(p as u32)),
            rest: Local::from_translation(DVec3::X),
        };
        Skeleton::new(names.iter().enumerate().map(joint).collect()).unwrap()
    };
    let config = RetargetConfig::default();
    let (fox, wolf) = (row(&["Tail1", "Tail2", "Ear.L"]), row(&["x:tail_02", "ear_l", "Ear.R"]));
    let pairs = Retarget::new(&fox, &wolf, &config).unwrap().matched();
    let pairs: Vec<_> = pairs.iter().map(|pair| (pair.source.0, pair.target.0)).collect();
    assert_eq!(pairs, [(1, 0), (2, 1)]);
    let error = Retarget::new(&fox, &row(&["wheel"]), &config).unwrap_err().to_string();
    assert!(error.contains("Tail1") && error.contains("wheel"), "{error}");
    assert!(Retarget::new(&row(&[]), &row(&[]), &config).is_err());
    // A mesh with the name of the bone that it shows, before or below it, is not taken for it.
    let joint = |name: &str, parent: Option<u32>| {
        super::joint(name, parent, Local::from_translation(DVec3::X))
    };
    let list =
        [("Head", None), ("Hips", None), ("Head", Some(1)), ("Ear1", Some(2)), ("Head", Some(2))];
    let shown = Skeleton::new(list.map(|(name, parent)| joint(name, parent)).to_vec()).unwrap();
    let pairs = Retarget::new(&row(&["Hips", "Head"]), &shown, &config).unwrap().matched();
    let pairs: Vec<_> = pairs.iter().map(|pair| (pair.source.0, pair.target.0)).collect();
    assert_eq!(pairs, [(0, 1), (1, 2)]);
    // Many joints of one kind, in one chain: no more work than there are joints.
    let name = ["LeftHandIndex", "Spine", "LeftFoot"];
    let many: Vec<String> = (0..60_000).map(|i| format!("{}{i}", name[i % 3])).collect();
    let long = row(&many.iter().map(String::as_str).collect::<Vec<_>>());
    let retarget = Retarget::new(&long, &long, &config).unwrap();
    assert!(retarget.matched().len() > 20_000);
    retarget.pose(&long.rest_pose());
}
