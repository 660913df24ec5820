//! Scenes whose answers are known, from files to findings: published ones where their data is
//! there, and some that follow from how they are made.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::{Mesh, Pose};
use elbowroom_io::npz_out::Archive;
use elbowroom_io::ply_out::Encoding;
use elbowroom_io::{MeshOut, VertexFrames, ply_out};
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::data::{ball, humans, shared_dir, skip_note, swarm};
use glam::DVec3;
use serde_json::Value;

use crate::desk::Desk;

fn points(soup: &Soup) -> Vec<DVec3> {
    soup.vertices.iter().map(|&point| DVec3::from_array(point)).collect()
}

fn put_ply(desk: &Desk, name: &str, soup: &Soup) {
    let mut out = MeshOut::default();
    out.add("mesh", &points(soup), &soup.triangles).expect("a mesh");
    desk.put(name, ply_out::to_bytes(&out, Encoding::Binary));
}

/// Writes a mesh over time, a soup a frame.
fn put_npz(desk: &Desk, name: &str, frames: usize, soup_at: impl Fn(usize) -> Soup) {
    let first = soup_at(0);
    let file = File::create(desk.path().join(name)).expect("a file");
    let mut archive = Archive::new(BufWriter::new(file), frames, first.vertices.len())
        .expect("an archive begins");
    for frame in 0..frames {
        archive.frame(&points(&soup_at(frame))).expect("a frame");
    }
    archive.finish(&first.triangles, Some(30.0)).expect("an archive ends");
}

/// Checks files, and gives the report, of which all was examined.
#[track_caller]
fn report(desk: &Desk, arguments: &[&str], pairs_examined: u64) -> Value {
    let run = desk.run(&[&["check", "--json", "--quiet"], arguments].concat());
    assert!(run.code <= 1, "{}", run.err);
    let report = run.json();
    assert_eq!(report["complete"], true);
    assert_eq!(report["pairs_examined"].as_u64(), Some(pairs_examined));
    report
}

fn contacts(report: &Value) -> &[Value] {
    report["contacts"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn number(value: &Value, name: &str) -> usize {
    value[name].as_u64().expect("a whole number") as usize
}

/// How many pairs of triangles meet in each frame in which some do.
fn pairs_by_frame(report: &Value) -> BTreeMap<usize, usize> {
    let pairs = |contact: &Value| (number(contact, "frame"), number(contact, "triangle_pairs"));
    contacts(report).iter().map(pairs).collect()
}

#[test]
fn the_people_of_the_published_pairs_meet_in_the_published_triangles() {
    let Some(data) = shared_dir() else { return skip_note("the_people_of_the_published_pairs") };
    let people = humans::load(&data);
    let count = people.pairs.len();
    let desk = Desk::new();
    put_npz(&desk, "men.npz", count, |pair| {
        let [man, _] = people.placed(pair);
        man
    });
    put_npz(&desk, "women.npz", count, |pair| {
        let [_, woman] = people.placed(pair);
        woman
    });
    let report = report(&desk, &["men.npz", "women.npz", "--triangles"], count as u64);
    let listed = |contact: &Value| -> Vec<(u32, u32)> {
        serde_json::from_value(contact["triangles"].clone()).expect("pairs of numbers")
    };
    let found: BTreeMap<usize, Vec<(u32, u32)>> = contacts(&report)
        .iter()
        .map(|contact| (number(contact, "frame"), listed(contact)))
        .collect();
    let mut triangles = 0;
    for (frame, pair) in people.pairs.iter().enumerate() {
        assert_eq!(found.contains_key(&frame), pair.intersects, "pair {frame}");
        let pairs = found.get(&frame).map(Vec::as_slice).unwrap_or_default();
        assert_eq!(pairs, pair.pairs, "pair {frame}");
        triangles += pairs.len();
    }
    assert_eq!((count, found.len()), (200, 89));
    assert!(triangles > 5000, "{triangles}");
}

#[test]
fn the_published_swarm_meets_where_it_should() {
    let Some(data) = shared_dir() else { return skip_note("the_published_swarm") };
    let swarm = swarm::load(&data);
    let count = swarm.poses.len();
    let desk = Desk::new();
    let names: Vec<String> = (0..count).map(|copy| format!("{copy:04}.ply")).collect();
    for (copy, name) in names.iter().enumerate() {
        put_ply(&desk, name, &swarm.copy(copy));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = report(&desk, &names, (count * (count - 1) / 2) as u64);
    let copy = |contact: &Value, side: &str| -> u32 {
        let name = contact[side].as_str().expect("a name");
        name.trim_end_matches(".ply").parse().expect("a number")
    };
    let pair = |c: &Value| (copy(c, "a"), copy(c, "b"), number(c, "triangle_pairs"));
    let found: Vec<(u32, u32, usize)> = contacts(&report).iter().map(pair).collect();
    assert_eq!(found, swarm.colliding);
    assert_eq!((count, found.len()), (2000, 677));
}

#[test]
fn the_published_balls_hit_in_the_published_frames() {
    let Some(data) = shared_dir() else { return skip_note("the_published_balls") };
    let mut hits = Vec::new();
    for name in ball::SCENES {
        let scene = ball::load(&data, name);
        let count = scene.frames.len();
        let desk = Desk::new();
        put_ply(&desk, "target.ply", &scene.target);
        put_npz(&desk, "ball.npz", count, |frame| scene.ball(frame));
        let found = pairs_by_frame(&report(&desk, &["target.ply", "ball.npz"], count as u64));
        let known = scene.frames.iter().map(|frame| frame.pairs).enumerate();
        let known: BTreeMap<usize, usize> = known.filter(|&(_, pairs)| pairs > 0).collect();
        assert_eq!(found, known, "{name}");
        hits.push((count, found.len()));
    }
    assert_eq!(hits, [(500, 48), (500, 237)]);
}

/// Two people who were captured together, ten times a second.
fn captured(data: &Path, first: &str, second: &str) -> String {
    let data = data.canonicalize().expect("the data is there");
    let person = |name: &str, body: &str, motion: &str| {
        let body = data.join(format!("characters/mh_{body}2850_cmu.glb"));
        let motion = data.join(format!("mocap/two_person/{motion}.bvh.gz"));
        format!(
            "[[character]]\nname = '{name}'\nfile = '{}'\nmotion = {{ file = '{}', root_scale = 1 }}\n",
            body.display(),
            motion.display()
        )
    };
    format!("fps = 10\n{}{}", person("man", "male", first), person("woman", "female", second))
}

/// Rigs, clips and kept trees on one side; on the other the baked vertices of each frame, under a
/// tree of their own.
#[test]
fn people_who_were_captured_together_touch_where_their_baked_bodies_do() {
    let Some(data) = shared_dir() else { return skip_note("people_who_were_captured_together") };
    let (mut touching, mut clear) = (BTreeMap::new(), 0);
    for (first, second) in [("22_09", "23_09"), ("22_12", "23_12"), ("20_03", "21_03")] {
        let desk = Desk::new();
        desk.put("scene.toml", captured(&data, first, second));
        let baking = ["convert", "scene.toml", "scene.npz", "--allow-outside", "--quiet"];
        assert_eq!(desk.run(&baking).code, 0);
        let mut baked = VertexFrames::open(&desk.path().join("scene.npz")).expect("an archive");
        let (frames, faces) = (baked.len(), baked.mesh().triangles().to_vec());
        let report = report(&desk, &["scene.toml", "--allow-outside"], frames as u64);
        let size = |name: &str| number(&report["objects"][0], name);
        let (men, man_faces) = (size("vertices"), size("triangles"));
        let mut points = Vec::new();
        let mut meets = |frame: usize| {
            baked.read(frame, &mut points).expect("a frame");
            let (man, woman) = points.split_at(men);
            let own = |t: &[u32; 3]| t.map(|corner| corner - men as u32);
            let man = Mesh::new(man.to_vec(), faces[..man_faces].to_vec()).expect("a mesh");
            let woman = Mesh::new(woman.to_vec(), faces[man_faces..].iter().map(own).collect());
            let (man, woman) = (Model::new(man), Model::new(woman.expect("a mesh")));
            let here = Pose::IDENTITY;
            query::triangle_pairs(&man, &here, &woman, &here).len()
        };
        let expected = (0..frames).map(|frame| (frame, meets(frame)));
        let expected: BTreeMap<usize, usize> = expected.filter(|&(_, pairs)| pairs > 0).collect();
        assert_eq!(pairs_by_frame(&report), expected, "{first} and {second}");
        clear += frames - expected.len();
        touching.insert(first, (expected.len(), frames));
    }
    // One stumbles into the other: as many frames as FCL finds on these bodies.
    assert_eq!(touching["22_12"], (14, 27));
    assert!(touching["22_09"].0 > 3 && clear > 30, "{touching:?}");
}

/// A lattice of cubes, each of which touches its neighbours and those across its edges, and nothing
/// else.
#[test]
fn cubes_of_a_lattice_touch_their_neighbours() {
    const SIDE: usize = 7;
    let desk = Desk::new();
    let cube = elbowroom_make::cuboid(DVec3::splat(0.5));
    let mut names = Vec::new();
    for (x, y) in (0..SIDE).flat_map(|x| (0..SIDE).map(move |y| (x, y))) {
        let shifted = |&p: &DVec3| (p + DVec3::new(x as f64, y as f64, 0.0)).to_array();
        let soup = Soup {
            vertices: cube.vertices().iter().map(shifted).collect(),
            triangles: cube.triangles().to_vec(),
        };
        put_ply(&desk, &format!("{x}{y}.ply"), &soup);
        names.push(format!("{x}{y}.ply"));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let count = names.len() as u64;
    let report = report(&desk, &names, count * (count - 1) / 2);
    assert!(contacts(&report).iter().all(|contact| contact["kind"] == "touching"));
    // Beside each other along both axes, and across both diagonals.
    let expected = 2 * SIDE * (SIDE - 1) + 2 * (SIDE - 1) * (SIDE - 1);
    assert_eq!(contacts(&report).len(), expected);
}

/// A cube of eighths that flies past another: it meets it from the frame in which their sides are
/// in one plane.
#[test]
fn a_cube_over_time_meets_a_cube_in_the_frames_that_follow_from_its_way() {
    let desk = Desk::new();
    let cube = elbowroom_make::cuboid(DVec3::splat(0.5));
    let at = |x: f64| Soup {
        vertices: cube
            .vertices()
            .iter()
            .map(|&p| (p + DVec3::new(x, 0.25, 0.125)).to_array())
            .collect(),
        triangles: cube.triangles().to_vec(),
    };
    put_ply(&desk, "still.ply", &at(0.0));
    // From −2 to 2 in steps of an eighth: they meet from −1 to 1, and only touch at both ends.
    put_npz(&desk, "flying.npz", 33, |frame| at(frame as f64 / 8.0 - 2.0));
    let report = report(&desk, &["still.ply", "flying.npz"], 33);
    let frames: Vec<usize> = pairs_by_frame(&report).into_keys().collect();
    assert_eq!(frames, (8..=24).collect::<Vec<_>>());
    let solid = desk.run(&["check", "still.ply", "flying.npz", "--json", "--solid"]).json();
    let kinds: Vec<&str> = contacts(&solid).iter().filter_map(|c| c["kind"].as_str()).collect();
    let expected = |place: usize| match place {
        0 | 16 => "touching",
        8 => "duplicate",
        _ => "crossing",
    };
    assert_eq!(kinds, (0..17).map(expected).collect::<Vec<_>>());
}
