//! The loop over frames: everybody is put in their place, and each method says who is near whom.

use std::time::Instant;

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::body::{JointId, Rig};
use elbowroom_motion::crowd::{Crowd, CrowdConfig, Detail, Member};
use glam::DVec2;

use super::cast::Cast;
use super::density::{Density, neighbours};
use super::findings::{Findings, Gathering, Pair, Scene};
use super::method::Method;
use super::walk::Walker;
use super::ways::Ways;
use crate::messages::{Refusal, printable};
use crate::progress::Progress;
use crate::save::refusal;

/// How often a look is timed; the least counts.
const TIMED: u32 = 2;

/// Goes through all frames.
///
/// # Errors
/// If a body cannot be made or a person cannot be placed.
pub(super) fn run(
    ways: &Ways,
    cast: &Cast,
    walkers: &[Walker],
    density: Density,
    methods: Vec<Method>,
    quiet: bool,
) -> Result<Findings, Refusal> {
    let config = CrowdConfig { exact_level: cast.circles.level, ..CrowdConfig::default() };
    let mut crowd = Crowd::new(cast.performers()?, &config);
    let mut lists: Vec<Vec<Pair>> = methods.iter().map(|_| Vec::new()).collect();
    let mut gathering = Gathering::new(methods);
    let mut progress = Progress::of_frames(ways.frames.len() as u64, quiet);
    let mut scene = Scene::default();
    for index in 0..ways.frames.len() {
        scene.index = index;
        stage(&mut crowd, &mut scene, (ways, cast, walkers))?;
        for (tally, list) in gathering.tallies.iter_mut().zip(&mut lists) {
            let detail = tally.method.detail;
            // The first one also makes bodies and puts people into cells, whichever method meets
            // them first: that is not what a look costs.
            ask(&mut crowd, &detail, list);
            let counts = crowd.counts();
            let seconds =
                (0..TIMED).map(|_| ask(&mut crowd, &detail, list)).fold(f64::INFINITY, f64::min);
            tally.count(&counts, seconds);
        }
        gathering.frame(&scene, &lists);
        progress.advance(1);
    }
    progress.finish();
    let mut findings = gathering.finish(density);
    if findings.judge().method.is_exact() {
        for contact in &mut findings.contacts {
            for who in contact.pair {
                put(&mut crowd, who, contact.nearest_frame, (ways, cast, walkers))?;
            }
            contact.parts = parts(&mut crowd, contact.pair, (cast, walkers));
        }
    }
    Ok(findings)
}

/// Which parts of two touch, by the names of their joints, those with the most triangles first.
fn parts(
    crowd: &mut Crowd<'_>,
    pair: Pair,
    (cast, walkers): (&Cast, &[Walker]),
) -> Vec<[String; 2]> {
    let mut contacts = crowd.between(pair[0], pair[1]);
    contacts
        .sort_by_key(|contact| (u64::MAX - contact.triangles, contact.joints.map(|joint| joint.0)));
    let rigs = pair.map(|who| cast.characters[cast.of(walkers[who as usize].id)].rig());
    let named = |joint: JointId, rig: &Rig| printable(&rig.skeleton.joints()[joint.index()].name);
    let names = contacts.iter().map(|contact| {
        let [a, b] = contact.joints;
        [named(a, rigs[0]), named(b, rigs[1])]
    });
    names.collect()
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
    all: (&Ways, &Cast, &[Walker]),
) -> Result<(), Refusal> {
    scene.who.clear();
    scene.places.clear();
    for (who, _) in (0..).zip(all.2) {
        match put(crowd, who, scene.index, all)? {
            Some(place) => {
                scene.who.push(who);
                scene.places.push(place);
            }
            None => {
                crowd.remove(who);
            }
        }
    }
    // Too many were refused before.
    neighbours(&scene.places, &mut scene.around);
    Ok(())
}

/// Places a person in a frame, if the person is in it; returns where.
fn put(
    crowd: &mut Crowd<'_>,
    who: u32,
    index: usize,
    (ways, cast, walkers): (&Ways, &Cast, &[Walker]),
) -> Result<Option<DVec2>, Refusal> {
    let walker = &walkers[who as usize];
    let Some(stance) = walker.at(index) else { return Ok(None) };
    let frame = ways.frames[index];
    let doing = cast.doing(walker.id, &stance, ways.secs(frame));
    let placed = Planar::from_angle(stance.heading, stance.at)
        .map_err(|error| error.to_string())
        .and_then(|at| {
            let member = Member { performer: doing.performer, at, time: doing.time };
            crowd.set(who, member).map_err(|error| error.to_string())
        });
    placed.map_err(|problem| {
        let path = ways.path.as_deref().unwrap_or(&ways.name);
        let what = format!("person {} in frame {frame}: {problem}", walker.id);
        refusal(path.as_ref(), &what, "repair the file, or give its unit with --units")
    })?;
    Ok(Some(stance.at))
}
