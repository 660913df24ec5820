//! A case in another guise, with its answers.
//!
//! What is asked changes along with the scene: with the arguments swapped, *a contains b* becomes
//! *b contains a*; a scene of twice the size has twice the distance. What a variant cannot carry
//! over is left out: splitting triangles changes how many pairs meet. A variant never rounds: where
//! it would have to, there is no such variant.

use super::answer::{Answer, Question};
use super::recipe::{exact_sum, refined, reordered, split};
use super::{Body, Scene};
use crate::oracle::PlainPose;
use serde::{Deserialize, Serialize};

/// How a scene was made from its case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// As the case says.
    Plain,
    /// The second mesh first.
    Swap,
    /// Triangles and vertices backwards, triangles begun at another corner.
    Reorder,
    /// Every triangle with three vertices of its own.
    Soup,
    /// Everything 2²⁰ times as large, some million times.
    Grow,
    /// Everything 2²⁰ times as small.
    Shrink,
    /// Both poses turned a quarter about z.
    Turn,
    /// Both poses turned so that x becomes y, y becomes z and z becomes x.
    Roll,
    /// Both poses moved by (2²⁰, −2²¹, 2¹⁹).
    Shift,
    /// Both poses moved by (2⁴⁰, −2⁴¹, 2³⁹).
    Far,
    /// Every triangle cut in four.
    Refine,
}

impl Variant {
    /// What every case goes through unless it says otherwise. One mesh cannot be swapped; and
    /// whether copies of a vertex are one vertex is left open where a mesh meets itself.
    pub(super) fn usual(two: bool) -> &'static [Self] {
        const ALL: [Variant; 7] = [
            Variant::Swap,
            Variant::Soup,
            Variant::Reorder,
            Variant::Grow,
            Variant::Shrink,
            Variant::Turn,
            Variant::Roll,
        ];
        if two { &ALL } else { &ALL[2..] }
    }
}

/// 2²⁰.
const MANY: f64 = 1_048_576.0;

/// The scene in another guise; `None` if a coordinate would be rounded.
pub(super) fn vary(scene: &Scene, variant: Variant) -> Option<Scene> {
    let mut new = Scene { variant, ..scene.clone() };
    match variant {
        Variant::Plain => {}
        Variant::Swap => {
            let b = new.b.take()?;
            new.b = Some(std::mem::replace(&mut new.a, b));
            rewrite(&mut new, |question, answer| Some((question, swapped(answer))));
        }
        Variant::Reorder => reorder(&mut new),
        Variant::Soup => bodies(&mut new, |body| {
            body.mesh = split(&body.mesh);
            Some(())
        })?,
        Variant::Grow => scale(&mut new, MANY)?,
        Variant::Shrink => scale(&mut new, 1.0 / MANY)?,
        Variant::Turn => turn(&mut new, [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])?,
        Variant::Roll => turn(&mut new, [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?,
        Variant::Shift => shift(&mut new, MANY)?,
        Variant::Far => shift(&mut new, MANY * MANY)?,
        Variant::Refine => {
            bodies(&mut new, |body| {
                body.mesh = refined(&body.mesh)?;
                Some(())
            })?;
            new.questions.retain(|(question, _)| !counts_triangles(question));
        }
    }
    Some(new)
}

fn counts_triangles(question: &Question) -> bool {
    use Question::{CrossingPairs, PairList, Pairs, SelfPairs};
    matches!(question, CrossingPairs | PairList | Pairs | SelfPairs)
}

fn bodies(scene: &mut Scene, mut change: impl FnMut(&mut Body) -> Option<()>) -> Option<()> {
    change(&mut scene.a)?;
    scene.b.as_mut().map_or(Some(()), change)
}

fn rewrite(
    scene: &mut Scene,
    mut change: impl FnMut(Question, Answer) -> Option<(Question, Answer)>,
) {
    let questions = std::mem::take(&mut scene.questions);
    scene.questions = questions.into_iter().filter_map(|(q, a)| change(q, a)).collect();
}

fn swapped(answer: Answer) -> Answer {
    match answer {
        Answer::Side(side) => Answer::Side(side.swapped()),
        Answer::Each(each) => Answer::Each(each.into_iter().rev().collect()),
        Answer::Pairs(pairs) => Answer::Pairs(in_order(pairs.into_iter().map(|[i, j]| [j, i]))),
        same => same,
    }
}

fn in_order(pairs: impl Iterator<Item = [u32; 2]>) -> Vec<[u32; 2]> {
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_unstable();
    pairs
}

fn reorder(scene: &mut Scene) {
    let (mesh, places_a) = reordered(&scene.a.mesh);
    scene.a.mesh = mesh;
    let places_b = scene.b.as_mut().map(|b| {
        let (mesh, places) = reordered(&b.mesh);
        b.mesh = mesh;
        places
    });
    rewrite(scene, |question, answer| {
        let Answer::Pairs(pairs) = answer else { return Some((question, answer)) };
        let moved = pairs.into_iter().map(|[i, j]| {
            let i = places_a[i as usize];
            match &places_b {
                Some(places) => [i, places[j as usize]],
                None => [i.min(places_a[j as usize]), i.max(places_a[j as usize])],
            }
        });
        Some((question, Answer::Pairs(in_order(moved))))
    });
}

/// By a power of two, which rounds nothing unless it leaves the range of numbers.
fn scale(scene: &mut Scene, factor: f64) -> Option<()> {
    let by = |x: f64| (x * factor / factor == x).then_some(x * factor);
    bodies(scene, |body| {
        for x in body.mesh.vertices.iter_mut().flatten().chain(&mut body.pose.t) {
            *x = by(*x)?;
        }
        Some(())
    })?;
    rewrite(scene, |question, answer| {
        let question = match question {
            Question::Surface(length) => Question::Surface(length * factor),
            Question::Solid(length) => Question::Solid(length * factor),
            Question::Within(length) => Question::Within(length * factor),
            Question::Point(p) => Question::Point(p.map(|x| x * factor)),
            same => same,
        };
        let answer = match answer {
            Answer::Length { value, tolerance } => {
                Answer::Length { value: value * factor, tolerance: tolerance * factor }
            }
            same => same,
        };
        Some((question, answer))
    });
    Some(())
}

/// By a matrix of zeros and ones, which rounds nothing.
fn turn(scene: &mut Scene, by: [[f64; 3]; 3]) -> Option<()> {
    // Adding zero leaves no negative zeros.
    let row = |k: usize, v: [f64; 3]| by[k][0] * v[0] + by[k][1] * v[1] + by[k][2] * v[2] + 0.0;
    let apply = |v: [f64; 3]| std::array::from_fn(|k| row(k, v));
    bodies(scene, |body| {
        let r = body.pose.r;
        let column = |j: usize| [r[0][j], r[1][j], r[2][j]];
        body.pose = PlainPose {
            r: std::array::from_fn(|k| std::array::from_fn(|j| row(k, column(j)))),
            t: apply(body.pose.t),
        };
        Some(())
    })?;
    rewrite(scene, |question, answer| match question {
        Question::Point(p) => Some((Question::Point(apply(p)), answer)),
        same => Some((same, answer)),
    });
    Some(())
}

/// To a place where every placed vertex is a number without rounding, so that any engine can be
/// exact.
fn shift(scene: &mut Scene, length: f64) -> Option<()> {
    let by = [length, -2.0 * length, length / 2.0];
    let moved = |v: [f64; 3]| -> Option<[f64; 3]> {
        Some([exact_sum(v[0], by[0])?, exact_sum(v[1], by[1])?, exact_sum(v[2], by[2])?])
    };
    bodies(scene, |body| {
        body.pose.t = moved(body.pose.t)?;
        let straight = body.pose.r.iter().flatten().all(|x| [0.0, 1.0, -1.0].contains(x));
        let turned = PlainPose { r: body.pose.r, t: [0.0; 3] };
        let whole = body.mesh.vertices.iter().all(|v| {
            let v = turned.rounded(v);
            (0..3).all(|k| exact_sum(v[k], body.pose.t[k]).is_some())
        });
        (straight && whole).then_some(())
    })?;
    let mut exact = true;
    rewrite(scene, |question, answer| match question {
        Question::Point(p) => {
            let p = moved(p);
            exact &= p.is_some();
            Some((Question::Point(p?), answer))
        }
        same => Some((same, answer)),
    });
    exact.then_some(())
}
