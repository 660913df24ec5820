//! What was measured on and with: processor, compilers, commit.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Serialize;

/// The machine and the tools.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Machine {
    pub(crate) date: String,
    pub(crate) cpu: String,
    /// The widest of the vector instruction sets that matter here.
    pub(crate) vectors: String,
    pub(crate) cores: usize,
    pub(crate) rustc: String,
    pub(crate) cxx: String,
    /// The commit, with a plus if the tree had changes.
    pub(crate) commit: String,
    pub(crate) flags: Vec<String>,
}

impl Machine {
    pub(crate) fn look(root: &Path) -> Self {
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            let line = info.lines().find(|line| line.starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let features = field("flags").unwrap_or_default();
        let has = |feature: &str| features.split(' ').any(|word| word == feature);
        let widest = ["avx512f", "avx2", "avx", "sse2"].into_iter().find(|feature| has(feature));
        let family = [field("cpu family"), field("model\t")].map(Option::unwrap_or_default);
        let name = field("model name").unwrap_or_else(|| "unknown processor".to_owned());
        Self {
            date: said(Command::new("date").arg("-u").arg("+%Y-%m-%d")),
            cpu: format!("{name} (family {}, model {})", family[0], family[1]),
            vectors: widest.unwrap_or("unknown").to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            rustc: said(Command::new("rustc").arg("--version")),
            cxx: said(Command::new("g++").arg("--version")),
            commit: commit(root),
            flags: vec![
                "ours: release, thin LTO, no target-cpu".to_owned(),
                format!("parry: release, fat LTO, {}", crate::rivals::RUST_FLAGS),
                format!("C++: {}", crate::rivals::CXX_FLAGS.join(" ")),
            ],
        }
    }

    /// As part of a file's name.
    pub(crate) fn file_stem(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let words: String = self.cpu.chars().map(plain).collect();
        let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).collect();
        format!("{}-{}", self.date, words.join("-"))
    }
}

/// The first line that a program prints.
fn said(command: &mut Command) -> String {
    let output = command.output().ok().filter(|output| output.status.success());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let line = text.as_deref().and_then(|text| text.lines().next().map(str::to_owned));
    line.unwrap_or_else(|| "unknown".to_owned())
}

fn commit(root: &Path) -> String {
    let git = |arguments: &[&str]| said(Command::new("git").arg("-C").arg(root).args(arguments));
    let id = git(&["rev-parse", "--short=12", "HEAD"]);
    let is_changed = git(&["status", "--porcelain", "--untracked-files=no"]) != "unknown";
    if is_changed { format!("{id}+") } else { id }
}
