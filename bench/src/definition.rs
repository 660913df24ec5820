//! Definitions as data: what is run, what is asked, which answer is right, and who takes part.
//!
//! A file of `definitions/` is a family of workloads. The expected answers are counted once by
//! several engines that share no code, and written down for the very bits they were counted on,
//! which a digest names.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::Failure;

/// A family of workloads.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Definition {
    /// What it shows, in a sentence.
    pub(crate) title: String,
    /// The engines that take part.
    engines: Vec<String>,
    /// Those of them that are left out of quick runs.
    #[serde(default)]
    slow: Vec<String>,
    /// Whether its rows are left out of the means.
    #[serde(default)]
    pub(crate) aside: bool,
    workload: Vec<Work>,
}

/// Meshes, queries and questions about them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Work {
    /// The stem of its files, and what the generator knows it by.
    pub(crate) name: String,
    /// What is asked.
    pub(crate) questions: Vec<Question>,
    /// The engines that take part, if not those of the family.
    engines: Option<Vec<String>>,
    /// Left out of quick runs.
    #[serde(default)]
    long: bool,
    /// The right answers, for every set of bits for which they were counted.
    #[serde(default)]
    pub(crate) expected: Vec<Expected>,
}

/// The right answers for a set of bits.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    /// What the set is called: `own` is the generator's of this crate.
    pub(crate) set: String,
    /// Which bits, as hexadecimal digits.
    pub(crate) digest: String,
    /// Queries whose meshes meet.
    pub(crate) touching: u64,
    /// Pairs of triangles that meet, over all queries.
    pub(crate) pairs: u64,
    /// Pairs of bodies that meet.
    #[serde(default)]
    pub(crate) world: u64,
    /// Distances over all queries, in millionths, each rounded.
    pub(crate) distance: Option<u64>,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Question {
    /// Whether two meshes meet.
    Boolean,
    /// All pairs of triangles that do.
    All,
    /// Which of many bodies meet.
    World,
    /// How far apart two meshes are.
    Distance,
    /// A tree for a mesh.
    Build,
}

impl Question {
    /// The word for it in the protocol.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::All => "all",
            Self::World => "world",
            Self::Distance => "distance",
            Self::Build => "build",
        }
    }
}

impl Expected {
    /// What the answers add up to.
    pub(crate) fn sum(&self, question: Question) -> Option<u64> {
        match question {
            Question::Boolean => Some(self.touching),
            Question::All => Some(self.pairs),
            Question::World => Some(self.world),
            Question::Distance => self.distance,
            Question::Build => None,
        }
    }
}

impl Definition {
    /// All of a directory, in the order of their names.
    pub(crate) fn read_all(directory: &Path) -> Result<Vec<Self>, Failure> {
        let entries = fs::read_dir(directory)
            .map_err(|error| Failure::new(format!("{}: {error}", directory.display())))?;
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|end| end == "toml"));
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }

    fn read(path: &Path) -> Result<Self, Failure> {
        let bad =
            |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| bad(&error))?;
        toml::from_str(&text).map_err(|error| bad(&error))
    }

    /// The workloads of a run.
    pub(crate) fn works(&self, quick: bool) -> impl Iterator<Item = &Work> {
        self.workload.iter().filter(move |work| !(quick && work.long))
    }

    /// The engines that take part in a workload.
    pub(crate) fn engines<'a>(&'a self, work: &'a Work, quick: bool) -> Vec<&'a str> {
        let all = work.engines.as_ref().unwrap_or(&self.engines);
        let left_out = |name: &String| quick && self.slow.contains(name);
        all.iter().filter(|name| !left_out(name)).map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::NAMES;

    #[test]
    fn definitions_name_engines_that_exist_and_the_bits_we_make() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let definitions = Definition::read_all(&root.join("definitions")).unwrap();
        let (mut works, mut made) = (0, 0);
        for definition in &definitions {
            for work in definition.works(false) {
                works += 1;
                for name in definition.engines(work, false) {
                    assert!(NAMES.contains(&name), "{}: no engine {name}", work.name);
                }
                if let Some(own) = work.expected.iter().find(|expected| expected.set == "own") {
                    let digest = crate::scenes::make(&work.name).unwrap().digest();
                    assert_eq!(format!("{digest:016x}"), own.digest, "{}", work.name);
                    made += 1;
                }
            }
        }
        assert_eq!((definitions.len(), works, made), (9, 28, 22));
    }
}
