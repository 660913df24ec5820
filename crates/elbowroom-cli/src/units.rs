//! What a caller may say about the files: how long their unit is, which way is up, how far they may reach.

use elbowroom_io::{Axis, ReadOptions, limits};

/// The switches of every command that reads files.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "About the files")]
pub(crate) struct ReadArgs {
    /// How long a unit of the files is: m, cm, mm, km, in, ft, or a number of metres
    #[arg(long, value_name = "UNIT", value_parser = parse_units)]
    pub(crate) units: Option<f64>,

    /// Which axis of the files points up: x, y or z
    #[arg(long, value_name = "AXIS", value_parser = parse_axis)]
    pub(crate) up: Option<Axis>,

    /// Let a file name others outside its own folder
    #[arg(long)]
    pub(crate) allow_outside: bool,

    /// The most memory that one file may become once decompressed and decoded: 512MiB, 4GiB
    ///
    /// Otherwise a compressed file may decompress to 1 GiB, and beyond 64 MiB to no more than 100 times its size; decoded
    /// data may take 2 GiB. docs/limits.md lists all limits.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_size: Option<u64>,
}

impl ReadArgs {
    /// For the readers.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            units: self.units,
            up: self.up,
            allow_outside: self.allow_outside,
            max_decompressed_bytes: self.max_size,
            max_decoded_bytes: self.max_size.unwrap_or(limits::DECODED_BYTES),
            ..ReadOptions::default()
        }
    }
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
    let known = match text.to_ascii_lowercase().as_str() {
        "m" => Some(1.0),
        "cm" => Some(0.01),
        "mm" => Some(0.001),
        "km" => Some(1000.0),
        "in" => Some(0.0254),
        "ft" => Some(0.3048),
        other => other.parse().ok().filter(|metres: &f64| metres.is_finite() && *metres > 0.0),
    };
    known.ok_or_else(|| "say m, cm, mm, km, in, ft, or metres in a unit, like 0.01".to_owned())
}

/// A length in metres: a number, and the unit where it is not metres.
pub(crate) fn parse_length(text: &str) -> Result<f64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    // The e of 1e-3 is followed by digits, so that no unit begins within a number.
    let (number, unit) = text.split_at(digits.len());
    let unit = if unit.is_empty() { Ok(1.0) } else { parse_units(unit) };
    let length = number.trim().parse().ok().zip(unit.ok()).map(|(n, unit): (f64, f64)| n * unit);
    let length = length.filter(|metres| metres.is_finite() && *metres >= 0.0);
    length.ok_or_else(|| "say a length, such as 2cm or 0.02 (metres)".to_owned())
}

pub(crate) fn parse_axis(text: &str) -> Result<Axis, String> {
    match text.to_ascii_lowercase().as_str() {
        "x" => Ok(Axis::X),
        "y" => Ok(Axis::Y),
        "z" => Ok(Axis::Z),
        _ => Err("say x, y or z".to_owned()),
    }
}

/// Frames in a second.
pub(crate) fn parse_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|fps: &f64| fps.is_finite() && *fps > 0.0);
    rate.ok_or_else(|| "say frames a second, like 30 or 23.976".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_names_and_numbers() {
        let given = ["cm", "MM", "in", "0.5", "ft"].map(|text| parse_units(text).unwrap());
        assert_eq!(given, [0.01, 0.001, 0.0254, 0.5, 0.3048]);
        for bad in ["", "0", "-1", "nan", "inf", "yard"] {
            assert!(parse_units(bad).is_err(), "{bad}");
        }
        let lengths =
            ["2cm", "0.02", "1e-3", "5 mm", "0", "1E3m"].map(|t| parse_length(t).unwrap());
        assert_eq!(lengths, [0.02, 0.02, 1e-3, 0.005, 0.0, 1000.0]);
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
    }
}
