//! From what a case says to all the questions it answers.

use super::answer::{Answer, Kind, Place, Question, Side};
use serde::Deserialize;

/// What a case of two meshes says; the rest follows from it.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expect {
    /// The kind of the surfaces, no clearance being asked for.
    surface: Kind,
    /// The kind of the solids. Left out where a mesh encloses nothing certain.
    solid: Option<Kind>,
    /// Which solid contains the other; needed for containment alone.
    contains: Option<Side>,
    /// Which of two crossing solids goes through the other.
    through: Option<Side>,
    /// Whether each mesh is closed.
    #[serde(default = "both_closed")]
    closed: [bool; 2],
    /// How many pairs of triangles touch, and how many cross.
    pairs: Option<[u64; 2]>,
    /// The pairs of triangles that meet.
    list: Option<Vec<[u32; 2]>>,
    /// The distance of the surfaces, if they are apart and it is known.
    distance: Option<f64>,
    /// How far off a distance may be, in parts of the largest coordinate.
    #[serde(default = "usual_tolerance")]
    tolerance: f64,
    /// Lengths, and whether the surfaces are that near.
    #[serde(default)]
    clearance: Vec<(f64, bool)>,
}

/// What a case of one mesh says.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectAlone {
    /// Pairs of its triangles that meet other than by what they share.
    itself: Option<Vec<[u32; 2]>>,
    /// Points of the world and where they are.
    #[serde(default)]
    points: Vec<([f64; 3], Place)>,
    /// Whether the mesh is closed.
    closed: Option<bool>,
}

fn both_closed() -> [bool; 2] {
    [true, true]
}

/// Twelve digits are more than most engines promise, nine are what a double gives without care.
fn usual_tolerance() -> f64 {
    1e-9
}

impl Expect {
    /// All questions about a scene whose largest coordinate is given.
    pub(super) fn questions(&self, reach: f64) -> Result<Vec<(Question, Answer)>, String> {
        self.check()?;
        let meets = self.surface > Kind::Clearance;
        let mut all = vec![
            (Question::Meets, Answer::Yes(meets)),
            (Question::Surface(0.0), Answer::Kind(self.surface)),
            (Question::Within(0.0), Answer::Yes(meets)),
            (Question::Closed, Answer::Each(self.closed.to_vec())),
        ];
        let length = |value| Answer::Length { value, tolerance: self.tolerance * reach };
        let distance = if meets { Some(0.0) } else { self.distance };
        all.extend(distance.map(|value| (Question::Distance, length(value))));
        if let Some(solid) = self.solid {
            all.extend([
                (Question::SolidsMeet, Answer::Yes(solid > Kind::Clearance)),
                (Question::Solid(0.0), Answer::Kind(solid)),
                (Question::Contains, Answer::Side(self.container())),
            ]);
            // Where solids cross though their surfaces do not meet, a sign means nothing.
            let sign = match solid {
                Kind::Containment => Some(-1.0),
                Kind::Crossing if !meets => None,
                _ => Some(1.0),
            };
            let signed = distance.zip(sign).map(|(value, sign)| length(sign * value + 0.0));
            all.extend(signed.map(|signed| (Question::SignedDistance, signed)));
        }
        all.extend(self.through.map(|side| (Question::Through, Answer::Side(side))));
        if let Some([touching, crossing]) = self.pairs {
            all.push((Question::Pairs, Answer::Count(touching + crossing)));
            all.push((Question::CrossingPairs, Answer::Count(crossing)));
        }
        all.extend(self.list.clone().map(|list| (Question::PairList, Answer::Pairs(list))));
        for &(length, near) in &self.clearance {
            all.push((Question::Within(length), Answer::Yes(near)));
            let kind = |kind| if kind == Kind::Clear && near { Kind::Clearance } else { kind };
            all.push((Question::Surface(length), Answer::Kind(kind(self.surface))));
            let solid =
                self.solid.map(|solid| (Question::Solid(length), Answer::Kind(kind(solid))));
            all.extend(solid);
        }
        Ok(all)
    }

    fn container(&self) -> Side {
        match self.solid {
            Some(Kind::Duplicate) => Side::Both,
            _ => self.contains.unwrap_or(Side::Neither),
        }
    }

    fn check(&self) -> Result<(), String> {
        let meets = self.surface > Kind::Clearance;
        let problem = if self.contains.is_some() != (self.solid == Some(Kind::Containment)) {
            "\"contains\" belongs to containment"
        } else if self.through.is_some() && self.solid != Some(Kind::Crossing) {
            "\"through\" belongs to crossing solids"
        } else if self.surface == Kind::Containment || self.surface == Kind::Clearance {
            "surfaces cannot be of this kind"
        } else if meets && self.distance.is_some() {
            "what meets has no distance"
        } else if self.solid.is_some() && self.closed != [true, true] {
            "solids of open meshes are estimates, of which nothing is expected"
        } else if self.clearance.iter().any(|&(length, near)| {
            (meets && !near) || self.distance.is_some_and(|distance| (distance <= length) != near)
        }) {
            "a clearance contradicts the distance"
        } else {
            return Ok(());
        };
        Err(problem.to_string())
    }
}

impl ExpectAlone {
    pub(super) fn questions(&self) -> Vec<(Question, Answer)> {
        let mut all = Vec::new();
        if let Some(pairs) = &self.itself {
            all.push((Question::MeetsItself, Answer::Yes(!pairs.is_empty())));
            all.push((Question::SelfPairs, Answer::Pairs(pairs.clone())));
        }
        all.extend(self.closed.map(|closed| (Question::Closed, Answer::Each(vec![closed]))));
        all.extend(
            self.points.iter().map(|&(p, place)| (Question::Point(p), Answer::Place(place))),
        );
        all
    }
}
