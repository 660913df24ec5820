//! Real robots as bodies of links: every way of keeping their boxes finds the links that asking
//! about every pair finds, in poses across the ranges of their joints.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use elbowroom::internal::query::intersects;
use elbowroom_io::urdf::disabled_pairs;
use elbowroom_io::{ReadOptions, read_document};
use elbowroom_motion::body::Rig;
use elbowroom_papers::cab::{Allowed, LinkQuestion, Work, Workspace, between, within};
use elbowroom_papers::cab::{ArticulatedBody, CabHierarchy, RefitMethod};
use elbowroom_testkit::data::{shared_dir, skip_note};
use elbowroom_testkit::folder::Folder;
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DVec3};

/// The rigs of a file that have several parts: floors have one.
fn robots(folder: &Path, file: &str) -> Vec<Rig> {
    let options = ReadOptions { allow_outside: true, ..ReadOptions::default() };
    let document = read_document(&folder.join(file), &options)
        .unwrap_or_else(|error| panic!("{file}: {error}"));
    document.rigs.into_iter().filter(|rig| rig.parts.len() > 1).collect()
}

fn robot(folder: &Path, file: &str) -> Rig {
    robots(folder, file).into_iter().next().expect("a robot")
}

/// A pose with every joint anywhere in its range, or so far from the middle of it.
fn pose(random: &mut Random, rig: &Rig, share: f64) -> Vec<DAffine3> {
    let mut values = Vec::new();
    for freedom in rig.freedoms.iter().filter(|freedom| freedom.mimic.is_none()) {
        if freedom.kind.width() == 1 {
            let (low, high) = freedom.range.unwrap_or((-3.0, 3.0));
            let (low, high) = (low.max(-3.0), high.min(3.0));
            let middle = 0.5 * (low + high);
            values.push(middle + share * (random.uniform(low, high) - middle));
        } else {
            values.extend((0..freedom.kind.width()).map(|_| random.uniform(0.1, 1.0)));
        }
    }
    let pose = rig.pose_of(&values).expect("values in range");
    let mut world = Vec::new();
    rig.skeleton.world(&pose, &mut world);
    world
}

/// Poses a robot and compares all ways; how many pairs of links met, and the work of each way.
fn compare(rig: &Rig, poses: u32, seed: u64) -> (usize, [Work; RefitMethod::ALL.len()]) {
    let articulation = Arc::new(ArticulatedBody::of_rig(rig).expect("rigid parts"));
    let allowed = Allowed::of_rig(&articulation, rig);
    let links = articulation.links();
    let count = links.len() as u32;
    let mut random = Random::new(seed);
    let mut workspace = Workspace::new();
    let mut bodies =
        RefitMethod::ALL.map(|keep| CabHierarchy::new(Arc::clone(&articulation), keep));
    let mut total = [Work::default(); RefitMethod::ALL.len()];
    let mut met = 0;
    for index in 0..poses {
        let world = pose(&mut random, rig, f64::from(index % 4) / 3.0);
        let mut expected = Vec::new();
        bodies[0].update(&world).expect("a rigid pose");
        let place = bodies[0].placements();
        for i in 0..count {
            for j in (i + 1..count).filter(|&j| !allowed.has(i, j)) {
                let (a, b) = (i as usize, j as usize);
                if intersects(&links[a].model, &place[a], &links[b].model, &place[b]) {
                    expected.push((i, j));
                }
            }
        }
        met += expected.len();
        for (body, total) in bodies.iter_mut().zip(&mut total) {
            body.update(&world).expect("a rigid pose");
            body.validate().unwrap_or_else(|fault| panic!("{:?}: {fault}", body.keep()));
            *total += body.work();
            let keep = body.keep();
            let found = within(body, &allowed, &LinkQuestion::default(), &mut workspace);
            let shown: Vec<_> = found.contacts.iter().map(|c| (c.a, c.b)).collect();
            assert_eq!(shown, expected, "{keep:?} in pose {index}");
            *total += found.work;
        }
    }
    let [brute, vertices, corners, centre, covariance, cab, sum] = total;
    assert_eq!((cab.calls, sum.calls), (covariance.calls, covariance.calls));
    assert!(brute.calls >= corners.calls && corners.calls >= vertices.calls);
    assert!(centre.calls >= vertices.calls && corners.calls >= covariance.calls);
    println!("{}: {count} links, {met} pairs met in {poses} poses", rig.name);
    for (keep, work) in RefitMethod::ALL.into_iter().zip(total) {
        println!("{:>14} {:>7} calls {:>7} box tests", keep.name(), work.calls, work.box_tests);
    }
    (met, total)
}

fn data(test: &str) -> Option<PathBuf> {
    let folder = shared_dir();
    if folder.is_none() {
        skip_note(test);
    }
    folder
}

#[test]
fn the_panda() {
    let Some(folder) = data("the_panda") else { return };
    let mut rig = robot(&folder, "meshes/robots/panda/urdf/panda.urdf");
    let srdf = std::fs::read(folder.join("benchmarks/motionbenchmaker/panda.srdf"))
        .expect("the robot's disabled pairs");
    let (disabled, _) = disabled_pairs(&srdf, &rig).expect("pairs of links");
    rig.allowed.extend(disabled);
    let (met, work) = compare(&rig, 24, 11);
    assert!(met > 0 && work[0].calls > 100, "{met} {work:?}");
}

#[test]
fn the_shadow_hand() {
    let Some(folder) = data("the_shadow_hand") else { return };
    let rig = robot(&folder, "meshes/robots/shadow_hand/right_hand.xml");
    let (met, work) = compare(&rig, 16, 12);
    assert!(met > 10 && work[0].calls > 1000, "{met} {work:?}");
}

#[test]
fn the_humanoid() {
    let Some(folder) = data("the_humanoid") else { return };
    let rig = robot(&folder, "characters/mujoco_humanoid.xml");
    let (met, work) = compare(&rig, 40, 13);
    assert!(met > 10 && work[0].calls > 1000, "{met} {work:?}");
}

/// A crowd at rest and closer together than it was made: each with the next, by every way.
#[test]
fn a_hundred_humanoids() {
    let Some(folder) = data("a_hundred_humanoids") else { return };
    // The file names the single one as it was called where it came from.
    let together = Folder::new("humanoids");
    for (name, kept) in [("humanoid.xml", "humanoid"), ("crowd.xml", "100_humanoids")] {
        let path = folder.join(format!("characters/mujoco_{kept}.xml"));
        together.file(name, std::fs::read(path).expect("a humanoid"));
    }
    let rigs = robots(together.path(), "crowd.xml");
    let mut workspace = Workspace::new();
    let mut hits = [0; RefitMethod::ALL.len()];
    let articulated = |rig| Arc::new(ArticulatedBody::of_rig(rig).expect("rigid parts"));
    let articulations: Vec<_> = rigs.iter().map(articulated).collect();
    for (keep, hits) in RefitMethod::ALL.into_iter().zip(&mut hits) {
        let mut last: Option<CabHierarchy> = None;
        for (index, (rig, articulation)) in rigs.iter().zip(&articulations).enumerate() {
            let mut body = CabHierarchy::new(Arc::clone(articulation), keep);
            let mut world = Vec::new();
            rig.skeleton.world(&rig.rest_pose(), &mut world);
            let aside = DVec3::X * (0.3 * index as f64) - world[0].translation;
            for joint in &mut world {
                joint.translation += aside;
            }
            body.update(&world).expect("rigid");
            if let Some(mut last) = last.replace(body.clone()) {
                let question = LinkQuestion::default();
                *hits += between(&mut last, &mut body, &question, &mut workspace).work.hits;
            }
        }
    }
    println!("{} humanoids, {hits:?} pairs of links", rigs.len());
    assert!(hits.iter().all(|&each| each == hits[0]), "{hits:?}");
    assert!(rigs.len() >= 100 && hits[0] > 0, "{} {hits:?}", rigs.len());
}
