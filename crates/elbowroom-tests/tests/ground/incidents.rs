//! Contacts merged over time, against a plain merge of all of them at once; taken apart and put
//! together at every frame.

use elbowroom::internal::query::ContactKind;
use elbowroom_motion::scene::{
    ContactSummary, Incident, Incidents, MOST_BEATS, Meeting, ObjectId, PartPair,
    PenetrationSummary, Sighting,
};
use elbowroom_testkit::random::Random;

/// A contact of two objects, by step.
#[derive(Clone, Debug)]
struct Contact {
    step: u64,
    pair: (u32, u32),
    meeting: Meeting,
}

fn meeting(frame: u32, (a, b): (u32, u32), contact: ContactSummary) -> Meeting {
    Meeting { frame, a: ObjectId(a), b: ObjectId(b), contact: contact.into() }
}

/// Frames are every third, so that steps and frames differ.
fn frame_of(step: u64) -> u32 {
    5 + 3 * step as u32
}

fn contacts(rng: &mut Random, steps: u64) -> Vec<Contact> {
    let pairs = [(0, 1), (0, 2), (1, 1), (1, 2)];
    let kinds = [
        ContactKind::Clearance,
        ContactKind::Touching,
        ContactKind::Crossing,
        ContactKind::Containment,
    ];
    let mut all = Vec::new();
    for step in 0..steps {
        for pair in pairs {
            if rng.below(3) == 0 {
                continue;
            }
            let kind = kinds[rng.below(4) as usize];
            // Few values, so that there are ties.
            let triangle_pairs = u64::from(rng.below(3) as u32);
            let depth = (rng.below(2) == 0).then(|| f64::from(rng.below(3) as u32) * 0.5);
            let deep = |depth| PenetrationSummary { depth, ..PenetrationSummary::default() };
            let overlap = depth.map(|depth| Box::new(deep(depth)));
            let part = |i: u32| PartPair { a: i, b: 1 - i, touching: triangle_pairs, crossing: 1 };
            // Of an object with itself, two parts at a time.
            let mut own = || vec![part(rng.below(2) as u32)];
            let is_own = pair.0 == pair.1;
            let parts = if is_own { own() } else { (0..rng.below(3) as u32).map(part).collect() };
            let touching = triangle_pairs;
            let contact =
                ContactSummary { kind, touching, overlap, parts, ..ContactSummary::default() };
            all.push(Contact { step, pair, meeting: meeting(frame_of(step), pair, contact) });
        }
    }
    all
}

/// First and last frame, how many, the worst frame, and the pairs of triangles by parts.
type Told = ((u32, u32), u32, u32, u64, u32, Vec<(u32, u64)>);

fn told(incident: &Incident) -> Told {
    let parts = incident.parts.iter().map(|pair| (pair.a, pair.touching + pair.crossing));
    let (pair, worst) = ((incident.a.0, incident.b.0), incident.worst.frame);
    (pair, incident.first, incident.last, incident.frames, worst, parts.collect())
}

/// Who meets: two objects, or two parts of one.
fn who(contact: &Contact) -> ((u32, u32), Option<u32>) {
    let is_own = contact.pair.0 == contact.pair.1;
    (contact.pair, contact.meeting.parts.first().filter(|_| is_own).map(|pair| pair.a))
}

/// Every pair by itself: cut where the gap is too long, then the worst by a scan.
fn plain(contacts: &[Contact], gap: u64) -> Vec<Told> {
    let mut groups: Vec<Vec<&Contact>> = Vec::new();
    for contact in contacts {
        let last = groups.iter_mut().rev().find(|group| who(group[0]) == who(contact));
        match last {
            Some(group) if contact.step - group[group.len() - 1].step - 1 <= gap => {
                group.push(contact);
            }
            _ => groups.push(vec![contact]),
        }
    }
    let sighting = |contact: &Contact| Sighting::new(&contact.meeting);
    let worst = |group: &[&Contact]| {
        let mut worst = group[0];
        for contact in group {
            if sighting(contact).compare(&sighting(worst)).is_gt() {
                worst = contact;
            }
        }
        sighting(worst)
    };
    let mut ranked: Vec<_> = groups.iter().map(|group| (worst(group), group)).collect();
    ranked.sort_by_key(|(_, group)| (group[0].step, who(group[0])));
    ranked.sort_by(|(p, _), (q, _)| q.compare(p));
    let tell = |(worst, group): &(Sighting, &Vec<&Contact>)| {
        let (first, last) = (group[0].meeting.frame, group[group.len() - 1].meeting.frame);
        let mut parts: Vec<(u32, u64)> = Vec::new();
        for part in [0, 1] {
            let of = group
                .iter()
                .flat_map(|contact| &contact.meeting.parts)
                .filter(|pair| pair.a == part);
            let sums: Vec<u64> = of.map(|pair| pair.touching + pair.crossing).collect();
            if !sums.is_empty() {
                parts.push((part, sums.iter().sum()));
            }
        }
        parts.sort_by_key(|&(_, sum)| std::cmp::Reverse(sum));
        (group[0].pair, first, last, group.len() as u64, worst.frame, parts)
    };
    ranked.iter().map(tell).collect()
}

#[test]
fn merged_as_a_plain_merge_has_it() {
    let (mut met, mut joined) = (0, 0);
    for seed in 0..40 {
        let mut rng = Random::new(seed);
        let steps = 1 + rng.below(60);
        let contacts = contacts(&mut rng, steps);
        for gap in [0, 1, 3] {
            let mut whole = Incidents::new(gap);
            let mut broken = Incidents::new(gap);
            for step in 0..steps {
                let here = || contacts.iter().filter(|it| it.step == step).map(|it| &it.meeting);
                whole.frame(here());
                broken = Incidents::resume(gap, broken.state());
                broken.frame(here());
            }
            assert_eq!(whole.state(), broken.state());
            let ranked = whole.finish();
            assert_eq!(ranked, broken.finish());
            let found: Vec<Told> = ranked.iter().map(told).collect();
            assert_eq!(found, plain(&contacts, u64::from(gap)), "seed {seed}, gap {gap}");
            met += found.len();
            joined +=
                ranked.iter().filter(|i| i.frames < u64::from((i.last - i.first) / 3 + 1)).count();
        }
    }
    assert!(met > 1000 && joined > 300, "{met} {joined}");
}

#[test]
fn a_series_is_thinned_and_keeps_the_worst() {
    let frames = 5 * MOST_BEATS as u32 + 7;
    let mut incidents = Incidents::new(0);
    for frame in 0..frames {
        let triangle_pairs = u64::from(frame.wrapping_mul(2_654_435_761) >> 12);
        let kind = ContactKind::Crossing;
        let contact =
            ContactSummary { kind, touching: triangle_pairs, ..ContactSummary::default() };
        incidents.frame(&[meeting(frame, (3, 4), contact)]);
    }
    let ranked = incidents.finish();
    let [incident] = ranked.as_slice() else { panic!("{} incidents", ranked.len()) };
    assert_eq!((incident.frames, incident.series_every), (u64::from(frames), 8));
    assert_eq!(incident.series.len(), (frames as usize).div_ceil(8));
    let most = incident.series.iter().max_by_key(|beat| beat.triangle_pairs).expect("a series");
    assert_eq!(
        (most.frame, most.triangle_pairs),
        (incident.worst.frame, incident.worst.triangle_pairs)
    );
    // Each entry is the worst of its eight frames.
    for (place, beat) in incident.series.iter().enumerate() {
        assert_eq!(beat.frame as usize / 8, place);
    }
}
