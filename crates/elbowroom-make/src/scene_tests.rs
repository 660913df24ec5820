//! What scenes of moving links promise: the same bits, joints that hold, neighbours whose boxes
//! keep apart, and meetings now and then.

use elbowroom::internal::model::Model;
use elbowroom::internal::query::intersects;
use elbowroom::internal::volume::ObbPair;
use elbowroom::{Aabb, Pose};
use elbowroom_motion::body::Rig;
use glam::{DAffine3, DVec3};

use crate::*;

fn placed(place: &DAffine3) -> Pose {
    Pose::new(place.matrix3, place.translation).unwrap()
}

/// All bits of some frames, as one number.
fn bits<'a>(places: impl Iterator<Item = &'a DAffine3>) -> u64 {
    let numbers = places.flat_map(DAffine3::to_cols_array);
    numbers
        .fold(0, |sum: u64, x| sum.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ x.to_bits())
}

fn link_box(rig: &Rig) -> (DVec3, DVec3) {
    let Aabb { min: low, max: high } = rig.parts[0].mesh.bounds();
    (0.5 * (low + high), 0.5 * (high - low))
}

fn boxes_meet(a: &DAffine3, b: &DAffine3, (middle, half): (DVec3, DVec3)) -> bool {
    let turn = a.matrix3.transpose();
    let step = turn * (b.transform_point3(middle) - a.transform_point3(middle));
    !ObbPair::new(turn * b.matrix3, step, half, half).apart(0.0)
}

#[test]
fn joints_of_chains_hold_and_neighbours_keep_apart() {
    let mut bent = 0;
    for (aspect, play) in [(3.0, Play::Loose), (6.0, Play::Loose), (6.0, Play::Braided)] {
        let (rig, frames) = chains(&Chains { aspect, play, ..Chains::default() });
        rig.validate().unwrap();
        let pitch = -rig.skeleton.joints()[1].rest.translation;
        let size = link_box(&rig);
        for (frame, both) in frames.take(1500).enumerate() {
            for pair in both.iter().flat_map(|chain| chain.windows(2)) {
                let end = pair[0].transform_point3(-pitch);
                let gap = end.distance(pair[1].translation);
                assert!(gap < 1e-12, "frame {frame}: {gap}");
                assert!(!boxes_meet(&pair[0], &pair[1], size), "frame {frame} of {aspect}");
                placed(&pair[0]);
                bent += u32::from(pair[0].matrix3.y_axis.dot(pair[1].matrix3.y_axis) < 0.99);
            }
        }
    }
    assert!(bent > 20_000, "{bent}");
}

#[test]
fn hulls_are_closed_and_move_as_rods_do() {
    let (hull, frames) = chains(&Chains { link: Link::Hull, ..Chains::default() });
    let seams = hull.parts[0].mesh.seams();
    assert!(seams.is_closed() && seams.is_manifold() && seams.is_oriented(), "{seams:?}");
    let (rod, same) = chains(&Chains::default());
    assert!(frames.zip(same).take(50).all(|(a, b)| a == b));
    let [hull, rod] = [hull, rod].map(|rig| link_box(&rig).1);
    assert!(hull.x == rod.x && hull.y == rod.y && hull.z < 0.8 * rod.z, "{hull} {rod}");
}

#[test]
fn loose_chains_meet_now_and_then_and_braids_stay_close() {
    let meetings = |play| {
        let (rig, frames) = chains(&Chains { play, ..Chains::default() });
        let (size, model) = (link_box(&rig), Model::new(rig.parts[0].mesh.clone()));
        let (mut close, mut touching) = (0, 0);
        for [first, second] in frames.take(2000) {
            for (a, b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
                if boxes_meet(a, b, size) {
                    close += 1;
                    touching += u32::from(intersects(&model, &placed(a), &model, &placed(b)));
                }
            }
        }
        (close, touching)
    };
    let loose = meetings(Play::Loose);
    assert!((200..2000).contains(&loose.0) && (5..300).contains(&loose.1), "{loose:?}");
    let braided = meetings(Play::Braided);
    assert!(braided.0 > 3000 && (500..3000).contains(&braided.1), "{braided:?}");
}

#[test]
fn a_hand_plays_with_a_ball() {
    let (scene, frames) = hand_and_ball(1);
    scene.arm.validate().unwrap();
    let links: Vec<Model> = scene.arm.parts.iter().map(|p| Model::new(p.mesh.clone())).collect();
    let ball = Model::new(scene.things[1].1.clone());
    let (mut hit, mut farthest) = (0, 0.0_f64);
    for frame in frames.take(1200) {
        let at = placed(&frame.things[1]);
        let reaches =
            |(link, place): (&Model, &DAffine3)| intersects(link, &placed(place), &ball, &at);
        hit += u32::from(links.iter().zip(&frame.joints).any(reaches));
        let palm = frame.joints[2].translation;
        farthest = farthest.max(palm.distance(frame.things[1].translation));
    }
    assert!((20..600).contains(&hit) && (0.25..0.6).contains(&farthest), "{hit} {farthest}");
}

#[test]
fn the_bits_of_scenes_never_change() {
    let (_, frames) = chains(&Chains::default());
    let loose: Vec<_> = frames.take(300).flatten().flatten().collect();
    let (_, frames) = chains(&Chains { play: Play::Braided, ..Chains::default() });
    let braided: Vec<_> = frames.take(300).flatten().flatten().collect();
    let (_, frames) = hand_and_ball(1);
    let ball: Vec<_> = frames.take(300).flat_map(|f| [f.joints[17], f.things[1]]).collect();
    let found = [loose, braided, ball].map(|places| bits(places.iter()));
    assert_eq!(
        found,
        [6_319_232_792_806_879_720, 11_652_378_466_409_400_505, 10_695_524_512_934_443_369]
    );
}
