//! Who is where, and plays what: a line of the directory for each object.

use glam::{DAffine3, DQuat, DVec3};
use serde::Serialize;

use super::quantise::{Box3, grid, smallest_three, turn_about, turn_and_scale};
use super::stock::Stock;

/// An object in the shot, by frames that are counted from the first that was examined.
#[derive(Default, Serialize)]
pub(super) struct Actor {
    pub(super) object: usize,
    pub(super) body: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cache: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<f64>,
    pub(super) place: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) turn: Option<Turn>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) plays: Vec<Play>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Place {
    Fixed([f64; 3]),
    Track { array: String, r#box: Box3 },
}

impl Default for Place {
    fn default() -> Self {
        Self::Fixed([0.0; 3])
    }
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Turn {
    Fixed([f64; 4]),
    Track { array: String, about: &'static str },
}

/// A clip from a frame on: by a rate, or by a number a frame.
#[derive(Serialize)]
pub(super) struct Play {
    pub(super) clip: usize,
    pub(super) from: usize,
    pub(super) sample: f64,
    pub(super) rate: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) samples: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unit: Option<f64>,
}

/// What a place and a turn take a frame.
pub(super) const STEP_BYTES: usize = 12;

impl Actor {
    /// Puts the actor where it is: in one place, or in one for each frame in which it is there.
    /// `None` if a place shears or mirrors, or its scale changes.
    pub(super) fn placed(self, stock: &mut Stock, places: &[DAffine3], up: DVec3) -> Option<Self> {
        let apart: Option<Vec<(DQuat, f64)>> =
            places.iter().map(|place| turn_and_scale(place.matrix3)).collect();
        let apart = apart?;
        let &(first, scale) = apart.first()?;
        if apart.iter().any(|(_, other)| (other - scale).abs() > 1e-6 * scale) {
            return None;
        }
        let is_fixed = places.iter().all(|place| place == &places[0]);
        let (place, turn) = if is_fixed {
            let turn = (first != DQuat::IDENTITY).then(|| Turn::Fixed(first.to_array()));
            (Place::Fixed(places[0].translation.to_array()), turn)
        } else {
            (self.place_track(stock, places)?, Some(self.turn_track(stock, &apart, up)))
        };
        let scale = ((scale - 1.0).abs() > 1e-9).then_some(scale);
        Some(Self { scale, place, turn, ..self })
    }

    fn place_track(&self, stock: &mut Stock, places: &[DAffine3]) -> Option<Place> {
        let (r#box, numbers) = grid(places.iter().map(|place| place.translation));
        if numbers.is_empty() {
            return None;
        }
        let name = format!("actor/{}/place", self.object);
        Some(Place::Track { array: stock.arrays.add(name, &numbers, Some(3)), r#box })
    }

    fn turn_track(&self, stock: &mut Stock, turns: &[(DQuat, f64)], up: DVec3) -> Turn {
        let name = format!("actor/{}/turn", self.object);
        let about_up: Option<Vec<u16>> =
            turns.iter().map(|&(turn, _)| turn_about(up, turn)).collect();
        if let Some(numbers) = about_up {
            Turn::Track { array: stock.arrays.add(name, &numbers, Some(1)), about: "up" }
        } else {
            let numbers: Vec<i16> =
                turns.iter().flat_map(|&(turn, _)| smallest_three(turn)).collect();
            Turn::Track { array: stock.arrays.add(name, &numbers, Some(3)), about: "any" }
        }
    }
}
