//! The suite as lines of JSON, one a scene, for engines in any language.
//!
//! A line has `id`, `theme`, `case`, `variant`, the meshes `a` and `b` (`vertices`, `triangles`,
//! `r` row by row, `t`; `b` is null where there is one mesh) and `checks`: `question`, its
//! `argument` if it has one, and the `expected` answer with a `tolerance` where it is a length.
//! Numbers are written so that reading them gives the same bits.

use super::answer::{Answer, Question};
use super::{Body, Scene};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes scenes as lines of JSON. The `id` is the place of the scene.
///
/// # Errors
///
/// Where the writer fails.
pub fn export(scenes: &[Scene], to: &mut impl Write) -> io::Result<()> {
    for (id, scene) in scenes.iter().enumerate() {
        let checks: Vec<Value> = scene.questions.iter().map(|(q, a)| check(q, a)).collect();
        let line = json!({
            "id": id,
            "theme": scene.theme,
            "case": scene.case,
            "variant": scene.variant,
            "a": body(&scene.a),
            "b": scene.b.as_ref().map(body),
            "checks": checks,
        });
        writeln!(to, "{line}")?;
    }
    Ok(())
}

fn body(body: &Body) -> Value {
    let r: Vec<f64> = body.pose.r.iter().flatten().copied().collect();
    json!({
        "vertices": body.mesh.vertices,
        "triangles": body.mesh.triangles,
        "r": r,
        "t": body.pose.t,
    })
}

fn check(question: &Question, expected: &Answer) -> Value {
    let argument = match question {
        Question::Surface(x) | Question::Solid(x) | Question::Within(x) => json!(x),
        Question::Point(p) => json!(p),
        _ => Value::Null,
    };
    let tolerance = match expected {
        Answer::Length { tolerance, .. } => json!(tolerance),
        _ => Value::Null,
    };
    json!({
        "question": question.name(),
        "argument": argument,
        "expected": expected.value(),
        "tolerance": tolerance,
    })
}

impl Answer {
    /// The bare answer as JSON: `true`, `"touching"`, a number, a list.
    pub fn value(&self) -> Value {
        match self {
            Self::Yes(yes) => json!(yes),
            Self::Each(each) => json!(each),
            Self::Kind(kind) => json!(kind),
            Self::Side(side) => json!(side),
            Self::Count(count) => json!(count),
            Self::Pairs(pairs) => json!(pairs),
            Self::Length { value, .. } => json!(value),
            Self::Place(place) => json!(place),
        }
    }
}
