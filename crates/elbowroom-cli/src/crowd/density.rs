//! How dense a crowd is: for each person, how many others are within a metre, over the area of that
//! circle.
//!
//! One number a person and a frame, which needs no grid and no walls. Who is alone has 0; people
//! side by side in a full corridor have some 2 per m².

use std::collections::HashMap;
use std::f64::consts::PI;

use glam::DVec2;

use super::walk::Walker;
use super::ways::Ways;
use crate::messages::{Refusal, grouped};
use crate::save::refusal;

/// The radius around a person in which others are counted.
const REACH: f64 = 1.0;
/// More pairs within reach of each other than this in one frame are no crowd.
const MOST_PAIRS: u64 = 300_000;
/// A crowd is never denser than this, per m²: ten is a crush.
const DENSEST: f64 = 10.0;

/// One frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Crowding {
    pub(super) people: u32,
    /// Over all people of the frame, others per m².
    pub(super) mean: f64,
    pub(super) most: f64,
}

/// All frames.
#[derive(Debug)]
pub(super) struct Density {
    pub(super) frames: Vec<Crowding>,
    /// The densest, and the frame and the person of it.
    pub(super) densest: (f64, i64, i64),
}

impl Density {
    /// Looks at every frame.
    ///
    /// # Errors
    /// If more stand on one spot than people can.
    pub(super) fn new(ways: &Ways, walkers: &[Walker]) -> Result<Self, Refusal> {
        let (mut frames, mut densest) = (Vec::new(), (0.0, ways.frames[0], 0));
        let (mut around, mut ids, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (index, &frame) in ways.frames.iter().enumerate() {
            ids.clear();
            places.clear();
            for walker in walkers {
                if let Some(stance) = walker.at(index) {
                    ids.push(walker.id);
                    places.push(stance.at);
                }
            }
            if !neighbours(&places, &mut around) {
                let path = ways.path.as_deref().unwrap_or(&ways.name);
                let what = format!(
                    "more than {} pairs are within a metre of each other in frame {frame}, which is no crowd of people",
                    grouped(MOST_PAIRS)
                );
                let hint = "is the unit right (--units cm, --units m)? Or are the columns others than id, frame, x, y?";
                return Err(refusal(path.as_ref(), &what, hint));
            }
            let per_area = |&others: &u32| f64::from(others) / (PI * REACH * REACH);
            let most = around.iter().map(per_area).fold(0.0, f64::max);
            let sum: f64 = around.iter().map(per_area).sum();
            if most > densest.0 {
                let who = around.iter().position(|others| per_area(others) == most).unwrap_or(0);
                densest = (most, frame, ids[who]);
            }
            let people = places.len() as u32;
            frames.push(Crowding { people, mean: sum / f64::from(people.max(1)), most });
        }
        Ok(Self { frames, densest })
    }

    /// A word about crowds that no crowd is.
    pub(super) fn note(&self) -> Option<String> {
        let (most, frame, id) = self.densest;
        (most > DENSEST).then(|| {
            format!(
                "person {id} has {most:.0} others per m² around in frame {frame}, more than in a crush: is the unit right (--units)?"
            )
        })
    }
}

/// How many others are within reach of each; whether it is a crowd at all.
pub(super) fn neighbours(places: &[DVec2], around: &mut Vec<u32>) -> bool {
    around.clear();
    around.resize(places.len(), 0);
    // Places are within the bounds of the door, so that cells are small numbers.
    let cell = |place: DVec2| ((place.x / REACH).floor() as i64, (place.y / REACH).floor() as i64);
    let mut cells: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
    let mut pairs = 0_u64;
    for (index, &place) in places.iter().enumerate() {
        let (column, row) = cell(place);
        let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy)));
        for other in near.filter_map(|key| cells.get(&key)).flatten() {
            if places[*other].distance_squared(place) <= REACH * REACH {
                around[*other] += 1;
                around[index] += 1;
                pairs += 1;
                if pairs > MOST_PAIRS {
                    return false;
                }
            }
        }
        cells.entry((column, row)).or_default().push(index);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_counted_across_cells() {
        let places = [(0.9, 0.9), (1.1, 1.1), (-0.1, 0.9), (5.0, 5.0), (1.1, 1.1)];
        let places = places.map(|(x, y)| DVec2::new(x, y));
        let mut around = Vec::new();
        assert!(neighbours(&places, &mut around));
        assert_eq!(around, [3, 2, 1, 0, 2]);
        let heap = vec![DVec2::new(-3.0, 7.0); 1000];
        assert!(!neighbours(&heap, &mut around));
        assert!(neighbours(&[], &mut around) && around.is_empty());
    }
}
