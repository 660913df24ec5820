//! What every method says of every frame, and how right it is.
//!
//! The *judge* is the exact one; where meshes are not asked, it is the closest look there was. What
//! another method lists is found or false by it, and what it does not list is missed.

use std::collections::{BTreeMap, BTreeSet};

use elbowroom_motion::crowd::Counts;
use glam::DVec2;

use super::density::Density;
use super::method::Method;

/// The side of a cell of the map, in metres.
pub(super) const CELL: f64 = 0.25;
/// Others within a metre, at most, that are told apart.
pub(super) const MOST_OTHERS: usize = 24;

/// Two of the crowd by their places in the list of walkers, the smaller first.
pub(super) type Pair = [u32; 2];

/// Everything that is told, in whatever form.
#[derive(Debug)]
pub(super) struct Findings {
    /// Coarse before fine; the last is the judge.
    pub(super) tallies: Vec<Tally>,
    /// Pairs that touch by the judge, those for the most frames first.
    pub(super) contacts: Vec<Contact>,
    /// In how many frames a person touches another in a cell of the floor, by the judge.
    pub(super) cells: BTreeMap<(i64, i64), u32>,
    /// By how many others are within a metre: people over all frames.
    pub(super) people_by_others: Vec<u64>,
    pub(super) density: Density,
    /// People over all frames.
    pub(super) stances: u64,
    /// All pairs of people that were there at once, over all frames.
    pub(super) pairs_examined: u64,
}

/// One method over all frames.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) method: Method,
    /// Pairs in each frame.
    pub(super) per_frame: Vec<u32>,
    /// Pairs over all frames: all, and those that the judge has, too.
    pub(super) listed: u64,
    pub(super) found: u64,
    pub(super) pairs: BTreeSet<Pair>,
    /// People over all frames who touch another, by how many others are within a metre.
    pub(super) touching_by_others: Vec<u64>,
    /// Pairs that the grid left, circles compared, meshes compared.
    pub(super) broad: u64,
    pub(super) circle_tests: u64,
    pub(super) mesh_tests: u64,
    pub(super) seconds: f64,
}

impl Tally {
    fn new(method: Method) -> Self {
        Self {
            method,
            per_frame: Vec::new(),
            listed: 0,
            found: 0,
            pairs: BTreeSet::new(),
            touching_by_others: vec![0; MOST_OTHERS + 1],
            broad: 0,
            circle_tests: 0,
            mesh_tests: 0,
            seconds: 0.0,
        }
    }

    pub(super) fn wrong(&self) -> u64 {
        self.listed - self.found
    }

    pub(super) fn count(&mut self, counts: &Counts, seconds: f64) {
        self.broad += counts.broad;
        self.circle_tests += counts.tests;
        self.mesh_tests += counts.exact;
        self.seconds += seconds;
    }
}

/// Two who touch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Contact {
    pub(super) pair: Pair,
    /// By their places in the list of examined frames.
    pub(super) first: usize,
    pub(super) last: usize,
    /// In how many of the examined frames.
    pub(super) frames: u32,
    /// How often they come together.
    pub(super) times: u32,
    /// How near their places come while they touch.
    pub(super) nearest: f64,
    /// When that is, and where.
    pub(super) nearest_frame: usize,
    pub(super) at: DVec2,
    /// Which parts touch at that moment, where it was asked.
    pub(super) parts: Vec<[String; 2]>,
}

/// Findings while frames are gone through.
#[derive(Debug)]
pub(super) struct Gathering {
    pub(super) tallies: Vec<Tally>,
    contacts: BTreeMap<Pair, Contact>,
    cells: BTreeMap<(i64, i64), u32>,
    people_by_others: Vec<u64>,
    stances: u64,
    pairs_examined: u64,
    touches: Vec<bool>,
}

/// A frame: who is there, by their places in the list of walkers.
#[derive(Debug, Default)]
pub(super) struct Scene {
    pub(super) index: usize,
    pub(super) who: Vec<u32>,
    pub(super) places: Vec<DVec2>,
    /// Others within a metre.
    pub(super) around: Vec<u32>,
}

impl Scene {
    fn place(&self, who: u32) -> DVec2 {
        // Each person who is listed is there.
        self.who.binary_search(&who).map_or(DVec2::ZERO, |index| self.places[index])
    }
}

impl Gathering {
    pub(super) fn new(methods: Vec<Method>) -> Self {
        Self {
            tallies: methods.into_iter().map(Tally::new).collect(),
            contacts: BTreeMap::new(),
            cells: BTreeMap::new(),
            people_by_others: vec![0; MOST_OTHERS + 1],
            stances: 0,
            pairs_examined: 0,
            touches: Vec::new(),
        }
    }

    /// Takes what each method lists in a frame, sorted.
    pub(super) fn frame(&mut self, scene: &Scene, lists: &[Vec<Pair>]) {
        let people = scene.who.len() as u64;
        self.stances += people;
        self.pairs_examined += people * people.saturating_sub(1) / 2;
        let bins: Vec<usize> =
            scene.around.iter().map(|&others| (others as usize).min(MOST_OTHERS)).collect();
        for &bin in &bins {
            self.people_by_others[bin] += 1;
        }
        let Some(judged) = lists.last() else { return };
        for (tally, list) in self.tallies.iter_mut().zip(lists) {
            tally.per_frame.push(list.len() as u32);
            tally.listed += list.len() as u64;
            tally.found += common(list, judged);
            tally.pairs.extend(list.iter().copied());
            self.touches.clear();
            self.touches.resize(scene.who.len(), false);
            for who in list.iter().flatten() {
                if let Ok(index) = scene.who.binary_search(who) {
                    self.touches[index] = true;
                }
            }
            for (&bin, _) in bins.iter().zip(&self.touches).filter(|(_, touches)| **touches) {
                tally.touching_by_others[bin] += 1;
            }
        }
        for &pair in judged {
            self.contact(scene, pair);
        }
    }

    fn contact(&mut self, scene: &Scene, pair: Pair) {
        let [a, b] = pair.map(|who| scene.place(who));
        let (at, apart) = (0.5 * (a + b), a.distance(b));
        let cell = ((at.x / CELL).floor() as i64, (at.y / CELL).floor() as i64);
        *self.cells.entry(cell).or_default() += 1;
        let contact = self.contacts.entry(pair).or_insert(Contact {
            pair,
            first: scene.index,
            last: scene.index,
            frames: 0,
            times: 1,
            nearest: f64::INFINITY,
            nearest_frame: scene.index,
            at,
            parts: Vec::new(),
        });
        if scene.index > contact.last + 1 {
            contact.times += 1;
        }
        contact.last = scene.index;
        contact.frames += 1;
        if apart < contact.nearest {
            (contact.nearest, contact.nearest_frame, contact.at) = (apart, scene.index, at);
        }
    }

    pub(super) fn finish(self, density: Density) -> Findings {
        let mut contacts: Vec<Contact> = self.contacts.into_values().collect();
        contacts.sort_by_key(|contact| (u32::MAX - contact.frames, contact.pair));
        Findings {
            tallies: self.tallies,
            contacts,
            cells: self.cells,
            people_by_others: self.people_by_others,
            density,
            stances: self.stances,
            pairs_examined: self.pairs_examined,
        }
    }
}

impl Findings {
    pub(super) fn judge(&self) -> &Tally {
        // There is one method at least.
        &self.tallies[self.tallies.len() - 1]
    }

    pub(super) fn missed(&self, tally: &Tally) -> u64 {
        self.judge().listed - tally.found
    }
}

pub(super) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// How many of one sorted list are in another.
fn common(list: &[Pair], judged: &[Pair]) -> u64 {
    let mut rest = judged.iter().peekable();
    let mut count = 0;
    for pair in list {
        while rest.next_if(|other| *other < pair).is_some() {}
        count += u64::from(rest.next_if_eq(&pair).is_some());
    }
    count
}

#[cfg(test)]
mod tests {
    use elbowroom_motion::crowd::Detail;

    use super::*;

    fn method(detail: Detail) -> Method {
        Method { detail, name: String::new() }
    }

    #[test]
    fn found_false_and_missed() {
        let mut gathering = Gathering::new(vec![method(Detail::Disk(0.25)), method(Detail::Exact)]);
        let mut scene = Scene {
            index: 0,
            who: vec![1, 4, 7],
            places: vec![DVec2::ZERO, DVec2::new(0.3, 0.0), DVec2::new(0.0, 0.4)],
            around: vec![2, 2, 2],
        };
        gathering.frame(&scene, &[vec![[1, 4], [4, 7]], vec![[1, 4], [1, 7]]]);
        for index in [1, 5] {
            scene.index = index;
            gathering.frame(&scene, &[vec![], vec![[1, 4]]]);
        }
        let density = Density { frames: Vec::new(), densest: (0.0, 0, 0) };
        let findings = gathering.finish(density);
        let (disk, exact) = (&findings.tallies[0], findings.judge());
        assert_eq!((disk.listed, disk.found, disk.wrong(), findings.missed(disk)), (2, 1, 1, 3));
        assert_eq!((exact.listed, exact.found, exact.wrong(), exact.pairs.len()), (4, 4, 0, 2));
        assert_eq!(
            (disk.per_frame.as_slice(), exact.per_frame.as_slice()),
            (&[2, 0, 0][..], &[2, 1, 1][..])
        );
        assert_eq!((disk.touching_by_others[2], exact.touching_by_others[2]), (3, 7));
        let worst = &findings.contacts[0];
        assert_eq!(
            (worst.pair, worst.first, worst.last, worst.frames, worst.times),
            ([1, 4], 0, 5, 3, 2)
        );
        assert_eq!((findings.stances, findings.pairs_examined, findings.cells.len()), (9, 9, 1));
        assert!((worst.nearest - 0.3).abs() < 1e-12);
    }
}
