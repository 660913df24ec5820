//! The folder of data, where there is one: what the experiments ask for is read from it.
//!
//! It is the one that `--data` names, else that of the environment variable `ELBOWROOM_DATA`, else
//! `../shared/data`. Only the first has to be there.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use elbowroom_io::ReadOptions;
use elbowroom_lab::{Absent, Data, Still};
use elbowroom_motion::body::Rig;
use flate2::read::GzDecoder;
use glam::DQuat;
use serde::Deserialize;

use crate::load::{What, load};

/// Where it is looked for if no folder is given.
const BESIDE: &str = "../shared/data";
const VARIABLE: &str = "ELBOWROOM_DATA";

/// A folder, or none.
pub(super) struct Folder(Option<PathBuf>);

impl Folder {
    /// # Errors
    /// If a folder was named that is none.
    pub(super) fn find(named: Option<&Path>) -> Result<Self, String> {
        if let Some(path) = named {
            return if path.is_dir() {
                Ok(Self(Some(path.to_owned())))
            } else {
                Err(format!("{}: is no directory", path.display()))
            };
        }
        let path = std::env::var_os(VARIABLE).map_or_else(|| PathBuf::from(BESIDE), PathBuf::from);
        Ok(Self(path.is_dir().then_some(path)))
    }

    /// Whether there is one.
    pub(super) fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// How a file is, so that a change shows: how large, and changed when. A robot's file names
    /// others below its folder, which are then part of it.
    pub(super) fn stamp(&self, name: &str) -> String {
        let Some(folder) = &self.0 else { return "no folder".to_owned() };
        let path = folder.join(name);
        let is_robot = path.extension().is_some_and(|ending| ending == "xml" || ending == "urdf");
        let mut sums = [0_u128; 3];
        match path.parent().filter(|_| is_robot) {
            Some(parent) => add_all(parent, &mut sums),
            None => add(&path, &mut sums),
        }
        let [files, bytes, nanos] = sums;
        if path.is_file() {
            format!("{files} files, {bytes} bytes, {nanos} ns")
        } else {
            "absent".to_owned()
        }
    }
}

/// Adds a file: one, its bytes, when it was changed.
fn add(path: &Path, sums: &mut [u128; 3]) {
    let Ok(about) = path.metadata() else { return };
    let changed = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let nanos = changed.map_or(0, |since| since.as_nanos());
    for (sum, value) in sums.iter_mut().zip([1, u128::from(about.len()), nanos]) {
        *sum = sum.wrapping_add(value);
    }
}

/// Adds all files of a folder and of those in it.
fn add_all(folder: &Path, sums: &mut [u128; 3]) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // What a link leads to is not followed: it might lead back.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => add_all(&entry.path(), sums),
            _ => add(&entry.path(), sums),
        }
    }
}

impl Folder {
    fn path(&self, name: &str) -> Result<PathBuf, Absent> {
        let none = || format!("{name}: no folder of data; name it by --data or {VARIABLE}");
        self.0.as_ref().map(|folder| folder.join(name)).ok_or_else(|| Absent::new(none()))
    }
}

impl Data for Folder {
    fn rig(&self, name: &str) -> Result<Rig, Absent> {
        let path = self.path(name)?;
        // A robot's file names meshes beside its own folder.
        let options = ReadOptions { allow_outside: true, ..ReadOptions::default() };
        let What::Document(document, _) = load(&path, &options).map_err(Absent::new)?.what else {
            return Err(Absent::new(format!("{}: holds no body", path.display())));
        };
        // Captures are in units of their own, and experiments in metres.
        let absent =
            |error: &dyn std::fmt::Display| Absent::new(format!("{}: {error}", path.display()));
        let document = document.to_metres().map_err(|error| absent(&error))?;
        let rig = document.rigs.into_iter().next();
        rig.ok_or_else(|| Absent::new(format!("{}: holds no body", path.display())))
    }
    fn stills(&self, name: &str) -> Result<Vec<Still>, Absent> {
        let path = self.path(name)?;
        let absent =
            |error: &dyn std::fmt::Display| Absent::new(format!("{}: {error}", path.display()));
        elbowroom_io::opened::note(&path);
        let file = File::open(&path).map_err(|error| absent(&error))?;
        let list: StillFile = serde_json::from_reader(BufReader::new(GzDecoder::new(file)))
            .map_err(|error| absent(&error))?;
        let still = |one: &OneStill| {
            let turns = one.quat_xyzw.iter().map(|&turn| DQuat::from_array(turn));
            let turns: Vec<_> = list.joints.iter().cloned().zip(turns).collect();
            // A turn of length 0 is none.
            let are_turns = turns.iter().all(|(_, turn)| turn.length_squared() > 0.25);
            (turns.len() == list.joints.len() && are_turns).then_some(Still { turns })
        };
        let stills: Option<Vec<Still>> = list.poses.iter().map(still).collect();
        stills.ok_or_else(|| absent(&"a pose has not one turn for each joint"))
    }
}

/// Poses as joints' names, and a quaternion for each.
#[derive(Deserialize)]
struct StillFile {
    joints: Vec<String>,
    poses: Vec<OneStill>,
}

#[derive(Deserialize)]
struct OneStill {
    quat_xyzw: Vec<[f64; 4]>,
}
