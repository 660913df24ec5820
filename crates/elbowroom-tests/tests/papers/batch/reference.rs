//! The boxes of a batch, one body at a time in f64: plain, and without any slack.
//!
//! Shared by the tests, which compare boxes with it, and the bench, which compares times.

#![allow(dead_code, reason = "tests and bench use different parts")]

use elbowroom::internal::volume::Obb;
use elbowroom_motion::body::{Joint, JointId, Local, Skeleton, SkeletonPose};
use elbowroom_papers::cab::batch::{BatchLeaf, Merge};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A body's memory.
#[derive(Default)]
pub(crate) struct Body {
    pub(crate) world: Vec<DAffine3>,
    pub(crate) boxes: Vec<Obb>,
}

impl Body {
    pub(crate) fn refit(
        &mut self,
        skeleton: &Skeleton,
        (leaves, merges): (&[BatchLeaf], &[Merge]),
        pose: &SkeletonPose,
        world_from_rig: &DAffine3,
    ) {
        skeleton.world_placed(pose, world_from_rig, &mut self.world);
        self.boxes.clear();
        for leaf in leaves {
            let world_from_joint = &self.world[leaf.joint.index()];
            self.boxes.push(Obb {
                center: world_from_joint.transform_point3(leaf.shape.center),
                axes: world_from_joint.matrix3 * leaf.shape.axes,
                half: leaf.shape.half,
            });
        }
        for merge in merges {
            let [a, b] = [merge.a, merge.b].map(|node| &self.boxes[node as usize]);
            let merged = cab(a, b, self.world[merge.joint.index()].translation, 0.0).0;
            self.boxes.push(merged);
        }
    }
}

/// The longest axis of a box away from the joint, as long as the box, and the second extent.
fn major(of: &Obb, joint: DVec3) -> (DVec3, f64) {
    let h = of.half;
    let longest = usize::from(h.y > h.x);
    let longest = if h.z > h[longest] { 2 } else { longest };
    let second = h[(longest + 1) % 3].max(h[(longest + 2) % 3]);
    let axis = of.axes.col(longest);
    let away = if (of.center - joint).dot(axis) < 0.0 { -axis } else { axis };
    (away * h[longest], second)
}

/// The box around two boxes, and whether a choice on the way to it was nearer to a tie than `near`
/// (relative to what is compared), so that rounding may choose otherwise.
pub(crate) fn cab(a: &Obb, b: &Obb, joint: DVec3, near: f64) -> (Obb, bool) {
    let ((a1, second_a), (a2, second_b)) = (major(a, joint), major(b, joint));
    let close = |x: f64, y: f64| (x - y).abs() <= near * x.abs().max(y.abs());
    let mut tie = false;
    for of in [a, b] {
        let mut sizes = of.half.to_array();
        sizes.sort_by(f64::total_cmp);
        tie |= close(sizes[2], sizes[1]);
        let away = (of.center - joint).dot(major(of, joint).0);
        tie |= away.abs() <= near * of.half.max_element() * of.half.max_element();
    }
    let lengths = a1.length() * a2.length();
    let cosine = if lengths > 0.0 { (a1.dot(a2) / lengths).abs() } else { 1.0 };
    tie |= (cosine - (1.0 - 1e-5)).abs() <= 1e-6;
    let axes = if cosine > 1.0 - 1e-5 {
        tie |= close(second_a, second_b);
        if second_b > second_a { b.axes } else { a.axes }
    } else {
        let ends = a1 - a2;
        let squares = [ends, a1, a2].map(DVec3::length_squared);
        tie |= close(squares[0], squares[1]) || close(squares[0], squares[2]);
        tie |= close(squares[1], squares[2]) && squares[0] < squares[1].max(squares[2]);
        let mut long = if squares[1] > squares[0] { a1 } else { ends };
        if squares[2] > long.length_squared() {
            long = a2;
        }
        let x = long.normalize();
        let y = a1.cross(a2).normalize();
        DMat3::from_cols(x, y, x.cross(y))
    };
    (enclose(a, b, axes), tie)
}

fn enclose(a: &Obb, b: &Obb, axes: DMat3) -> Obb {
    let turn = axes.transpose();
    let span = |of: &Obb| {
        let at = turn * of.center;
        let shares = turn * of.axes;
        let radius = shares.x_axis.abs() * of.half.x
            + shares.y_axis.abs() * of.half.y
            + shares.z_axis.abs() * of.half.z;
        (at - radius, at + radius)
    };
    let ((low_a, high_a), (low_b, high_b)) = (span(a), span(b));
    let (low, high) = (low_a.min(low_b), high_a.max(high_b));
    Obb { center: axes * (0.5 * (low + high)), axes, half: 0.5 * (high - low) }
}

/// A person of 31 joints, as motion capture has them: hips, two legs of five, a back of six, two
/// arms of seven.
pub(crate) fn person() -> (Skeleton, Vec<BatchLeaf>) {
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |name: String, parent: Option<u32>, offset: [f64; 3]| {
        let rest = Local::from_translation(DVec3::from_array(offset));
        joints.push(Joint { name, parent: parent.map(JointId), rest });
        joints.len() as u32 - 1
    };
    let hips = add("hips".into(), None, [0.0, 0.95, 0.0]);
    for (side, x) in [("left", 1.0), ("right", -1.0)] {
        let mut at = hips;
        for (part, offset) in [
            ("hip", [0.09 * x, -0.04, 0.0]),
            ("thigh", [0.02 * x, -0.05, 0.0]),
            ("shin", [0.0, -0.42, 0.01]),
            ("foot", [0.0, -0.41, -0.02]),
            ("toes", [0.0, -0.05, 0.14]),
        ] {
            at = add(format!("{side} {part}"), Some(at), offset);
        }
    }
    let mut back = vec![hips];
    for part in ["lower back", "upper back", "chest", "lower neck", "upper neck", "head"] {
        let from = back[back.len() - 1];
        back.push(add(part.into(), Some(from), [0.0, 0.105, 0.004]));
    }
    for (side, x) in [("left", 1.0), ("right", -1.0)] {
        let mut at = back[3];
        for (part, offset) in [
            ("collar", [0.04 * x, 0.06, 0.0]),
            ("upper arm", [0.14 * x, 0.0, 0.0]),
            ("lower arm", [0.28 * x, 0.0, 0.0]),
            ("wrist", [0.25 * x, 0.0, 0.0]),
            ("hand", [0.03 * x, 0.0, 0.0]),
            ("fingers", [0.08 * x, 0.0, 0.0]),
        ] {
            at = add(format!("{side} {part}"), Some(at), offset);
        }
        let hand = at - 1;
        add(format!("{side} thumb"), Some(hand), [0.02 * x, 0.0, 0.04]);
    }
    let skeleton = Skeleton::new(joints).expect("a person is a tree");
    let leaves = bones(&skeleton, false);
    (skeleton, leaves)
}

/// A chain of joints along x.
pub(crate) fn chain(joints: u32) -> (Skeleton, Vec<BatchLeaf>) {
    let joint = |i: u32| Joint {
        name: format!("joint {i}"),
        parent: i.checked_sub(1).map(JointId),
        rest: Local::from_translation(DVec3::new(if i == 0 { 0.0 } else { 0.1 }, 0.0, 0.0)),
    };
    let skeleton = Skeleton::new((0..joints).map(joint).collect()).expect("a chain is a tree");
    let leaves = bones(&skeleton, false);
    (skeleton, leaves)
}

/// A box for each joint: from it to its first child, or a small one, and a third as thick as long.
/// Along the bone, or else along the axes of the joint.
pub(crate) fn bones(skeleton: &Skeleton, along: bool) -> Vec<BatchLeaf> {
    let joints = skeleton.joints();
    (0..joints.len())
        .map(|index| {
            let id = JointId(index as u32);
            let child = joints.iter().find(|joint| joint.parent == Some(id));
            let bone = child.map_or(DVec3::new(0.0, 0.02, 0.03), |child| child.rest.translation);
            let length = bone.length();
            let thick = 0.02 + length / 6.0;
            let (axes, half) = if along && length > 0.0 {
                let x = bone / length;
                let y = x.any_orthonormal_vector();
                let half = DVec3::new(0.5 * length + 0.01, 0.9 * thick, 0.7 * thick);
                (DMat3::from_cols(x, y, x.cross(y)), half)
            } else {
                let half = (0.5 * bone.abs()).max(DVec3::new(0.9, 1.0, 0.8) * thick);
                (DMat3::IDENTITY, half)
            };
            BatchLeaf { joint: id, shape: Obb { center: 0.5 * bone, axes, half } }
        })
        .collect()
}

/// A rotation by up to some angle about any axis.
pub(crate) fn rotation(random: &mut Random, angle: f64) -> DQuat {
    let mut part = || random.uniform(-1.0, 1.0);
    let axis = DVec3::new(part(), part(), part()).try_normalize().unwrap_or(DVec3::X);
    DQuat::from_axis_angle(axis, random.uniform(-angle, angle))
}

/// A pose in which every joint is turned by up to some angle from rest.
pub(crate) fn bent(skeleton: &Skeleton, random: &mut Random, angle: f64) -> SkeletonPose {
    let mut pose = skeleton.rest_pose();
    for local in &mut pose.locals {
        local.rotation *= rotation(random, angle);
    }
    pose
}
