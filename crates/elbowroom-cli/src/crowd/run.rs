//! The loop over frames: everybody is put in their place, and each method says who is near whom.

use std::time::Instant;

use elbowroom::crowd::{Crowd, CrowdConfig, Detail, Member};
use elbowroom::math::planar::Planar;

use super::cast::Cast;
use super::density::{Density, neighbours};
use super::findings::{Findings, Gathering, Pair, Scene};
use super::method::Method;
use super::walk::Walker;
use super::ways::Ways;
use crate::progress::Progress;
use crate::save::refusal;
use crate::words::Refusal;

/// Goes through all frames.
///
/// # Errors
/// If a body cannot be made or somebody cannot be placed.
pub(super) fn run(
    ways: &Ways,
    cast: &Cast,
    walkers: &[Walker],
    density: Density,
    methods: Vec<Method>,
    quiet: bool,
) -> Result<Findings, Refusal> {
    let mut crowd = Crowd::new(cast.performers()?, &CrowdConfig::default());
    let mut lists: Vec<Vec<Pair>> = methods.iter().map(|_| Vec::new()).collect();
    let mut gathering = Gathering::new(methods);
    let mut progress = Progress::of_frames(ways.frames.len() as u64, quiet);
    let mut scene = Scene::default();
    for index in 0..ways.frames.len() {
        scene.index = index;
        stage(&mut crowd, &mut scene, (ways, cast, walkers))?;
        for (tally, list) in gathering.tallies.iter_mut().zip(&mut lists) {
            let detail = tally.method.detail;
            let mut seconds = ask(&mut crowd, &detail, list);
            let counts = crowd.counts();
            // Bodies are made once in a run, whichever method meets them first: that is not what a look costs.
            if counts.made + counts.posed > 0 {
                seconds = ask(&mut crowd, &detail, list);
            }
            tally.count(&counts, seconds);
        }
        gathering.frame(&scene, &lists);
        progress.advance(1);
    }
    progress.finish();
    Ok(gathering.finish(density))
}

/// Who is near whom; how long it took.
fn ask(crowd: &mut Crowd<'_>, detail: &Detail, list: &mut Vec<Pair>) -> f64 {
    let start = Instant::now();
    let pairs = crowd.pairs(detail);
    let seconds = start.elapsed().as_secs_f64();
    list.clear();
    list.extend(pairs.iter().map(|near| near.ids));
    seconds
}

/// Puts everybody of a frame in their place, and takes away who is gone.
fn stage(
    crowd: &mut Crowd<'_>,
    scene: &mut Scene,
    (ways, cast, walkers): (&Ways, &Cast, &[Walker]),
) -> Result<(), Refusal> {
    scene.who.clear();
    scene.places.clear();
    let frame = ways.frames[scene.index];
    let secs = ways.secs(frame);
    for (who, walker) in (0..).zip(walkers) {
        let Some(stance) = walker.at(scene.index) else {
            crowd.remove(who);
            continue;
        };
        let doing = cast.doing(walker.id, &stance, secs);
        let placed = Planar::from_angle(stance.heading, stance.at)
            .map_err(|error| error.to_string())
            .and_then(|at| {
                let member = Member { performer: doing.performer, at, time: doing.time };
                crowd.set(who, member).map_err(|error| error.to_string())
            });
        placed.map_err(|problem| {
            let path = ways.path.as_deref().unwrap_or(&ways.name);
            let what = format!("person {} in frame {frame}: {problem}", walker.id);
            refusal(path.as_ref(), &what, "mend the file, or say its unit with --units")
        })?;
        scene.who.push(who);
        scene.places.push(stance.at);
    }
    // Too many were refused before.
    neighbours(&scene.places, &mut scene.around);
    Ok(())
}
