//! Which families follow a soft body.

use elbowroom::Aabb;
use elbowroom::internal::volume::Family;
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::Layers;
use glam::DVec3;

use super::{Named, Part};
use crate::rounds::{Rounds, Spread};
use crate::sbbk::scene::{layered, sbbk, sound};
use crate::{Cell, Claim, Table, Verdict};

const FAMILIES: [Family; 5] =
    [Family::Sphere, Family::Aabb, Family::Kdop18, Family::Kdop26, Family::Obb];

pub(super) fn run(models: &[Named], quick: bool) -> Part {
    let mesh = &models[models.len() - 1].mesh;
    let Aabb { min: low, max: high } = mesh.bounds();
    let size = (high - low).max_element();
    // Waves run through it.
    let moved = |frame: u32| -> Vec<DVec3> {
        let wave = |p: DVec3| libm::sin(6.0 * p.x / size + 0.4 * f64::from(frame)) * 0.1 * size;
        mesh.vertices()
            .iter()
            .map(|&p| p + DVec3::new(0.0, wave(p), wave(DVec3::X * p.z)))
            .collect()
    };
    let frames: Vec<Vec<DVec3>> = (0..4).map(moved).collect();
    let mut layerings: Vec<(String, Layers)> = FAMILIES
        .iter()
        .map(|&family| (family.name().to_owned(), sound(Layers::single(family))))
        .collect();
    layerings.push(("SBBK".to_owned(), sbbk()));
    let mut bodies: Vec<HybridTree> =
        layerings.iter().map(|(_, layering)| layered(mesh, layering)).collect();
    let mut sound_bodies = 0;
    for body in &mut bodies {
        let is_sound =
            frames.iter().all(|vertices| body.refit(vertices).is_ok() && body.validate().is_ok());
        sound_bodies += usize::from(is_sound);
    }
    let times: Vec<Spread> = bodies
        .iter_mut()
        .map(|body| refit_time(body, &frames, if quick { 5 } else { 15 }))
        .collect();
    let mut table = Table::new(
        "Refit of a body through which waves run",
        ["tree", "triangles", "time, µs a refit", "time, ns a node"],
    );
    for ((name, _), (body, time)) in layerings.iter().zip(bodies.iter().zip(&times)) {
        let nodes = body.tree().len() as f64;
        let cells: [Cell; 4] = [
            name.as_str().into(),
            mesh.triangles().len().into(),
            (1e6 * time.low).into(),
            (1e9 * time.low / nodes).into(),
        ];
        table.row(cells);
    }
    Part { tables: vec![table], claims: vec![claim(&times, sound_bodies, bodies.len())] }
}

fn refit_time(body: &mut HybridTree, frames: &[Vec<DVec3>], rounds: usize) -> Spread {
    let mut refit = || {
        for vertices in frames {
            body.refit(vertices).expect("as many as before");
        }
    };
    let Spread { low, median, high } = Rounds::run(rounds, &mut [&mut refit]).secs(0);
    let share = 1.0 / frames.len() as f64;
    Spread { low: low * share, median: median * share, high: high * share }
}

fn claim(times: &[Spread], sound_bodies: usize, bodies: usize) -> Claim {
    let micros = |tree: usize| 1e6 * times[tree].low;
    let slower = micros(4) / micros(2);
    let verdict = match (sound_bodies == bodies, slower > 3.0) {
        (true, true) => Verdict::HoldsWithAnotherNumber,
        _ => Verdict::DoesNotHold,
    };
    Claim::timed("SBBK-S3-soft", "Sphere, AABB and k-DOP follow a soft body, OBB does not.")
        .paper("no figure")
        .ours(format!(
            "bounds hold after every refit in {sound_bodies} of {bodies} trees, that of OBBs among them; µs a refit: sphere {:.0}, AABB {:.0}, 18-DOP {:.0}, OBB {:.0}, {slower:.0} times the \
             18-DOP's",
            micros(0),
            micros(1),
            micros(2),
            micros(4)
        ))
        .verdict(verdict)
        .why("An oriented box can be put around moved vertices as well, but its axes have to be found anew or get worse; the others only look at where vertices are.")
}
