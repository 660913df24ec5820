//! The unit of a check's lengths: in results, on the command line, and in tables for people.
//!
//! One rule for all of it. Results are in the unit that is asked for: `--report-unit`, else the
//! unit that the command line names for its files (`--units mm`, `part.stl@mm`), else metres. A
//! bare length on the command line is in the same unit. Where no file states a unit and none is
//! given, it is unknown: results have the numbers of the files, and `unit` is null.
//!
//! Metres, and not a unit that all files happen to share, because a bare clearance must not shrink
//! a hundredfold when the only file in metres is left out.

use elbowroom_io::{FileFacts, Source, unit_name};
use glam::DVec3;

use crate::args::CheckArgs;
use crate::messages::Refusal;
use crate::units::Length;

/// The text for an unknown unit.
pub(crate) const UNKNOWN: &str = "the files do not state their unit and none was given, so lengths are in the unknown unit of the files";

/// The unit of results, and that of the scene that is examined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    /// Metres in a unit of the results; `None` if it is unknown.
    metres: Option<f64>,
    /// Metres in a unit of the scene; 1 if it is unknown.
    scene: f64,
    /// Whether the unit was asked for, so that people are shown no other without need.
    is_asked: bool,
}

impl Unit {
    /// Metres for everything.
    #[cfg(test)]
    pub(crate) const METRES: Self = Self { metres: Some(1.0), scene: 1.0, is_asked: false };

    /// Of results that are written already.
    pub(crate) fn of_results(metres: Option<f64>) -> Self {
        Self { metres, scene: metres.unwrap_or(1.0), is_asked: false }
    }

    /// Of plain meshes that are all in one unit, which is examined as it is.
    ///
    /// # Errors
    /// If results are asked for in a unit, and that of the files is not known.
    pub(crate) fn of_plain(args: &CheckArgs, file: &FileFacts) -> Result<Self, Refusal> {
        let is_known = file.units.source != Source::Assumed;
        Self::new(args, is_known.then_some(file.units.metres_per_unit))
    }

    /// Of a shot, which is in metres unless the unit is unknown.
    ///
    /// # Errors
    /// If results are asked for in a unit, and that of no file is known.
    pub(crate) fn of_shot(args: &CheckArgs, files: &[FileFacts]) -> Result<Self, Refusal> {
        let unknown = |file: &FileFacts| {
            file.units.source == Source::Assumed && file.units.metres_per_unit == 1.0
        };
        let is_known = files.is_empty() || !files.iter().all(unknown);
        Self::new(args, is_known.then_some(1.0))
    }

    fn new(args: &CheckArgs, scene: Option<f64>) -> Result<Self, Refusal> {
        let asked = args.report_unit.or(args.read.named_unit());
        if let (Some(asked), None) = (asked, scene) {
            let unit = unit_name(asked);
            return Err(Refusal {
                problems: vec![format!(
                    "--report-unit {unit}: the files do not state their unit, so lengths cannot be changed to it"
                )],
                hint: format!("give the unit of the files with --units, such as --units {unit}"),
            });
        }
        let metres = scene.map(|_| asked.unwrap_or(1.0));
        Ok(Self { metres, scene: scene.unwrap_or(1.0), is_asked: asked.is_some() })
    }

    /// What the unit of the results is called; `None` if it is unknown.
    pub(crate) fn name(&self) -> Option<String> {
        self.metres.map(|metres| unit_name(metres).into_owned())
    }

    /// Metres in a unit of the results.
    pub(crate) fn metres(&self) -> Option<f64> {
        self.metres
    }

    /// What the unit of the scene is called, in which a page draws.
    pub(crate) fn scene_name(&self) -> Option<String> {
        self.metres.map(|_| unit_name(self.scene).into_owned())
    }

    /// Metres in a unit of the scene.
    pub(crate) fn scene_metres(&self) -> Option<f64> {
        self.metres.map(|_| self.scene)
    }

    /// How many units of the results a unit of the scene is.
    pub(crate) fn factor(&self) -> f64 {
        match self.metres {
            Some(metres) if metres != self.scene => self.scene / metres,
            _ => 1.0,
        }
    }

    /// From the scene's unit to that of the results.
    pub(crate) fn reported(&self, length: f64) -> f64 {
        length * self.factor()
    }

    /// From the unit of the results back to the scene's.
    pub(crate) fn in_scene(&self, length: f64) -> f64 {
        let factor = self.factor();
        if factor == 1.0 { length } else { length / factor }
    }

    /// A length of the command line, in the scene's unit.
    pub(crate) fn given(&self, length: Length) -> f64 {
        let unit = length.unit.or(self.metres).unwrap_or(self.scene);
        let ratio = if unit == self.scene { 1.0 } else { unit / self.scene };
        (length.number * ratio).min(f64::MAX)
    }

    /// How to show lengths (power 1), areas (2) or volumes (3) of results, of which this is the
    /// largest.
    pub(crate) fn scale(&self, largest: f64, power: i32) -> Scale {
        let Some(metres) = self.metres else {
            return Scale { unit: String::new(), factor: 1.0, decimals: None };
        };
        let metric = ["m", "cm", "mm", "km"].contains(&&*unit_name(metres));
        let long = largest.abs().powf(1.0 / f64::from(power));
        let fits = self.is_asked && (0.01..1e5).contains(&long);
        let shown =
            if largest == 0.0 || !metric || fits { metres } else { readable(long * metres) };
        let factor = (metres / shown).powi(power);
        let mark = ["", "", "²", "³"][power.clamp(0, 3).unsigned_abs() as usize];
        let name = if shown == MICRON { "µm".into() } else { unit_name(shown) };
        let size = (largest * factor).abs();
        let magnitude = if size > 0.0 { size.log10().floor() as i32 } else { 0 };
        Scale {
            unit: format!("{name}{mark}"),
            factor,
            decimals: Some((2 - magnitude).clamp(0, 6).unsigned_abs() as usize),
        }
    }

    /// A length of the results, for people: `0.3 mm`.
    pub(crate) fn text(&self, length: f64) -> String {
        let scale = self.scale(length, 1);
        let number = scale.number(length);
        let number = if number.contains('.') {
            number.trim_end_matches('0').trim_end_matches('.')
        } else {
            &number
        };
        if scale.unit.is_empty() { number.to_owned() } else { format!("{number} {}", scale.unit) }
    }
}

const MICRON: f64 = 1e-6;

/// The unit in which people read a length of this many metres.
fn readable(metres: f64) -> f64 {
    match metres {
        _ if metres >= 1.0 => 1.0,
        _ if metres >= 0.01 => 0.01,
        _ if metres >= 1e-5 => 0.001,
        _ => MICRON,
    }
}

/// How a column of numbers is shown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    /// Empty if it is unknown.
    pub(crate) unit: String,
    factor: f64,
    /// As many as it takes where the unit is not known.
    decimals: Option<usize>,
}

impl Scale {
    /// What is above a column: `depth (mm)`.
    pub(crate) fn head(&self, name: &str) -> String {
        if self.unit.is_empty() { name.to_owned() } else { format!("{name} ({})", self.unit) }
    }

    pub(crate) fn number(&self, value: f64) -> String {
        let Some(decimals) = self.decimals.filter(|_| value != 0.0) else {
            return crate::messages::short(value);
        };
        let shown = value * self.factor;
        let text = format!("{shown:.decimals$}");
        // What is not nothing is not shown as nothing.
        if text.bytes().all(|byte| matches!(byte, b'0' | b'.' | b'-')) {
            let least = format!("{:.decimals$}", 0.1_f64.powf(decimals as f64));
            return if value > 0.0 { format!("<{least}") } else { format!(">-{least}") };
        }
        text
    }
}

/// The numbers of a point for people; those that are nothing beside the others are 0.
pub(crate) fn point(unit: &Unit, point: DVec3) -> String {
    let largest = point.abs().max_element();
    let text = |value: f64| {
        let value = if value.abs() <= 1e-12 * largest { 0.0 } else { value };
        match unit.metres {
            // A ten-thousandth of any unit that people choose is small.
            Some(_) if value.abs() < 1e6 => {
                let text = format!("{value:.4}");
                let text = text.trim_end_matches('0').trim_end_matches('.');
                if text == "-0" { "0".to_owned() } else { text.to_owned() }
            }
            _ => crate::messages::short(value),
        }
    };
    point.to_array().map(text).join(" ")
}

/// Refuses a length with a unit beside files without one, because the two cannot be compared.
///
/// # Errors
/// If there are such files.
pub(crate) fn check_length(flag: &str, length: Length, files: &[FileFacts]) -> Result<(), Refusal> {
    let Some(unit) = length.unit else { return Ok(()) };
    let mut unknown = files.iter().filter(|file| file.units.source == Source::Assumed);
    let Some(first) = unknown.next() else { return Ok(()) };
    let more = match unknown.count() {
        0 => String::new(),
        more => format!(" (nor do {more} more)"),
    };
    let (path, unit, number) = (first.path.display(), unit_name(unit), length.number);
    Err(Refusal {
        problems: vec![format!(
            "{flag} {number}{unit}: {path} does not state its unit{more}, so {number} {unit} cannot be converted to its numbers"
        )],
        hint: format!(
            "give the unit of such files with --units, as --units {unit}, or of one, as {path}@{unit}; a bare number is in the unit of the results"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(metres: f64, scene: f64, is_asked: bool) -> Unit {
        Unit { metres: Some(metres), scene, is_asked }
    }

    #[test]
    fn lengths_are_shown_as_people_read_them() {
        let given = [2.996e-4, 0.02, 1.5, 0.0, 4e-7, 0.5, 1234.5];
        let said = given.map(|length| Unit::METRES.text(length));
        assert_eq!(said, ["0.3 mm", "2 cm", "1.5 m", "0 m", "0.4 µm", "50 cm", "1234 m"]);
        let mm = unit(0.001, 0.001, true);
        assert_eq!(
            [0.3, 1500.0, 5e-4].map(|length| mm.text(length)),
            ["0.3 mm", "1500 mm", "0.5 µm"]
        );
        assert_eq!(unit(0.0254, 1.0, true).text(2.5), "2.5 in");
        let unknown = Unit { metres: None, scene: 1.0, is_asked: false };
        assert_eq!([0.5, 5e-4].map(|length| unknown.text(length)), ["0.5", "5.000e-4"]);
    }

    #[test]
    fn a_column_has_one_unit() {
        let scale = Unit::METRES.scale(0.0123, 1);
        assert_eq!(scale.head("depth"), "depth (cm)");
        let shown = [0.0123, 0.001, 0.0, 1e-9].map(|value| scale.number(value));
        assert_eq!(shown, ["1.23", "0.10", "0", "<0.01"]);
        let volume = Unit::METRES.scale(8e-9, 3);
        assert_eq!(
            (volume.head("volume"), volume.number(8e-9)),
            ("volume (mm³)".into(), "8.00".into())
        );
    }

    #[test]
    fn lengths_go_there_and_back() {
        let inch = unit(0.001, 0.0254, true);
        assert_eq!(inch.reported(2.0), 50.8);
        assert_eq!(inch.in_scene(50.8), 2.0);
        let bare = Length { number: 25.4, unit: None };
        assert!((inch.given(bare) - 1.0).abs() < 1e-15);
        assert_eq!(inch.given(Length { number: 1.5, unit: Some(0.0254) }), 1.5);
        let same = unit(0.001, 0.001, true);
        assert_eq!([same.reported(0.1), same.given(Length { number: 0.1, unit: None })], [0.1; 2]);
    }

    #[test]
    fn what_is_nothing_beside_the_rest_of_a_point_is_zero() {
        let at = DVec3::new(4.353e-15, 1.25, -0.5);
        assert_eq!(point(&Unit::METRES, at), "0 1.25 -0.5");
        let unknown = Unit { metres: None, scene: 1.0, is_asked: false };
        assert_eq!(point(&unknown, at), "0 1.25 -0.5");
    }
}
