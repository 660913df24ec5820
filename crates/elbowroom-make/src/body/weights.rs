//! Which joints move which part of the skin.
//!
//! Each share is a smooth step along the limb, drawn where the flesh bends; trunk and limbs are
//! told apart by an oblique plane through the hip and by the distances from arm and trunk. Shares
//! are then evened out over the mesh, and the four largest of each vertex are kept.

use elbowroom_motion::body::Influence;
use glam::DVec3;

use super::bones::{self, COUNT};
use super::figure::Figure;
use super::flesh::{Flesh, arm_frame};

/// How often shares are averaged with those of the neighbours.
const ROUNDS: usize = 3;
/// The most joints that move one vertex.
const MOST: usize = 4;

/// Shares of all joints.
type Shares = [f64; COUNT];

/// For each vertex where its influences begin, and the influences, on joints as the skeleton
/// numbers them.
pub(super) fn weights(
    figure: &Figure,
    flesh: &Flesh,
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
) -> (Vec<u32>, Vec<Influence>) {
    let mut shares: Vec<Shares> = vertices.iter().map(|&p| at(figure, flesh, p)).collect();
    for _ in 0..ROUNDS {
        shares = averaged(&shares, triangles);
    }
    let mut offsets = vec![0];
    let mut influences = Vec::new();
    for share in &shares {
        influences.extend(largest(share));
        offsets.push(influences.len() as u32);
    }
    (offsets, influences)
}

fn at(figure: &Figure, flesh: &Flesh, vertex: DVec3) -> Shares {
    let mut point = vertex;
    point.x = vertex.x.abs();
    let left = left_shares(figure, flesh, point);
    if vertex.x >= 0.0 {
        return left;
    }
    std::array::from_fn(|joint| left[bones::opposite(joint)])
}

/// Shares at a point on the left, or in the middle.
fn left_shares(figure: &Figure, flesh: &Flesh, point: DVec3) -> Shares {
    let mut shares = [0.0; COUNT];
    // What is handed from joint to joint along a chain: each keeps what the next does not take.
    let mut hand_on = |mut left: f64, chain: &[(&str, f64)]| {
        for pair in chain.windows(2) {
            shares[bones::number(pair[0].0)] += left * (1.0 - pair[1].1);
            left *= pair[1].1;
        }
        if let Some(last) = chain.last() {
            shares[bones::number(last.0)] += left;
        }
    };
    let arm = arm_share(figure, flesh, point);
    let leg = leg_share(figure, point) * (1.0 - arm);
    let trunk = 1.0 - arm - leg;
    let own_side = step(-0.025, 0.025, point.x);

    let [shin, foot, toes] = leg_steps(figure, point);
    for (side, names) in [
        (own_side, ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"]),
        (1.0 - own_side, ["RightUpLeg", "RightLeg", "RightFoot", "RightToeBase"]),
    ] {
        let steps = [1.0, shin, foot, toes];
        let chain: [(&str, f64); 4] = std::array::from_fn(|i| (names[i], steps[i]));
        hand_on(leg * side, &chain);
    }

    let [fore, hand, fingers, thumb] = arm_steps(figure, point);
    let chain = [("LeftArm", 1.0), ("LeftForeArm", fore), ("LeftHand", hand)];
    hand_on(arm * (1.0 - thumb) * (1.0 - fingers), &chain);
    hand_on(arm * thumb, &[("LThumb", 1.0)]);
    hand_on(arm * (1.0 - thumb) * fingers, &[("LeftHandIndex1", 1.0)]);

    let [loins, waist, chest, collar, neck, nape, skull] = back_steps(figure, point);
    hand_on(trunk * collar, &[("LeftShoulder", 1.0)]);
    let chain = [
        ("Hips", 1.0),
        ("LowerBack", loins),
        ("Spine", waist),
        ("Spine1", chest),
        ("Neck", neck),
        ("Neck1", nape),
        ("Head", skull),
    ];
    hand_on(trunk * (1.0 - collar), &chain);
    shares
}

/// The leg begins at a plane through the hip that rises outward, as the groin does.
fn leg_share(figure: &Figure, point: DVec3) -> f64 {
    let down_and_out = DVec3::new(0.45, -0.89, 0.0);
    step(-0.07, 0.06, (point - DVec3::from(figure.leg[0])).dot(down_and_out))
}

fn leg_steps(figure: &Figure, point: DVec3) -> [f64; 3] {
    let [_, knee, ankle, ball] = figure.leg;
    // The instep belongs to the foot though it is as high as the ankle.
    let above_ankle = point.y - ankle[1] - 0.6 * (point.z - ankle[2]);
    [
        step(0.055, -0.055, point.y - knee[1]),
        step(0.04, -0.015, above_ankle),
        step(-0.02, 0.025, point.z - ball[2]),
    ]
}

fn arm_share(figure: &Figure, flesh: &Flesh, point: DVec3) -> f64 {
    let [along, _, _] = arm_frame();
    let from = point - DVec3::from(figure.shoulder);
    let outward = (along + 0.5 * DVec3::X).normalize();
    let nearer = flesh.trunk.distance(point) - flesh.arm.distance(point);
    step(-0.06, 0.06, from.dot(outward)) * step(-0.045, 0.03, nearer)
}

fn arm_steps(figure: &Figure, point: DVec3) -> [f64; 4] {
    let [along, up, forward] = arm_frame();
    let from = point - DVec3::from(figure.shoulder);
    let [elbow, wrist] = [figure.arm[0], figure.arm[0] + figure.arm[1]];
    let far = from.dot(along);
    let knuckles = wrist + figure.arm[2];
    // The thumb is what is near its two rods, and beyond where it leaves the palm.
    let [root, middle, tip] =
        figure.thumb.map(|[far, out, _]| along * (wrist + far) + forward * out - up * 0.008);
    let from_thumb = from_segment(from, middle, tip).min(from_segment(from, root, middle));
    let thumb = step(0.019, 0.012, from_thumb)
        * step(0.0, 0.03, (from - root).dot(middle - root) / (middle - root).length());
    [
        step(-0.045, 0.045, far - elbow),
        step(-0.03, 0.015, far - wrist),
        step(-0.012, 0.018, far - knuckles),
        thumb,
    ]
}

/// Loins, waist, chest, collar, neck, nape, skull.
fn back_steps(figure: &Figure, point: DVec3) -> [f64; 7] {
    let [waist, chest, nape, skull] = figure.back.map(|joint| joint[1]);
    let y = point.y;
    let collar = step(0.04, 0.15, point.x) * step(-0.09, 0.03, y - chest);
    let slim = step(0.13, 0.07, point.x);
    // The chin belongs to the skull though it is lower.
    let over_jaw = y - skull + 0.7 * point.z;
    [
        step(-0.05, 0.07, y - figure.hips[1]),
        step(-0.07, 0.07, y - waist),
        step(-0.13, 0.0, y - chest),
        0.7 * collar * step(0.06, 0.0, y - nape),
        step(-0.05, 0.01, y - nape) * slim,
        step(-0.01, 0.05, y - nape),
        step(-0.045, 0.015, over_jaw),
    ]
}

/// From 0 to 1, smoothly, as `x` goes from the first number to the second.
fn step(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn from_segment(point: DVec3, from: DVec3, to: DVec3) -> f64 {
    let axis = to - from;
    let share = ((point - from).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
    (point - from - axis * share).length()
}

/// Half of each vertex's own shares, half of its neighbours'.
fn averaged(shares: &[Shares], triangles: &[[u32; 3]]) -> Vec<Shares> {
    let mut sums = vec![[0.0; COUNT]; shares.len()];
    let mut counts = vec![0.0; shares.len()];
    for &[a, b, c] in triangles {
        // Every edge has two triangles, each of which runs through it once.
        for (from, to) in [(a, b), (b, c), (c, a)] {
            counts[from as usize] += 1.0;
            for joint in 0..COUNT {
                sums[from as usize][joint] += shares[to as usize][joint];
            }
        }
    }
    let mixed = |v: usize| std::array::from_fn(|j| 0.5 * (shares[v][j] + sums[v][j] / counts[v]));
    (0..shares.len()).map(mixed).collect()
}

/// The largest shares, made to add up to 1.
fn largest(shares: &Shares) -> Vec<Influence> {
    let mut order: Vec<usize> = (0..COUNT).filter(|&joint| shares[joint] > 1e-3).collect();
    order.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]).then(a.cmp(&b)));
    order.truncate(MOST);
    let sum: f64 = order.iter().map(|&joint| shares[joint]).sum();
    let influence =
        |joint: usize| Influence { joint: joint as u16, weight: (shares[joint] / sum) as f32 };
    order.into_iter().map(influence).collect()
}
