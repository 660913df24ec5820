//! Many bodies with nothing but `query::ask`: their boxes swept along x, and each pair that overlaps asked about.

use elbowroom::descend::Workspace;
use elbowroom::query::{Ask, Question, ask};
use elbowroom::{Model, Placement};
use glam::{DMat3, DVec3};

/// How many pairs of bodies, all of one model, meet.
pub(super) fn touching(model: &Model, bodies: &[Placement], workspace: &mut Workspace) -> u64 {
    let (low, high) = model.mesh().bounds();
    let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
    // A little more than half, for what rounding takes away.
    let half = half * (1.0 + 1e-9) + DVec3::splat(1e-9 * (low.abs().max(high.abs()).max_element()));
    let mut boxes: Vec<(DVec3, DVec3, &Placement)> = bodies
        .iter()
        .map(|place| {
            let r = place.rotation();
            let reach = DMat3::from_cols(r.x_axis.abs(), r.y_axis.abs(), r.z_axis.abs()) * half;
            let reach = reach + place.translation().abs() * 1e-9;
            let middle = place.apply(centre);
            (middle - reach, middle + reach, place)
        })
        .collect();
    boxes.sort_unstable_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let question = Question { ask: Ask::Whether, ..Question::default() };
    let mut count = 0;
    for (i, &(low_a, high_a, place_a)) in boxes.iter().enumerate() {
        for &(low_b, high_b, place_b) in &boxes[i + 1..] {
            if low_b.x > high_a.x {
                break;
            }
            if low_a.cmple(high_b).all() && low_b.cmple(high_a).all() {
                let answer = ask(model, place_a, model, place_b, &question, workspace);
                count += u64::from(answer.is_contact());
            }
        }
    }
    count
}
