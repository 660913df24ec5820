//! Units of length by their names, in one place for the program, scene files and messages.

use std::borrow::Cow;

/// The units that have a name, and how many metres they are.
const NAMED: [(&str, f64); 6] =
    [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("km", 1000.0), ("in", 0.0254), ("ft", 0.3048)];

/// How far two values of one unit may be apart, as a share: files hold units as f32 or rounded
/// text.
const ROUNDING: f64 = 1e-6;

/// Metres in a unit: `m`, `cm`, `mm`, `km`, `in`, `ft` in small or large letters, or a number of
/// metres above zero. `None` for any other text.
pub fn parse_unit(text: &str) -> Option<f64> {
    let named = NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
    let number = || text.parse().ok().filter(|metres: &f64| metres.is_finite() && *metres > 0.0);
    named.map(|(_, metres)| *metres).or_else(number)
}

/// The name of a unit, given its length in metres: `mm`, or `0.05 m` if it has no name.
pub fn unit_name(metres: f64) -> Cow<'static, str> {
    match NAMED.iter().find(|(_, known)| is_same_unit(*known, metres)) {
        Some((name, _)) => Cow::Borrowed(name),
        None => Cow::Owned(format!("{metres} m")),
    }
}

/// Whether two units are the same but for rounding.
pub fn is_same_unit(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_names_and_numbers() {
        let given = ["cm", "MM", "in", "0.5", "ft"].map(parse_unit);
        assert_eq!(given, [0.01, 0.001, 0.0254, 0.5, 0.3048].map(Some));
        for bad in ["", "0", "-1", "nan", "inf", "yard"] {
            assert_eq!(parse_unit(bad), None, "{bad}");
        }
        let names = [1.0, 0.001, f64::from(0.0254_f32), 0.05].map(unit_name);
        assert_eq!(names, ["m", "mm", "in", "0.05 m"]);
    }
}
