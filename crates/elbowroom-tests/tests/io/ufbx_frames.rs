//! FBX against the references that the library `ufbx` ships: OBJ files that Maya, 3ds Max and
//! Blender exported of bodies at rest and posed.
//!
//! Needs a checkout of <https://github.com/ufbx/ufbx> in the folder that `ELBOWROOM_UFBX` names, and is skipped without. Which OBJ is which
//! file at which time is read from the library's own tests. Prints a table with `--nocapture`.

#![cfg(feature = "fbx")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use elbowroom_io::{LEFT_OUT, ReadOptions, read_document};
use elbowroom_motion::body::Poser;
use elbowroom_testkit::data::skipped;
use glam::DVec3;

/// How far a vertex may be from its reference, as a part of the reference's size. OBJ files have
/// six digits, and curves are baked to lines.
const TOLERANCE: f64 = 2e-3;

/// A frame of a file, and what it should look like.
#[derive(Debug)]
struct Frame {
    file: String,
    reference: String,
    clip: Option<String>,
    /// `None` for the file as it is at rest.
    time: Option<f64>,
}

/// The frames that the library's tests compare with its default options.
fn frames(folder: &Path) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut headers: Vec<PathBuf> =
        fs::read_dir(folder.join("test")).unwrap().map(|entry| entry.unwrap().path()).collect();
    headers.sort();
    for header in headers.iter().filter(|path| path.extension().is_some_and(|e| e == "h")) {
        let mut file: Option<String> = None;
        for line in String::from_utf8_lossy(&fs::read(header).unwrap()).lines() {
            if let Some(rest) = line.strip_prefix("UFBXT_") {
                let plain = rest.strip_prefix("FILE_TEST(").and_then(|name| name.split(')').next());
                let other = rest.strip_prefix("FILE_TEST_ALT(");
                let other = other.and_then(|names| names.split([',', ')']).nth(1));
                file = plain.or(other).map(|name| name.trim().to_owned());
                // A reference of the file's own name shows it at rest.
                frames.extend(plain.map(|name| Frame {
                    file: name.trim().to_owned(),
                    reference: name.trim().to_owned(),
                    clip: None,
                    time: None,
                }));
            }
            let call = line.trim().strip_prefix("ufbxt_check_frame(scene, err, ");
            if let (Some(file), Some(call)) = (&file, call) {
                frames.extend(frame(file, call));
            }
        }
    }
    frames
}

fn frame(file: &str, call: &str) -> Option<Frame> {
    let mut words = call.trim_end_matches(");").split(',').map(str::trim).skip(1);
    let unquoted = |word: &str| word.trim_matches('"').to_owned();
    let reference = unquoted(words.next()?);
    let clip = Some(words.next()?).filter(|clip| *clip != "NULL").map(unquoted);
    let time = words.next()?;
    let time = match time.split_once('/') {
        Some((frame, rate)) => frame.parse::<f64>().ok()? / rate.parse::<f64>().ok()?,
        None => time.parse().ok()?,
    };
    Some(Frame { file: file.to_owned(), reference, clip, time: Some(time) })
}

/// The newest binary export of a file, or the newest there is.
fn export(folder: &Path, stem: &str) -> Option<PathBuf> {
    let version = |name: &str| -> Option<(bool, u32)> {
        let rest = name.strip_prefix(stem)?.strip_prefix('_')?.strip_suffix(".fbx")?;
        let (version, form) = rest.split_once('_')?;
        Some((form == "binary", version.parse().ok()?))
    };
    let names = fs::read_dir(folder.join("data")).unwrap().map(|entry| entry.unwrap().file_name());
    let found = names.filter_map(|name| {
        let name = name.to_str()?.to_owned();
        Some((version(&name)?, name))
    });
    found.max().map(|(_, name)| folder.join("data").join(name))
}

fn reference(folder: &Path, name: &str) -> Option<Vec<DVec3>> {
    let text = fs::read(folder.join("data").join(format!("{name}.obj"))).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let vertex = |line: &str| {
        let mut words = line.strip_prefix("v ")?.split_whitespace().map(|word| word.parse().ok());
        Some(DVec3::new(words.next()??, words.next()??, words.next()??))
    };
    Some(text.lines().filter_map(vertex).collect())
}

/// The vertices at a frame, and whether something was left out or the clip is over.
fn posed(path: &Path, frame: &Frame) -> Result<(Vec<DVec3>, bool), String> {
    let document =
        read_document(path, &ReadOptions::default()).map_err(|error| error.to_string())?;
    let rig = &document.rigs[0];
    let is_meant = |name: &str| frame.clip.as_ref().is_none_or(|clip| name.contains(clip));
    let clip = rig.clips.iter().find(|clip| is_meant(clip.name()));
    let mut pose = rig.rest_pose();
    if let (Some(clip), Some(time)) = (clip, frame.time) {
        clip.sample(time, &mut pose);
    }
    let (mut poser, mut points, mut all) = (Poser::new(), Vec::new(), Vec::new());
    for part in 0..rig.parts.len() {
        rig.posed(&pose, part, &mut poser, &mut points);
        // A reference has the vertices of faces.
        let mesh = &rig.parts[part].mesh;
        let used: BTreeSet<u32> = mesh.triangles().iter().flatten().copied().collect();
        all.extend(used.into_iter().map(|vertex| points[vertex as usize]));
    }
    // After its end a clip holds; what extrapolates there has no length to be played in.
    let is_over = clip.is_some_and(|clip| {
        clip.seconds() > 0.0 && frame.time.is_some_and(|time| time > clip.end())
    });
    Ok((all, is_over || document.notes.iter().any(|note| note.contains(LEFT_OUT))))
}

/// How far the farthest point of one set is from the nearest of the other, both ways.
fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    let one_way = |from: &[DVec3], to: &[DVec3]| {
        let nearest = |p: &DVec3| to.iter().map(|q| p.distance(*q)).fold(f64::INFINITY, f64::min);
        from.iter().map(nearest).fold(0.0, f64::max)
    };
    one_way(a, b).max(one_way(b, a))
}

#[test]
fn posed_files_are_their_reference_frames() {
    let Some(folder) = std::env::var_os("ELBOWROOM_UFBX").map(PathBuf::from) else {
        let missing = Path::new("checkout of ufbx, which ELBOWROOM_UFBX would name");
        return skipped("posed_files_are_their_reference_frames", missing);
    };
    let (mut table, mut compared, mut noted, mut wrong) = (String::new(), 0, 0, Vec::new());
    for frame in frames(&folder) {
        let Some(path) = export(&folder, &frame.file) else { continue };
        let Some(reference) = reference(&folder, &frame.reference) else { continue };
        compared += 1;
        let low = reference.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = reference.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let (off, is_noted, words) = match posed(&path, &frame) {
            Ok((points, is_noted)) => {
                (apart(&points, &reference) / low.distance(high), is_noted, String::new())
            }
            Err(error) => (f64::INFINITY, false, error),
        };
        let is_right = off <= TOLERANCE;
        let mark = match (is_right, is_noted) {
            (true, _) => "",
            (false, true) => "noted",
            (false, false) => "<--",
        };
        writeln!(
            table,
            "{:44} {:8.3} {off:10.2e} {mark} {words}",
            frame.reference,
            frame.time.unwrap_or(f64::NAN)
        )
        .unwrap();
        noted += usize::from(!is_right && is_noted);
        if !is_right && !is_noted {
            wrong.push(frame.reference.clone());
        }
    }
    println!("{table}{compared} frames, {noted} noted, {} differ: {wrong:?}", wrong.len());
    assert!(compared > 120 && noted <= 26, "{compared} {noted}");
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The maze of `ufbx`, whose largest face is concave and has 25,122 corners.
#[test]
fn a_maze_is_read() {
    let Some(folder) = std::env::var_os("ELBOWROOM_UFBX").map(PathBuf::from) else {
        let missing = Path::new("checkout of ufbx, which ELBOWROOM_UFBX would name");
        return skipped("a_maze_is_read", missing);
    };
    let path = folder.join("data/maya_ngon_maze_7700_binary.fbx");
    let document = read_document(&path, &ReadOptions::default()).unwrap();
    let mesh = &document.rigs[0].parts[0].mesh;
    let mut triangles = vec![0; mesh.triangles().len()];
    (0..mesh.triangles().len())
        .for_each(|triangle| triangles[mesh.face_of(triangle) as usize] += 1);
    let most = triangles.into_iter().max().unwrap_or(0);
    assert_eq!(most + 2, 25_122);
}
