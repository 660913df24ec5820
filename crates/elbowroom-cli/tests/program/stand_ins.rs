//! Files in the place of those that only the reader of a page has, by the endings of their names.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::desk::Desk;
use crate::timeline::capture;

/// A robot of three links in a row, of which the first and the last are no neighbours.
const ROBOT: &str = "<robot name='arm'>\
    <link name='base'><collision><geometry><box size='.2 .2 .2'/></geometry></collision></link>\
    <link name='arm'><collision><geometry><box size='.1 .1 .4'/></geometry></collision></link>\
    <link name='hand'><collision><geometry><sphere radius='.1'/></geometry></collision></link>\
    <joint name='shoulder' type='revolute'><parent link='base'/><child link='arm'/>\
    <origin xyz='0 0 .3'/><axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/>\
    </joint>\
    <joint name='wrist' type='revolute'><parent link='arm'/><child link='hand'/>\
    <origin xyz='0 0 .3'/><axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/>\
    </joint></robot>";

fn ending(name: &str) -> Option<&str> {
    Path::new(name).extension()?.to_str()
}

/// What makes a file of an ending; `None` if it is no input of the program.
fn make(name: &str) -> Option<&'static [&'static str]> {
    match ending(name)? {
        "obj" | "stl" | "ply" | "off" => Some(&["make", "ball", "--size", "0.4", "--detail", "3"]),
        "glb" if name == "shot.glb" => Some(&[
            "make",
            "crowd",
            "--people",
            "3",
            "--seconds",
            "0.3",
            "--corridor",
            "3,1.2",
            "--seed",
            "3",
        ]),
        "glb" => Some(&["make", "man", "--triangles", "1500"]),
        "csv" => Some(&["make", "crowd", "--people", "8", "--seconds", "1", "--corridor", "5,2"]),
        _ => None,
    }
}

/// Puts a file at each name that has the ending of an input and is no output.
pub(crate) fn put_stand_ins(desk: &Desk, texts: &[&str]) {
    let words: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.split(" #").next().unwrap_or_default().split_whitespace())
        .collect();
    for (i, word) in words.iter().enumerate() {
        let is_output = i > 0 && matches!(words[i - 1], "-o" | ">");
        let name = word.trim_matches(['"', ';']).split('@').next().unwrap_or_default();
        if !is_output && !name.starts_with("make:") {
            put(desk, &name.replace('*', "one"));
        }
    }
}

fn put(desk: &Desk, name: &str) {
    let path = desk.path().join(name);
    if path.exists() {
        return;
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).expect("a folder can be made");
    }
    match ending(name) {
        Some("gz") => {
            let inner = name.trim_end_matches(".gz");
            put(desk, inner);
            let Ok(bytes) = fs::read(desk.path().join(inner)) else { return };
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(&bytes).expect("memory takes what is written");
            desk.put(name, packed.finish().expect("memory takes what is written"));
        }
        Some("bvh") => drop(desk.put(name, capture(20.0))),
        Some("urdf") => drop(desk.put(name, ROBOT)),
        Some("npz") => {
            put(desk, "man.glb");
            let run = desk.run(&["convert", "man.glb", name, "--clip", "talk"]);
            assert_eq!(run.code, 0, "{}", run.err);
        }
        _ => {
            let Some(made) = make(name) else { return };
            let run = desk.run(&[made, &["-o", name]].concat());
            assert_eq!(run.code, 0, "{name}: {}", run.err);
        }
    }
}
