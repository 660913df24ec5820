//! Any engine, asked everything.

use super::answer::{Answer, Kind, Place, Question, Side};
use super::{Body, Scene, load};
use std::collections::BTreeMap;

/// Something that can be asked. Every question has a method, and `None` says that it cannot be
/// answered.
#[allow(unused_variables, reason = "an engine that cannot answer looks at nothing")]
pub trait Engine {
    /// Do the surfaces have a common point?
    fn meets(&mut self, a: &Body, b: &Body) -> Option<bool> {
        None
    }
    /// Of which kind is the contact of the surfaces, if this clearance is asked for?
    fn surface(&mut self, a: &Body, b: &Body, clearance: f64) -> Option<Kind> {
        None
    }
    /// Of which kind is the contact of the solids, if this clearance is asked for?
    fn solid(&mut self, a: &Body, b: &Body, clearance: f64) -> Option<Kind> {
        None
    }
    /// Do the solids, with their surfaces, have a common point?
    fn solids_meet(&mut self, a: &Body, b: &Body) -> Option<bool> {
        self.solid(a, b, 0.0).map(|kind| kind > Kind::Clearance)
    }
    /// Which solid contains the other one?
    fn contains(&mut self, a: &Body, b: &Body) -> Option<Side> {
        None
    }
    /// Which of two crossing solids goes through the other?
    fn through(&mut self, a: &Body, b: &Body) -> Option<Side> {
        None
    }
    /// Is the mesh closed, so that answers about its solid are certain?
    fn is_closed(&mut self, body: &Body) -> Option<bool> {
        None
    }
    /// The pairs of triangles that have a common point, and whether they cross.
    fn pairs(&mut self, a: &Body, b: &Body) -> Option<Vec<([u32; 2], bool)>> {
        None
    }
    /// The distance of the surfaces.
    fn distance(&mut self, a: &Body, b: &Body) -> Option<f64> {
        None
    }
    /// The distance, negative if one solid lies within the other without touching its surface.
    fn signed_distance(&mut self, a: &Body, b: &Body) -> Option<f64> {
        None
    }
    /// Are the surfaces this near, or nearer?
    fn is_within(&mut self, a: &Body, b: &Body, length: f64) -> Option<bool> {
        None
    }
    /// Pairs of triangles of one mesh that meet, other than by the vertex or the edge that they
    /// share.
    fn self_pairs(&mut self, body: &Body) -> Option<Vec<[u32; 2]>> {
        None
    }
    /// Where the point is, seen from the solid.
    fn place(&mut self, body: &Body, point: [f64; 3]) -> Option<Place> {
        None
    }
}

/// How often a question was asked, and how it was answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Right answers.
    pub right: usize,
    /// Wrong answers.
    pub wrong: usize,
    /// No answer.
    pub unanswered: usize,
}

/// A wrong answer.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Theme, case and variant.
    pub scene: String,
    /// What was asked.
    pub question: Question,
    /// What is right.
    pub expected: Answer,
    /// What was said.
    pub given: Answer,
    /// Why the expected answer is right.
    pub why: String,
}

/// What an engine made of the suite.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Cases, not counting their variants.
    pub cases: usize,
    /// Scenes: cases and their variants.
    pub scenes: usize,
    /// By the question's name.
    pub asked: BTreeMap<&'static str, Asked>,
    /// Every wrong answer.
    pub failures: Vec<Failure>,
}

impl Report {
    /// All questions together.
    pub fn total(&self) -> Asked {
        self.asked.values().fold(Asked::default(), |sum, asked| Asked {
            right: sum.right + asked.right,
            wrong: sum.wrong + asked.wrong,
            unanswered: sum.unanswered + asked.unanswered,
        })
    }
}

/// Asks an engine everything in the suite.
///
/// # Panics
///
/// Where [`load`] does.
pub fn run(engine: &mut impl Engine) -> Report {
    run_on(&load(), engine)
}

/// Asks an engine everything about the given scenes.
pub fn run_on(scenes: &[Scene], engine: &mut impl Engine) -> Report {
    let mut report = Report::default();
    for scene in scenes {
        report.scenes += 1;
        report.cases += usize::from(scene.variant == super::Variant::Plain);
        for (question, expected) in &scene.questions {
            let asked = report.asked.entry(question.name()).or_default();
            match answer(engine, scene, question) {
                None => asked.unanswered += 1,
                Some(given) if expected.is_met_by(&given) => asked.right += 1,
                Some(given) => {
                    asked.wrong += 1;
                    report.failures.push(Failure {
                        scene: format!("{} / {} / {:?}", scene.theme, scene.case, scene.variant),
                        question: question.clone(),
                        expected: expected.clone(),
                        given,
                        why: scene.why.clone(),
                    });
                }
            }
        }
    }
    report
}

/// The engine's answer to one question about a scene.
pub fn answer(engine: &mut impl Engine, scene: &Scene, question: &Question) -> Option<Answer> {
    let a = &scene.a;
    if let Some(b) = &scene.b {
        return answer_two(engine, a, b, question);
    }
    let list = |pairs: Vec<[u32; 2]>| {
        let mut pairs = pairs;
        pairs.sort_unstable();
        pairs
    };
    match question {
        Question::Closed => engine.is_closed(a).map(|closed| Answer::Each(vec![closed])),
        Question::MeetsItself => engine.self_pairs(a).map(|pairs| Answer::Yes(!pairs.is_empty())),
        Question::SelfPairs => engine.self_pairs(a).map(|pairs| Answer::Pairs(list(pairs))),
        Question::Point(p) => engine.place(a, *p).map(Answer::Place),
        _ => None,
    }
}

fn answer_two(engine: &mut impl Engine, a: &Body, b: &Body, question: &Question) -> Option<Answer> {
    match question {
        Question::Meets => engine.meets(a, b).map(Answer::Yes),
        Question::SolidsMeet => engine.solids_meet(a, b).map(Answer::Yes),
        Question::Surface(clearance) => engine.surface(a, b, *clearance).map(Answer::Kind),
        Question::Solid(clearance) => engine.solid(a, b, *clearance).map(Answer::Kind),
        Question::Contains => engine.contains(a, b).map(Answer::Side),
        Question::Through => engine.through(a, b).map(Answer::Side),
        Question::Closed => Some(Answer::Each(vec![engine.is_closed(a)?, engine.is_closed(b)?])),
        Question::Pairs => engine.pairs(a, b).map(|pairs| Answer::Count(pairs.len() as u64)),
        Question::CrossingPairs => engine.pairs(a, b).map(|pairs| {
            Answer::Count(pairs.iter().filter(|(_, crossing)| *crossing).count() as u64)
        }),
        Question::PairList => engine.pairs(a, b).map(|pairs| {
            let mut list: Vec<_> = pairs.into_iter().map(|(pair, _)| pair).collect();
            list.sort_unstable();
            Answer::Pairs(list)
        }),
        Question::Distance => engine.distance(a, b).map(Answer::length),
        Question::SignedDistance => engine.signed_distance(a, b).map(Answer::length),
        Question::Within(length) => engine.is_within(a, b, *length).map(Answer::Yes),
        Question::MeetsItself | Question::SelfPairs | Question::Point(_) => None,
    }
}
