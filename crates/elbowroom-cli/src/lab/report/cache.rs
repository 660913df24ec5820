//! Results that are kept from run to run, so that an interrupted report goes on and one that is
//! made again is there at once.
//!
//! A result belongs to an experiment, its size, this very program (all its bytes), the processor
//! and its lanes: these are in the name of its file. It also belongs to the files that the
//! experiment asked for: the result says which, with size and time of change, and counts
//! only if they are still the same. What cannot be read or written is as if it were not there: the
//! experiment is run.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use elbowroom_lab::{Absent, Data, Experiment, Report, Still};
use elbowroom_motion::body::Rig;
use serde::{Deserialize, Serialize};

use super::machine::Machine;
use crate::lab::folder::Folder;
use crate::save;

/// A result, and what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// When it was measured.
    pub(super) ran: String,
    /// How long that took.
    pub(super) secs: f64,
    /// The files that were asked for, and how they were.
    pub(super) asked: BTreeMap<String, String>,
    pub(super) report: Report,
}

/// A folder of results.
pub(super) struct Cache {
    folder: PathBuf,
    /// Of program and machine.
    key: u64,
}

impl Cache {
    /// # Errors
    /// If the folder cannot be made.
    pub(super) fn open(folder: PathBuf, machine: &Machine) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let mut key = DefaultHasher::new();
        hash_file(&env::current_exe()?, &mut key)?;
        (&machine.cpu, machine.lanes).hash(&mut key);
        Ok(Self { folder, key: key.finish() })
    }

    fn path(&self, experiment: &Experiment, quick: bool) -> PathBuf {
        let size = if quick { "quick" } else { "full" };
        self.folder.join(format!("{}-{size}-{:016x}.json", experiment.id, self.key))
    }

    /// What was kept of an experiment, if it still counts.
    pub(super) fn get(&self, experiment: &Experiment, quick: bool, data: &Folder) -> Option<Kept> {
        let text = fs::read(self.path(experiment, quick)).ok()?;
        let kept: Kept = serde_json::from_slice(&text).ok()?;
        let same = kept.asked.iter().all(|(name, stamp)| data.stamp(name) == *stamp);
        (same && kept.report.id == experiment.id).then_some(kept)
    }

    /// Keeps a result, if it can.
    pub(super) fn put(&self, experiment: &Experiment, quick: bool, kept: &Kept) {
        if let Ok(text) = serde_json::to_vec(kept) {
            // Next time it is run again.
            let _ = save::write(&self.path(experiment, quick), &text);
        }
    }
}

/// Adds the bytes of a file.
fn hash_file(path: &Path, key: &mut DefaultHasher) -> io::Result<()> {
    let (mut file, mut part) = (File::open(path)?, vec![0; 1 << 16]);
    loop {
        match file.read(&mut part)? {
            0 => return Ok(()),
            read => key.write(&part[..read]),
        }
    }
}

/// Where the system keeps what can be made again.
pub(super) fn of_the_system() -> Option<PathBuf> {
    let home = |below: &str| env::var_os("HOME").map(|home| PathBuf::from(home).join(below));
    let folder = if cfg!(windows) {
        env::var_os("LOCALAPPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        home("Library/Caches")
    } else {
        let named = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        named.filter(|folder| folder.is_absolute()).or_else(|| home(".cache"))
    };
    Some(folder?.join("elbowroom").join("lab"))
}

/// Data that remembers what it was asked for.
pub(super) struct Asked<'a> {
    folder: &'a Folder,
    names: RefCell<BTreeMap<String, String>>,
}

impl<'a> Asked<'a> {
    pub(super) fn of(folder: &'a Folder) -> Self {
        Self { folder, names: RefCell::default() }
    }

    /// Remembers a name, and how the file is.
    fn note(&self, name: &str) {
        self.names.borrow_mut().insert(name.to_owned(), self.folder.stamp(name));
    }

    /// The names, and how the files were.
    pub(super) fn names(self) -> BTreeMap<String, String> {
        self.names.into_inner()
    }
}

impl Data for Asked<'_> {
    fn rig(&self, name: &str) -> Result<Rig, Absent> {
        self.note(name);
        self.folder.rig(name)
    }

    fn stills(&self, name: &str) -> Result<Vec<Still>, Absent> {
        self.note(name);
        self.folder.stills(name)
    }
}

#[cfg(test)]
mod tests {
    use elbowroom_lab::find;

    use super::*;

    /// A result counts as long as the files that it rests on are as they were.
    #[test]
    fn what_rests_on_a_file_goes_with_it() {
        let desk = tempfile::tempdir().expect("a folder");
        let data = desk.path().join("data");
        fs::create_dir(&data).expect("a folder in it");
        let folder = Folder::find(Some(&data)).expect("it is there");
        let machine = Machine::here();
        let cache = Cache::open(desk.path().join("kept"), &machine).expect("a cache");
        let (table5, memory) = (find("cab-table5"), find("obbtree-memory"));
        let (table5, memory) = (table5.expect("in the list"), memory.expect("in the list"));
        let asked = Asked::of(&folder);
        assert!(asked.rig("meshes/suzanne.obj").is_err(), "there is none");
        let none = asked.stills("poses.json.gz").expect_err("there are none").to_string();
        assert!(none.contains(&data.display().to_string()), "the folder was asked: {none}");
        assert!(asked.names.borrow().contains_key("poses.json.gz"));
        let report = Report {
            id: table5.id,
            title: String::new(),
            what: String::new(),
            tables: Vec::new(),
            charts: Vec::new(),
            claims: Vec::new(),
            notes: Vec::new(),
        };
        let kept =
            Kept { ran: "2026-11-16 20:00".to_owned(), secs: 1.5, asked: asked.names(), report };
        cache.put(table5, true, &kept);
        assert_eq!(cache.get(table5, true, &folder), Some(kept.clone()));
        assert_eq!(cache.get(table5, false, &folder), None, "of another size");
        assert_eq!(cache.get(memory, true, &folder), None, "of another experiment");
        let other = Machine { lanes: "other", ..machine };
        let other = Cache::open(desk.path().join("kept"), &other).expect("a cache");
        assert_eq!(other.get(table5, true, &folder), None, "of another machine");
        fs::create_dir(data.join("meshes")).expect("a folder");
        fs::write(data.join("meshes/suzanne.obj"), "v 0 0 0\n").expect("a file");
        assert_eq!(cache.get(table5, true, &folder), None, "there is a file now");
    }
}
