//! What a caller gives about files: how long their unit is, which way is up, how far they may
//! reach; and lengths.
//!
//! `--units` and `--up` hold for files that do not state theirs, and never overrule one that does.
//! `part.stl@mm` gives the unit of one file, `part.stl@mm,z` its up axis as well; a file that is
//! really called so is opened as such.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use elbowroom_io::{
    Axis, FileFacts, FileOptions, ReadOptions, Source, is_same_unit, limits, parse_unit, unit_name,
};

use crate::messages::Refusal;
use crate::terminal;

/// The switches of every command that reads files.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Input files")]
pub(crate) struct ReadArgs {
    /// Unit of files that do not state theirs: m, cm, mm, km, in, ft, or a number of metres
    ///
    /// glTF, FBX, 3MF, URDF and MJCF state theirs, and are never overruled. FILE@mm gives the unit
    /// of one file.
    #[arg(long, value_name = "UNIT", value_parser = parse_units)]
    pub(crate) units: Option<f64>,

    /// Up axis of files that do not state theirs: x, y or z
    ///
    /// FILE@z gives the axis of one file, FILE@mm,z unit and axis.
    #[arg(long, value_name = "AXIS", value_parser = parse_axis)]
    pub(crate) up: Option<Axis>,

    /// Allow a file to refer to files outside its own folder
    #[arg(long)]
    pub(crate) allow_outside: bool,

    /// Folder with packages that a URDF names (package://); may be given several times
    ///
    /// Without it, they are looked for in the folder of the file and the four above it.
    #[arg(long, value_name = "DIR")]
    pub(crate) packages: Vec<PathBuf>,

    /// Limit of the memory of one file, decompressed and decoded: 512MiB, 4GiB
    ///
    /// By default a compressed file may decompress to 1 GiB, and beyond 64 MiB to no more than 100
    /// times its size; decoded data may take 2 GiB. docs/limits.md lists all limits.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_size: Option<u64>,

    /// What is given behind the names of single files.
    #[arg(skip)]
    pub(crate) of_files: Vec<FileOptions>,
}

impl ReadArgs {
    /// For the readers.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            units: self.units,
            up: self.up,
            of_files: self.of_files.clone(),
            allow_outside: self.allow_outside,
            packages: self.packages.clone(),
            max_decompressed_bytes: self.max_size,
            max_decoded_bytes: self.max_size.unwrap_or(limits::DECODED_BYTES),
            memory: terminal::memory(),
            ..ReadOptions::default()
        }
    }

    /// Takes units and axes (`part.stl@mm`) off the names of files.
    ///
    /// # Errors
    /// If it is no unit and no axis, or one file is given in two ways.
    pub(crate) fn take<'a>(
        &mut self,
        files: impl IntoIterator<Item = &'a mut PathBuf>,
    ) -> Result<(), Refusal> {
        let mut known: HashMap<PathBuf, Option<FileOptions>> = HashMap::new();
        let mut problems = Vec::new();
        for file in files {
            let given = split(file).unwrap_or_else(|problem| {
                problems.push(problem);
                None
            });
            if let Some(given) = &given {
                file.clone_from(&given.path);
            }
            match known.get(file) {
                Some(before) if *before != given => {
                    let file = file.display();
                    problems.push(format!("{file}: is given twice, and with different units"));
                }
                _ => drop(known.insert(file.clone(), given)),
            }
        }
        if !problems.is_empty() {
            let hint = "after @ write a unit (m, cm, mm, km, in, ft), an up axis (x, y, z) or both, as in part.stl@mm,z";
            return Err(Refusal { problems, hint: hint.to_owned() });
        }
        self.of_files = known.into_values().flatten().collect();
        // The order of a map changes from run to run.
        self.of_files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(())
    }

    /// The one unit that the command line names: of all files, else behind all names that have one.
    pub(crate) fn named_unit(&self) -> Option<f64> {
        let mut behind = self.of_files.iter().filter_map(|given| given.units);
        let first = behind.next().filter(|first| behind.all(|other| is_same_unit(*first, other)));
        self.units.or(first)
    }

    /// Whether files that state nothing are given different units or axes.
    pub(crate) fn differs(&self, files: &[PathBuf]) -> bool {
        let options = self.options();
        let facts = |path: &PathBuf| {
            let facts = options.facts_of(path, Axis::Y);
            (facts.units, facts.up)
        };
        files.windows(2).any(|pair| facts(&pair[0]) != facts(&pair[1]))
    }

    /// A line on which files `--units` and `--up` hold for, where they do not for all.
    ///
    /// # Errors
    /// If they hold for none, because all files state another unit or axis.
    pub(crate) fn heed(&self, files: &[FileFacts]) -> Result<Vec<String>, Refusal> {
        if files.is_empty() && (self.units.is_some() || self.up.is_some()) {
            return Err(Refusal {
                problems: vec!["--units and --up are for files, and none was read".to_owned()],
                hint: "leave them out; `check --report-unit cm` sets the unit of results"
                    .to_owned(),
            });
        }
        let units = self.units.map(|given| {
            let taken = |file: &FileFacts| is_same_unit(file.units.metres_per_unit, given);
            let name = |file: &FileFacts| unit_name(file.units.metres_per_unit).into_owned();
            let source = |file: &FileFacts| file.units.source;
            heeded(&format!("--units {}", unit_name(given)), files, (&source, &taken, &name))
        });
        let up = self.up.map(|given| {
            let taken = |file: &FileFacts| file.up.axis == given;
            let name = |file: &FileFacts| format!("{:?} up", file.up.axis);
            let source = |file: &FileFacts| file.up.source;
            let flag = format!("--up {}", format!("{given:?}").to_lowercase());
            heeded(&flag, files, (&source, &taken, &name))
        });
        let notes = [units.transpose()?, up.transpose()?];
        Ok(notes.into_iter().flatten().flatten().collect())
    }
}

/// Where a fact about a file is known from, whether it is what a flag gives, and what it is.
type Fact<'a> = (
    &'a dyn Fn(&FileFacts) -> Source,
    &'a dyn Fn(&FileFacts) -> bool,
    &'a dyn Fn(&FileFacts) -> String,
);

fn heeded(
    flag: &str,
    files: &[FileFacts],
    (source, taken, name): Fact<'_>,
) -> Result<Option<String>, Refusal> {
    let states = |file: &&FileFacts| source(file) == Source::File && !taken(file);
    let Some(first) = files.iter().find(states) else { return Ok(None) };
    let takers: Vec<String> = files
        .iter()
        .filter(|file| source(file) == Source::Said && taken(file))
        .map(|file| file.path.display().to_string())
        .collect();
    let (path, own) = (first.path.display(), name(first));
    match takers.as_slice() {
        [] => Err(Refusal {
            problems: vec![format!("{path}: states its own ({own}), which {flag} does not overrule")],
            hint: "leave it out; it is only for files that do not state theirs. `check --report-unit mm` sets the unit of results".to_owned(),
        }),
        [only] => Ok(Some(format!("{flag} applies to {only}; {path} states its own ({own})"))),
        several => Ok(Some(format!(
            "{flag} applies to {} files that do not state theirs; {path} states its own ({own})",
            several.len()
        ))),
    }
}

/// A name without what is given behind it; `None` if there is nothing, or a file is called so.
fn split(path: &Path) -> Result<Option<FileOptions>, String> {
    let Some(text) = path.to_str().filter(|text| text.contains('@') && !path.exists()) else {
        return Ok(None);
    };
    for (at, _) in text.match_indices('@').filter(|(at, _)| *at > 0) {
        let (name, behind) = (&text[..at], &text[at + 1..]);
        if let Some((units, up)) = facts(behind) {
            if name.to_lowercase().ends_with(".toml") {
                return Err(format!(
                    "{text}: a scene file gives units and axes itself, in each entry"
                ));
            }
            return Ok(Some(FileOptions { path: name.into(), units, up }));
        }
    }
    match text.rsplit_once('@') {
        Some((name, behind)) if Path::new(name).exists() => {
            Err(format!("{name}: {behind:?} after the @ is neither a unit nor an axis"))
        }
        _ => Ok(None),
    }
}

/// `mm`, `z`, `mm,z` or `mm@z`.
fn facts(text: &str) -> Option<(Option<f64>, Option<Axis>)> {
    let (mut units, mut up) = (None, None);
    for word in text.split([',', '@']) {
        match (parse_axis(word), parse_unit(word)) {
            (Ok(axis), _) if up.is_none() => up = Some(axis),
            (Err(_), Some(metres)) if units.is_none() => units = Some(metres),
            _ => return None,
        }
    }
    Some((units, up))
}

/// A number of bytes: a number, and a unit where it is not bytes.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(digits.len());
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => Some(1.0),
        "kb" => Some(1e3),
        "mb" => Some(1e6),
        "gb" => Some(1e9),
        "tb" => Some(1e12),
        "k" | "kib" => Some(1024.0),
        "m" | "mib" => Some(f64::from(1 << 20)),
        "g" | "gib" => Some(f64::from(1 << 30)),
        "t" | "tib" => Some(1024.0 * f64::from(1 << 30)),
        _ => None,
    };
    let bytes = number.trim().parse().ok().zip(factor).map(|(n, factor): (f64, f64)| n * factor);
    #[expect(clippy::cast_sign_loss, reason = "it is at least 1")]
    let bytes = bytes.filter(|bytes| (1.0..1e18).contains(bytes)).map(|bytes| bytes as u64);
    bytes.ok_or_else(|| "give a size, such as 512MiB or 4GiB".to_owned())
}

/// Metres in a unit.
pub(crate) fn parse_units(text: &str) -> Result<f64, String> {
    parse_unit(text)
        .ok_or_else(|| "give m, cm, mm, km, in, ft, or metres in a unit, such as 0.01".to_owned())
}

/// A length as it is typed: a number, with or without a unit. A bare number is in the unit of the
/// results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Length {
    pub(crate) number: f64,
    /// Metres in its unit.
    pub(crate) unit: Option<f64>,
}

impl Length {
    /// In metres, where results are in metres.
    pub(crate) fn metres(self) -> f64 {
        self.number * self.unit.unwrap_or(1.0)
    }
}

pub(crate) fn parse_length(text: &str) -> Result<Length, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    // The e of 1e-3 is followed by digits, so that no unit begins within a number.
    let (number, unit) = text.split_at(digits.len());
    let unit = if unit.is_empty() { Some(None) } else { parse_unit(unit).map(Some) };
    let number = number.trim().parse().ok();
    let length = number.zip(unit).map(|(number, unit)| Length { number, unit });
    let length = length.filter(|length| length.metres().is_finite() && length.number >= 0.0);
    length
        .ok_or_else(|| "give a length, such as 2cm, or 0.02 in the unit of the results".to_owned())
}

pub(crate) fn parse_axis(text: &str) -> Result<Axis, String> {
    match text.to_ascii_lowercase().as_str() {
        "x" => Ok(Axis::X),
        "y" => Ok(Axis::Y),
        "z" => Ok(Axis::Z),
        _ => Err("give x, y or z".to_owned()),
    }
}

/// Frames in a second.
pub(crate) fn parse_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|fps: &f64| fps.is_finite() && *fps > 0.0);
    rate.ok_or_else(|| "give frames per second, such as 30 or 23.976".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_numbers_with_or_without_a_unit() {
        let lengths =
            ["2cm", "0.02", "1e-3", "5 mm", "0", "1E3m"].map(|t| parse_length(t).unwrap());
        assert_eq!(lengths.map(Length::metres), [0.02, 0.02, 1e-3, 0.005, 0.0, 1000.0]);
        assert_eq!(
            lengths.map(|length| length.unit.is_some()),
            [true, false, false, true, false, true]
        );
        for bad in ["", "cm", "-1", "-2cm", "nan", "inf", "infcm", "1e999", "2 yards", "2cm cm"] {
            assert!(parse_length(bad).is_err(), "{bad}");
        }
        let sizes = ["1", "512MiB", "4GiB", "1.5g", "2 GB"].map(|t| parse_size(t).unwrap());
        assert_eq!(sizes, [1, 512 << 20, 4 << 30, 3 << 29, 2_000_000_000]);
        for bad in ["", "0", "-1", "GiB", "4Gi B", "nan", "1e30", "inf"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_axis("Z"), Ok(Axis::Z));
        assert!(parse_axis("-y").is_err());
        for bad in ["", "0", "-1", "nan", "inf", "yard"] {
            assert!(parse_units(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_lose_what_is_given_behind_them() {
        let given = |name: &str| {
            let given = split(Path::new(name)).unwrap();
            given.map(|given| (given.path.display().to_string(), given.units, given.up))
        };
        let part = |units, up| Some(("no/part.stl".to_owned(), units, up));
        assert_eq!(given("no/part.stl@mm"), part(Some(0.001), None));
        assert_eq!(given("no/part.stl@z"), part(None, Some(Axis::Z)));
        assert_eq!(given("no/part.stl@mm,z"), part(Some(0.001), Some(Axis::Z)));
        assert_eq!(given("no/part.stl@Z@0.0254"), part(Some(0.0254), Some(Axis::Z)));
        let at = Some(("no@home/a.stl".to_owned(), Some(0.01), None));
        assert_eq!(given("no@home/a.stl@cm"), at);
        for plain in ["no/part.stl", "no/part.stl@", "@mm", "no@2x.obj", "a@mm,cm", "a@x,y"] {
            assert_eq!(given(plain), None, "{plain}");
        }
        assert!(split(Path::new("shot.toml@mm")).is_err());
    }

    #[test]
    fn one_file_is_given_in_one_way() {
        let mut files = ["no/a.stl@mm", "no/b.stl", "no/a.stl@mm"].map(PathBuf::from);
        let mut read = ReadArgs::default();
        read.take(&mut files).unwrap();
        assert_eq!(files, ["no/a.stl", "no/b.stl", "no/a.stl"].map(PathBuf::from));
        assert_eq!((read.of_files.len(), read.named_unit()), (1, Some(0.001)));
        assert!(read.differs(&files) && !read.differs(&files[..1]));
        let mut files = ["no/a.stl@mm", "no/a.stl"].map(PathBuf::from);
        assert!(ReadArgs::default().take(&mut files).is_err());
    }
}
