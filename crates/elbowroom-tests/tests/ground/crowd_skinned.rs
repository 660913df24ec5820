//! Characters that are skinned as they are needed touch where all their triangles say so, part by
//! part.

use std::collections::{BTreeMap, BTreeSet};

use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::traverse::Workspace;
use elbowroom_make::body::{female, male};
use elbowroom_motion::body::{JointId, Rig};
use elbowroom_motion::crowd::{
    Bodies, Crowd, CrowdConfig, Detail, Member, Performer, Skinned, Verdict, between,
};
use elbowroom_motion::footprint::FootprintConfig;
use elbowroom_motion::space_time::Taking;
use elbowroom_testkit::brute::{Soup, all_pairs};
use elbowroom_testkit::oracle::{PlainPose as Placed, Relation};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DVec2, DVec3};

fn cast<'a>(man: &'a Rig, woman: &'a Rig) -> Vec<Performer<'a>> {
    let taking = Taking { fps: Some(10.0), ..Taking::default() };
    let play = |rig: &'a Rig, clip: usize| {
        Performer::in_place(rig, &rig.clips[clip], &taking, FootprintConfig::default())
            .expect("a clip")
    };
    vec![play(man, 0), play(woman, 2)]
}

fn member(random: &mut Random, size: f64) -> Member {
    let at = DVec2::new(random.uniform(-size, size), random.uniform(-size, size));
    let at = Planar::from_angle(random.uniform(-4.0, 4.0), at).expect("a place");
    Member { performer: random.below(2) as u32, at, time: random.uniform(0.0, 3.0) }
}

#[test]
fn skinned_bodies_touch_as_shared_ones_do() {
    let (man, woman) = (male(), female());
    let config = |bodies| CrowdConfig { bodies, ..CrowdConfig::default() };
    let mut shared = Crowd::new(cast(&man, &woman), &config(Bodies::Shared));
    let mut skinned = Crowd::new(cast(&man, &woman), &config(Bodies::Skinned));
    let mut random = Random::new(31);
    let (mut touching, mut boxed, mut posed, mut exact) = (0, 0, 0, 0);
    for step in 0..24 {
        for id in 0..24 {
            // In metres: a random place touches within a rounding as good as never, so both say the
            // same.
            let member = member(&mut random, 2.0);
            shared.set(id * 3, member).expect("a member");
            skinned.set(id * 3, member).expect("a member");
        }
        let eye = DVec3::new(0.0, 0.0, 2.0);
        let detail = match step % 3 {
            0 => Detail::Camera { eye, angle: 0.02, exact_within: 2.7 },
            1 => Detail::Budget { eye, tests: u64::MAX, exact: 12 },
            _ => Detail::Exact,
        };
        let expected = shared.pairs(&detail).to_vec();
        assert_eq!(skinned.pairs(&detail), expected, "step {step}: {detail:?}");
        let counts = skinned.counts();
        assert_eq!(counts.exact + counts.boxed, shared.counts().exact);
        #[cfg(feature = "parallel")]
        {
            assert_eq!(skinned.pairs_parallel(&detail), expected);
            // Footprints are there by now.
            assert_eq!(skinned.counts(), elbowroom_motion::crowd::Counts { made: 0, ..counts });
        }
        touching += expected.iter().filter(|near| near.verdict == Verdict::Touching).count();
        (boxed, posed, exact) = (boxed + counts.boxed, posed + counts.posed, exact + counts.exact);
    }
    println!("{touching} touching, {boxed} parted by boxes, {exact} compared, {posed} skinned");
    // Circles leave little to boxes: they part by height, and what leans over.
    assert!(touching > 200 && boxed > 0 && posed > 200, "{touching} {boxed} {posed}");
}

/// Who has which vertices, as plain arrays.
fn soup(character: &Skinned<'_>) -> Soup {
    let model = character.model();
    let triangles: Vec<_> = (0..model.triangles().len())
        .map(|t| model.triangle(t).map(|corner| corner.to_array()))
        .collect();
    Soup::from_triangles(&triangles)
}

#[test]
fn contacts_by_part_are_those_of_all_triangles() {
    let (man, woman) = (male(), female());
    let [mut a, mut b] = [&man, &woman].map(|rig| Skinned::new(rig).expect("a character"));
    let mut random = Random::new(5);
    let mut workspace = Workspace::default();
    let here = Placed { r: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], t: [0.0; 3] };
    let (mut contacts, mut clear, mut regions) = (0, 0, BTreeSet::new());
    for round in 0..12 {
        for (character, rig) in [(&mut a, &man), (&mut b, &woman)] {
            let mut pose = rig.rest_pose();
            rig.clips[random.below(9) as usize].sample(random.uniform(0.0, 1.0), &mut pose);
            let size = if round % 4 == 0 { 0.5 } else { 0.25 };
            let at = DVec3::new(random.uniform(-size, size), 0.0, random.uniform(-size, size));
            let turn = DAffine3::from_rotation_y(random.uniform(-3.0, 3.0));
            character.pose(&pose, &(DAffine3::from_translation(at) * turn));
        }
        let found = between(&mut a, &mut b, &mut workspace).expect("finite");
        // Skinned by now or not, they have to be for the comparison.
        a.skin().expect("finite");
        b.skin().expect("finite");
        let mut expected: BTreeMap<[JointId; 2], u64> = BTreeMap::new();
        for (i, j, relation) in all_pairs(&soup(&a), &here, &soup(&b), &here) {
            assert!(relation != Relation::Apart);
            *expected.entry([a.joints()[i as usize], b.joints()[j as usize]]).or_default() += 1;
        }
        let listed: BTreeMap<_, _> = found.iter().map(|c| (c.joints, c.triangles)).collect();
        assert_eq!(listed, expected, "round {round}");
        let swapped = between(&mut b, &mut a, &mut workspace).expect("finite");
        for contact in &swapped {
            let [hers, his] = contact.joints;
            let same = found.iter().find(|c| c.joints == [his, hers]).expect("found");
            assert_eq!((same.triangles, same.point), (contact.triangles, contact.point));
            assert!(same.point.is_finite() && same.point.length() < 3.0);
            regions.insert(same.joints);
        }
        contacts += found.len();
        clear += u32::from(found.is_empty());
    }
    assert!(contacts > 30 && clear > 0 && regions.len() > 20, "{contacts} {clear}");
}

#[test]
fn a_crowd_says_which_parts_touch() {
    let (man, woman) = (male(), female());
    let mut crowd = Crowd::new(cast(&man, &woman), &CrowdConfig::default());
    let mut random = Random::new(77);
    let mut met = 0;
    for id in 0..12 {
        crowd.set(id, member(&mut random, 1.0)).expect("a member");
    }
    let near = crowd.pairs(&Detail::Exact).to_vec();
    let touching: BTreeSet<[u32; 2]> = near.iter().map(|near| near.ids).collect();
    for a in 0..12 {
        for b in a + 1..12 {
            let contacts = crowd.between(a, b);
            assert_eq!(!contacts.is_empty(), touching.contains(&[a, b]), "{a} {b}");
            assert!(contacts.is_sorted_by(|x, y| x.joints < y.joints));
            let swapped = crowd.between(b, a);
            assert_eq!(contacts.len(), swapped.len());
            met += contacts.len();
        }
    }
    assert!(crowd.between(0, 99).is_empty());
    assert!(met > 10, "{met}");
}
