//! Numbers for people: three digits that matter, commas between thousands, powers of ten.

/// Three digits; fewer if the number has no more, more before the point.
pub(crate) fn figure(x: f64) -> String {
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
    // Rounded first, so that 9.999 is 10 and not 10.00.
    let text = format!("{x:.2e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let rounded: f64 = text.parse().unwrap_or(x);
    match exponent.parse().unwrap_or(0) {
        _ if x == 0.0 => "0".to_owned(),
        3..=6 => grouped(&format!("{x:.0}")),
        // What was given with fewer digits, such as 0.3, has no more.
        -3..=2 if rounded == x => grouped(&format!("{x}")),
        exponent @ -3..=2 => {
            let decimals = usize::try_from(2 - exponent).unwrap_or(0);
            grouped(&format!("{rounded:.decimals$}"))
        }
        exponent => power(digits.parse().unwrap_or(rounded), exponent),
    }
}

/// `3 × 10⁻⁴`.
pub(super) fn power(factor: f64, exponent: i32) -> String {
    let sign = if factor < 0.0 { "−" } else { "" };
    let size = factor.abs();
    let times = if size == 1.0 { String::new() } else { format!("{size} × ") };
    format!("{sign}{times}10{}", exponent.to_string().chars().map(raised).collect::<String>())
}

fn raised(digit: char) -> char {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    digit.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize])
}

/// The digits of a number with commas between thousands and a true minus.
pub(super) fn grouped(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("−", digits));
    let whole = digits.find('.').unwrap_or(digits.len());
    let mut out = sign.to_owned();
    for (i, digit) in digits.char_indices() {
        if i > 0 && i < whole && (whole - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
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
        let given = [0.25, 1234.6, 1.05e6, 3e-4, -2.5, 100.0, 1e6, 1e7, -0.0, -1234.5];
        let said = [
            "0.25",
            "1,235",
            "1,050,000",
            "3 × 10⁻⁴",
            "−2.5",
            "100",
            "1,000,000",
            "10⁷",
            "0",
            "−1,234",
        ];
        assert_eq!(given.map(figure), said);
    }
}
