//! Which of our crates a crate depends on, from its manifest.

use std::fs;
use std::path::Path;

use toml::de::DeTable;

use crate::plan::{ALONE, CRATES};

/// What a look at the manifests met.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) manifests: usize,
    /// Dependencies on our own crates.
    pub(crate) own: usize,
    pub(crate) faults: Vec<String>,
}

/// Checks the manifests of all crates in a folder.
pub(crate) fn check(crates: &Path) -> Seen {
    let mut seen = Seen::default();
    for entry in fs::read_dir(crates).expect("the folder of all crates") {
        let file = entry.expect("an entry of a folder").path().join("Cargo.toml");
        if let Ok(text) = fs::read_to_string(&file) {
            seen.look(&text);
        }
    }
    seen
}

impl Seen {
    fn look(&mut self, text: &str) {
        self.manifests += 1;
        let manifest = DeTable::parse(text).expect("a manifest is TOML").into_inner();
        let package = table(&manifest, "package").and_then(|package| word(package, "name"));
        let package = package.expect("a package has a name");
        let Some((_, allowed)) = CRATES.iter().find(|(name, _)| *name == package) else {
            self.faults.push(format!("{package}: not in the plan; give it a row in plan.rs"));
            return;
        };
        for (kind, name) in dependencies(&manifest) {
            let name = name.as_str();
            if !CRATES.iter().any(|(ours, _)| *ours == name) {
                continue;
            }
            self.own += 1;
            let is_of_tests = kind == "dev-dependencies" && !ALONE.contains(&package);
            if !is_of_tests && !allowed.contains(&name) {
                self.faults.push(format!("{package} may not use {name} ({kind})"));
            }
        }
    }
}

fn table<'a>(parent: &'a DeTable<'_>, key: &str) -> Option<&'a DeTable<'a>> {
    parent.get(key)?.get_ref().as_table()
}

fn word<'a>(parent: &'a DeTable<'_>, key: &str) -> Option<&'a str> {
    parent.get(key)?.get_ref().as_str()
}

/// The dependencies of a manifest, also those of one platform: the kind and the package's name.
fn dependencies(manifest: &DeTable<'_>) -> Vec<(&'static str, String)> {
    const KINDS: [&str; 3] = ["dependencies", "build-dependencies", "dev-dependencies"];
    let platforms = table(manifest, "target").into_iter().flat_map(DeTable::values);
    let platforms = platforms.filter_map(|platform| platform.get_ref().as_table());
    let mut found = Vec::new();
    for part in [manifest].into_iter().chain(platforms) {
        for kind in KINDS {
            for (name, value) in table(part, kind).into_iter().flatten() {
                let package = value.get_ref().as_table().and_then(|value| word(value, "package"));
                found.push((kind, package.unwrap_or(name.get_ref()).to_owned()));
            }
        }
    }
    found
}

#[test]
fn a_dependency_on_what_is_above_is_found() {
    let look = |text: &str| {
        let mut seen = Seen::default();
        seen.look(text);
        (seen.own, seen.faults.len())
    };
    let engine = "[package]\nname = 'elbowroom'\n";
    let judge = "[package]\nname = 'elbowroom-testkit'\n";
    for (manifest, own, faults) in [
        (format!("{engine}[dependencies]\nglam = '1'"), 0, 0),
        (format!("{engine}[dependencies]\nelbowroom-motion = '1'"), 1, 1),
        (format!("{engine}[build-dependencies]\nm = {{ package = 'elbowroom-motion' }}"), 1, 1),
        (format!("{engine}[target.x.dependencies]\nelbowroom-motion.workspace = true"), 1, 1),
        (format!("{engine}[dev-dependencies]\nelbowroom-make.workspace = true"), 1, 0),
        (format!("{judge}[dev-dependencies]\nelbowroom.workspace = true"), 1, 1),
        ("[package]\nname = 'elbowroom-shed'".to_owned(), 0, 1),
    ] {
        assert_eq!(look(&manifest), (own, faults), "{manifest}");
    }
}
