//! Numbers for people: three digits that matter, commas between thousands, powers of ten as they are printed.

use elbowroom_lab::Cell;

use crate::messages::grouped;

/// What stands in a cell.
pub(super) fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(n) => grouped(*n),
        Cell::Number(x) => figure(*x),
        Cell::Missing => "–".to_owned(),
    }
}

/// Three digits; fewer if the number has no more, more in front of the point.
pub(super) fn figure(x: f64) -> String {
    if !x.is_finite() {
        return if x.is_nan() {
            "–"
        } else if x > 0.0 {
            "∞"
        } else {
            "−∞"
        }
        .to_owned();
    }
    let sign = if x < 0.0 { "−" } else { "" };
    let size = x.abs();
    // Rounded first, so that 9.999 is 10 and not 10.00.
    let rounded = format!("{size:.2e}");
    let (digits, power) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let text = match power {
        _ if size == 0.0 => "0".to_owned(),
        3..=6 => {
            #[expect(clippy::cast_sign_loss, reason = "a size is not below 0")]
            let whole = size.round() as u64;
            grouped(whole)
        }
        -3..=2 => {
            let decimals = usize::try_from(2 - power).unwrap_or(0);
            let rounded: f64 = rounded.parse().unwrap_or(size);
            // What was given with fewer digits, such as 0.3, has no more.
            if rounded == size { format!("{size}") } else { format!("{rounded:.decimals$}") }
        }
        _ => {
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            let times = if digits == "1" { String::new() } else { format!("{digits} × ") };
            format!("{times}10{}", raised(power))
        }
    };
    format!("{sign}{text}")
}

fn raised(power: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |c: char| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    power.to_string().chars().map(digit).collect()
}

/// A stretch of time in words.
pub(super) fn duration(secs: f64) -> String {
    if secs < 90.0 { format!("{} s", figure(secs)) } else { format!("{} min", figure(secs / 60.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_matter() {
        let given =
            [0.0, 1.0, 12.345, 9.999, 0.3, 0.012_34, 999.6, 31_157.4, 1e-5, 3e-5, 2.468e8, -3.25];
        let said = [
            "0",
            "1",
            "12.3",
            "10.0",
            "0.3",
            "0.0123",
            "1,000",
            "31,157",
            "10⁻⁵",
            "3 × 10⁻⁵",
            "2.47 × 10⁸",
            "−3.25",
        ];
        assert_eq!(given.map(figure), said);
        assert_eq!([f64::NAN, f64::INFINITY, -1e-9].map(figure), ["–", "∞", "−10⁻⁹"]);
        assert_eq!(
            [duration(0.02), duration(75.2), duration(150.0)],
            ["0.02 s", "75.2 s", "2.5 min"]
        );
    }
}
