//! What meets is never said to be apart, and what is far apart is.

use elbowroom::internal::volume::{Aabb, Kdop, Meet, Rigid, Spatial, aabb};
use elbowroom_testkit::random::Random;
use glam::DVec3;

use super::contact::{Contact, PAIRS, Touch, Turn, for_every_pair, may_meet};
use super::shapes::{Kind, rotation, triangles, vector};

const TURNS: [Turn; 3] = [Turn::Rigid, Turn::Skewed, Turn::Upright];

fn touching_meet<V: Meet<W> + Spatial, W: Spatial>(contact: &Contact, met: &mut usize) {
    let pair = contact.volumes::<V, W>();
    let rigid = contact.rigid();
    assert!(may_meet(&pair, &rigid), "{pair:?} are parted by {rigid:?}");
    *met += 1;
}

#[test]
fn what_touches_may_meet() {
    let mut random = Random::new(61);
    let mut met = 0;
    for touch in Touch::ALL {
        for turn in TURNS {
            for _ in 0..200 {
                let contact = Contact::random(touch, turn, &mut random);
                for_every_pair!(touching_meet(&contact, &mut met));
            }
        }
    }
    assert_eq!(met, 5 * 3 * 200 * PAIRS);
}

fn far_is_apart<V: Meet<W> + Spatial, W: Spatial>(contact: &Contact, met: &mut usize) {
    let pair = contact.volumes::<V, W>();
    // No volume of such a shape is larger than a ball of radius 6.
    assert!(!may_meet(&pair, &contact.rigid_at(&contact.moved(12.0), 0.0)), "{pair:?}");
    assert!(!may_meet(&pair, &contact.rigid_at(&contact.moved(12.0), 0.5)), "{pair:?}");
    assert!(may_meet(&pair, &contact.rigid_at(&contact.moved(12.0), 12.5)), "{pair:?}");
    *met += 1;
}

#[test]
fn what_is_far_is_apart_beyond_the_margin() {
    let mut random = Random::new(62);
    let mut met = 0;
    for touch in Touch::ALL {
        for turn in TURNS {
            for _ in 0..40 {
                let contact = Contact::random(touch, turn, &mut random);
                for_every_pair!(far_is_apart(&contact, &mut met));
            }
        }
    }
    assert_eq!(met, 5 * 3 * 40 * PAIRS);
}

/// A larger margin never parts what a smaller one did not; and the answer turns somewhere.
fn margin_is_monotone<V: Meet<W> + Spatial, W: Spatial>(contact: &Contact, turned: &mut usize) {
    let pair = contact.volumes::<V, W>();
    let place = contact.moved(3.0);
    let answers: Vec<_> =
        (0..40).map(|i| may_meet(&pair, &contact.rigid_at(&place, f64::from(i) * 0.1))).collect();
    assert!(answers.is_sorted(), "{pair:?}");
    *turned += usize::from(!answers[0] && answers[39]);
}

#[test]
fn margins_are_monotone() {
    let mut random = Random::new(63);
    let mut turned = 0;
    for touch in Touch::ALL {
        for _ in 0..20 {
            let contact = Contact::random(touch, Turn::Rigid, &mut random);
            for_every_pair!(margin_is_monotone(&contact, &mut turned));
        }
    }
    assert!(turned > 5 * 20 * PAIRS / 2, "{turned}");
}

/// Volumes at the ends of f64 are told apart, and never wrongly.
fn at_any_size<V: Meet<W> + Spatial, W: Spatial>(
    scale: f64,
    random: &mut Random,
    apart: &mut usize,
) {
    let [a, b] = [(); 2].map(|()| {
        let triangles = triangles(Kind::Solid, random);
        triangles.iter().map(|t| t.map(|p| p * scale)).collect::<Vec<_>>()
    });
    let fit = elbowroom::internal::volume::Fit::Triangles;
    let pair = (V::of_triangles(&a, fit), W::of_triangles(&b, fit));
    let turn = rotation(random);
    // The first corners coincide, up to rounding.
    let shift = a[0][0] - turn * b[0][0];
    let place = |shift| elbowroom::Pose::new(turn, shift).expect("a rotation");
    let rigid = |shift, margin| {
        let identity = elbowroom::Pose::IDENTITY;
        Rigid::new(&identity, 6.0 * scale, &place(shift), 6.0 * scale, margin)
    };
    assert!(may_meet(&pair, &rigid(shift, 1e-14 * scale)), "{pair:?}");
    let far = shift + vector(random).normalize() * (20.0 * scale);
    assert!(!may_meet(&pair, &rigid(far, 0.0)), "{pair:?}");
    *apart += 1;
}

#[test]
fn sizes_near_the_ends_of_f64() {
    let mut random = Random::new(64);
    let mut apart = 0;
    for scale in [1e300, 1e200, 1e-200, 1e-290] {
        for _ in 0..50 {
            for_every_pair!(at_any_size(scale, &mut random, &mut apart));
        }
    }
    assert_eq!(apart, 4 * 50 * PAIRS);
}

/// A turned k-DOP is never looser than the turned box of its axes, and often tighter.
#[test]
fn kdops_are_never_looser_than_boxes() {
    fn check<const N: usize>(random: &mut Random) -> [usize; 3] {
        let [mut boxes, mut kdops, mut both] = [0; 3];
        for _ in 0..4000 {
            let [a, b] = [(); 2].map(|()| triangles(Kind::Solid, random));
            let place = elbowroom::Pose::new(rotation(random), vector(random) * 2.5);
            let identity = elbowroom::Pose::IDENTITY;
            let rigid = Rigid::new(&identity, 6.0, &place.expect("a rotation"), 6.0, 0.0);
            let fit = elbowroom::internal::volume::Fit::default();
            let [ka, kb] = [&a, &b].map(|t| Kdop::<N>::of_triangles(t, fit));
            let parted = !may_meet(&(ka, kb), &rigid);
            // The box of b, turned and bounded again in the frame of a.
            let (center, half) = (rigid.apply(kb.bounds().center()), kb.bounds().half());
            let radius =
                DVec3::from_array(std::array::from_fn(|i| rigid.rotation.row(i).abs().dot(half)));
            let turned = Aabb { min: center - radius, max: center + radius };
            let box_parted =
                !aabb::overlap_aabb_aabb(&ka.bounds(), &turned, rigid.allowance() * 2.0);
            assert!(parted || !box_parted, "{ka:?} {kb:?} {rigid:?}");
            boxes += usize::from(box_parted);
            kdops += usize::from(parted);
            both += 1;
        }
        [boxes, kdops, both]
    }
    let mut random = Random::new(65);
    for [boxes, kdops, _] in
        [check::<7>, check::<9>, check::<12>, check::<13>].map(|f| f(&mut random))
    {
        assert!(boxes > 400 && kdops > boxes + boxes / 10, "{boxes} boxes, {kdops} k-DOPs");
    }
}

/// In one frame the quick tests agree with the general ones.
#[test]
fn quick_tests_in_one_frame() {
    let mut random = Random::new(66);
    let mut apart = [0; 2];
    for _ in 0..2000 {
        let [a, b] = [(); 2].map(|()| triangles(Kind::Solid, &mut random));
        let fit = elbowroom::internal::volume::Fit::default();
        let rigid = Rigid::common(6.0, 6.0, 0.1);
        let boxes = (Aabb::of_triangles(&a, fit), Aabb::of_triangles(&b, fit));
        let quick = aabb::overlap_aabb_aabb(&boxes.0, &boxes.1, 0.1);
        assert_eq!(quick, may_meet(&boxes, &rigid), "{boxes:?}");
        let kdops = (Kdop::<9>::of_triangles(&a, fit), Kdop::<9>::of_triangles(&b, fit));
        let of_kdops = may_meet(&kdops, &rigid);
        assert!(quick || !of_kdops, "{kdops:?}");
        apart[0] += usize::from(!quick);
        apart[1] += usize::from(!of_kdops);
    }
    assert!(apart[0] > 100 && apart[1] > apart[0], "{apart:?}");
}
