//! What a run leaves: a table for people and the numbers behind it for programs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::Failure;
use crate::machine::Machine;
use crate::table;
use crate::verdict::Outcome;

/// Bytes a triangle, by engine.
pub(crate) type Bytes = BTreeMap<&'static str, f64>;

/// All that was measured.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) schema_version: u32,
    pub(crate) machine: Machine,
    /// Engines that could not be had, and why.
    pub(crate) absent: Vec<String>,
    /// Engines that broke down.
    pub(crate) notes: Vec<String>,
    /// What each family of workloads is.
    pub(crate) titles: BTreeMap<String, String>,
    pub(crate) outcomes: Vec<Outcome>,
    /// Bytes a triangle, by workload.
    pub(crate) bytes: BTreeMap<String, Bytes>,
}

impl Report {
    pub(crate) fn new(machine: Machine) -> Self {
        Self {
            schema_version: 1,
            machine,
            absent: Vec::new(),
            notes: Vec::new(),
            titles: BTreeMap::new(),
            outcomes: Vec::new(),
            bytes: BTreeMap::new(),
        }
    }

    /// What is wrong with our own answers.
    pub(crate) fn complaints(&self) -> Vec<String> {
        self.outcomes.iter().filter_map(Outcome::complaint).collect()
    }

    /// The report for people.
    pub(crate) fn markdown(&self) -> String {
        table::markdown(self)
    }

    /// Writes `DATE-CPU.json` and `.md`; the latter's path.
    pub(crate) fn write(&self, directory: &Path) -> Result<PathBuf, Failure> {
        fs::create_dir_all(directory)?;
        let stem = self.machine.file_stem();
        let json =
            serde_json::to_string_pretty(self).map_err(|error| Failure::new(error.to_string()))?;
        fs::write(directory.join(format!("{stem}.json")), json + "\n")?;
        let path = directory.join(format!("{stem}.md"));
        fs::write(&path, self.markdown())?;
        Ok(path)
    }
}
