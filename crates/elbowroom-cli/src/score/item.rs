//! What is scored: clips, each with the files of its bodies.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::ScoreArgs;
use super::pattern;
use crate::messages::Refusal;

/// One clip, or several in one file.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) name: String,
    pub(super) files: Vec<PathBuf>,
    /// Why it cannot be scored, where that is known before its files are read.
    pub(super) problem: Option<String>,
}

impl Item {
    pub(super) fn new(name: &dyn Display, files: Vec<PathBuf>) -> Self {
        Self { name: name.to_string(), files, problem: None }
    }
}

/// All that the command line names, in order.
pub(super) fn items(args: &ScoreArgs) -> Result<Vec<Item>, Refusal> {
    let mut items = Vec::new();
    let mut problems = Vec::new();
    for pattern in &args.patterns {
        let found = pattern::items(pattern).and_then(|found| match found.len() {
            0 => Err(format!("{pattern}: no file fits this pattern")),
            _ => Ok(found),
        });
        match found {
            Ok(found) => items.extend(found),
            Err(problem) => problems.push(problem),
        }
    }
    if let Some(path) = &args.pairs {
        match listed(path) {
            Ok(listed) => items.extend(listed),
            Err(problem) => problems.push(format!("{}: {problem}", path.display())),
        }
    }
    if problems.is_empty() {
        return Ok(items);
    }
    let hint = "check the names; quote a pattern, so that the shell does not expand it";
    Err(Refusal { problems, hint: hint.to_owned() })
}

/// The clips of a table of paths: a column for each body, and perhaps `clip` with a name.
fn listed(path: &Path) -> Result<Vec<Item>, String> {
    elbowroom_io::opened::note(path);
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot be read: {error}"))?;
    let mut lines =
        text.trim_start_matches('\u{feff}').lines().filter(|line| !line.trim().is_empty());
    let head = fields(lines.next().ok_or("is empty; give a line with the names of columns")?);
    let name_at = head.iter().position(|name| name == "clip");
    if head.len() < 1 + usize::from(name_at.is_some()) {
        return Err("has no column of paths; name columns such as clip,a,b".to_owned());
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut items = Vec::new();
    for (line, number) in lines.zip(2..) {
        let row = fields(line);
        if row.len() != head.len() {
            let (found, expected) = (row.len(), head.len());
            return Err(format!("line {number} has {found} fields and the first line {expected}"));
        }
        let paths =
            row.iter().enumerate().filter(|&(at, field)| Some(at) != name_at && !field.is_empty());
        let files: Vec<PathBuf> = paths.map(|(_, field)| folder.join(field)).collect();
        let name = name_at.map_or_else(|| files_named(&files), |at| row[at].clone());
        items.push(Item::new(&name, files));
    }
    Ok(items)
}

fn files_named(files: &[PathBuf]) -> String {
    files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
}

/// The fields of a line of comma-separated values.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    fields.push(field);
    fields.iter().map(|field| field.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_may_be_quoted() {
        assert_eq!(fields("a,\"b,c\", d"), ["a", "b,c", "d"]);
        assert_eq!(fields("\"x \"\"y\"\"\",,"), ["x \"y\"", "", ""]);
    }
}
