//! In which frames two parts meet, for the tables of parts in a page.
//!
//! An incident joins the contacts of two objects over time, and its parts need not meet in all of
//! its frames; and several incidents may be of the same parts. So frames are kept as spans, by
//! objects and parts, and a page that shows some incidents can count the frames of a pair of parts
//! once. Parts of one object that meet are one pair, whichever comes first.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use elbowroom_motion::scene::Meeting;

/// The most spans that are kept: 32 MB. Beyond, a page does without all of them.
const MOST: usize = 2_000_000;

/// Two objects and a part of each.
type Key = (u32, u32, u32, u32);

/// The frames in which parts meet, as first and last of spans without gaps.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Spans {
    all: Vec<(Key, Vec<(u32, u32)>)>,
    #[serde(skip)]
    places: BTreeMap<Key, usize>,
    count: usize,
    /// The frame before the one at hand, if there was one.
    before: Option<u32>,
}

fn key(contact: &Meeting, (i, j): (u32, u32)) -> Key {
    let (a, b) = (contact.a.0, contact.b.0);
    if a == b { (a, b, i.min(j), i.max(j)) } else { (a, b, i, j) }
}

impl Spans {
    /// Goes on with what was kept in a file.
    pub(crate) fn resumed(mut self) -> Self {
        self.places = self.all.iter().enumerate().map(|(at, (key, _))| (*key, at)).collect();
        self
    }

    fn is_full(&self) -> bool {
        self.count > MOST
    }

    /// Adds the contacts of the next frame.
    pub(crate) fn frame(&mut self, frame: usize, contacts: &[Meeting]) {
        let frame = frame as u32;
        for contact in contacts {
            for pair in &contact.parts {
                if self.is_full() {
                    return;
                }
                self.add(frame, key(contact, (pair.a, pair.b)));
            }
        }
        self.before = Some(frame);
    }

    fn add(&mut self, frame: u32, key: Key) {
        let at = *self.places.entry(key).or_insert_with(|| {
            self.all.push((key, Vec::new()));
            self.all.len() - 1
        });
        let spans = &mut self.all[at].1;
        match spans.last_mut() {
            // The parts in the other order.
            Some((_, last)) if *last == frame => {}
            Some((_, last)) if Some(*last) == self.before => *last = frame,
            _ => {
                spans.push((frame, frame));
                self.count += 1;
            }
        }
    }

    /// The spans of two parts of two objects within some frames, as one list; none if they were
    /// not kept.
    pub(crate) fn within(
        &self,
        objects: (u32, u32),
        parts: (u32, u32),
        frames: (u32, u32),
    ) -> Vec<u32> {
        let ((a, b), (i, j)) = (objects, parts);
        let key = if a == b { (a, b, i.min(j), i.max(j)) } else { (a, b, i, j) };
        let found = self.places.get(&key).filter(|_| !self.is_full());
        let spans = found.map(|&at| self.all[at].1.as_slice()).unwrap_or_default();
        let from = spans.partition_point(|(_, last)| *last < frames.0);
        let inner = spans[from..].iter().take_while(|(first, _)| *first <= frames.1);
        inner.flat_map(|(first, last)| [(*first).max(frames.0), (*last).min(frames.1)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use elbowroom_motion::scene::{ContactSummary, ObjectId, PartPair};

    use super::*;

    fn contact(frame: usize, (a, b): (u32, u32), parts: &[(u32, u32)]) -> Meeting {
        let pair = |&(a, b): &(u32, u32)| PartPair { a, b, touching: 0, crossing: 1 };
        let parts = parts.iter().map(pair).collect();
        let contact = ContactSummary { parts, ..ContactSummary::default() };
        let (a, b) = (ObjectId(a), ObjectId(b));
        Meeting { frame: frame as u32, a, b, contact: contact.into() }
    }

    #[test]
    fn frames_are_counted_once_whoever_comes_first() {
        let mut spans = Spans::default();
        // Every other frame is examined; one object meets itself, in both orders.
        for frame in [0, 2, 4, 6, 8] {
            let own = contact(frame, (1, 1), &[(3, 5), (5, 3)]);
            let other = contact(frame, (0, 1), &[(3, 5)]);
            let both = [own, other];
            spans = spans.resumed();
            spans.frame(frame, &both[..if frame == 4 { 1 } else { 2 }]);
        }
        let all = (0, 100);
        assert_eq!(spans.within((1, 1), (5, 3), all), spans.within((1, 1), (3, 5), all));
        assert_eq!(spans.within((1, 1), (5, 3), all), [0, 8]);
        assert_eq!(spans.within((0, 1), (3, 5), all), [0, 2, 6, 8]);
        assert!(spans.within((0, 1), (5, 3), all).is_empty());
    }

    #[test]
    fn spans_end_where_a_frame_is_missing() {
        let mut spans = Spans::default();
        for frame in (0..20).step_by(2) {
            let there = contact(frame, (0, 1), &[(0, 0)]);
            let found = if [6, 14].contains(&frame) { vec![] } else { vec![there] };
            spans.frame(frame, &found);
        }
        assert_eq!(spans.within((0, 1), (0, 0), (0, 99)), [0, 4, 8, 12, 16, 18]);
        assert_eq!(spans.within((0, 1), (0, 0), (2, 9)), [2, 4, 8, 9]);
    }
}
