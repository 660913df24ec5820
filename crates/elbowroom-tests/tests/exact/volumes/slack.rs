//! The slack is needed, it is enough, and a much smaller one would be noticed here.
//!
//! For contacts that are known to touch, the least slack with which a test still does not part them
//! is found by bisection and compared with what the note (`docs/notes/volume-slack.md`) promises:
//! 256 roundings of the size, and four deviations.

use elbowroom::internal::volume::{Aabb, Kdop18, Meet, Obb, Spatial, Sphere};
use elbowroom_testkit::random::Random;

use super::contact::{Contact, Touch, Turn, may_meet};

/// The least slack that is enough, to a thousandth of what is given.
fn needed<V: Meet<W> + Spatial, W: Spatial>(contact: &Contact) -> f64 {
    let pair = contact.volumes::<V, W>();
    let given = contact.rigid().slack;
    let enough = |slack: f64| {
        may_meet(&pair, &elbowroom::internal::volume::Rigid { slack, ..contact.rigid() })
    };
    assert!(enough(given), "{pair:?} are parted");
    if enough(0.0) {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, given);
    while high - low > given * 1e-4 {
        let middle = 0.5 * (low + high);
        if enough(middle) { high = middle } else { low = middle }
    }
    high
}

/// The most that was needed, in a unit, and how often any was.
#[derive(Debug, Default)]
struct Most {
    units: f64,
    some: usize,
}

fn most<V: Meet<W> + Spatial, W: Spatial>(
    turn: Turn,
    unit: impl Fn(&Contact) -> f64,
    seed: u64,
) -> Most {
    let mut random = Random::new(seed);
    let mut most = Most::default();
    for touch in Touch::ALL {
        for _ in 0..1500 {
            let contact = Contact::random(touch, turn, &mut random);
            let needed = needed::<V, W>(&contact);
            most.units = most.units.max(needed / unit(&contact));
            most.some += usize::from(needed > 0.0);
        }
    }
    most
}

fn roundings(contact: &Contact) -> f64 {
    contact.size() * f64::EPSILON / 2.0
}

fn deviations(contact: &Contact) -> f64 {
    contact.size() * (contact.place_a.deviation() + contact.place_b.deviation())
}

#[test]
fn roundings_need_slack_and_have_enough() {
    let found = [
        most::<Obb, Obb>(Turn::Rigid, roundings, 71),
        most::<Aabb, Obb>(Turn::Rigid, roundings, 72),
        most::<Aabb, Aabb>(Turn::Rigid, roundings, 73),
        most::<Sphere, Sphere>(Turn::Rigid, roundings, 74),
        most::<Kdop18, Kdop18>(Turn::Rigid, roundings, 75),
    ];
    println!("{found:#?}");
    for most in &found {
        // One rounding of the size would not have been enough, and a tenth of what is given is.
        assert!(most.some > 500 && (1.0..25.6).contains(&most.units), "{most:?}");
    }
}

#[test]
fn deviations_need_slack_and_have_enough() {
    let found = [
        most::<Obb, Obb>(Turn::Skewed, deviations, 76),
        most::<Aabb, Aabb>(Turn::Skewed, deviations, 77),
        most::<Sphere, Obb>(Turn::Skewed, deviations, 78),
        most::<Kdop18, Kdop18>(Turn::Skewed, deviations, 79),
    ];
    println!("{found:#?}");
    for most in &found {
        assert!(most.some > 1000 && (0.2..3.0).contains(&most.units), "{most:?}");
    }
}
