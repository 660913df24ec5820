//! The methods that find the contacts of a crowd, and their names.

use elbowroom_motion::crowd::Detail;
use glam::DVec3;

use super::CrowdArgs;
use crate::messages::short;
use crate::units::Length;

/// The disks that crowd programs use.
const USUAL_RADII: [f64; 2] = [0.25, 0.40];
/// What the eye of a camera makes out, radius over distance: a pixel of a picture of 1,000 is about
/// that.
const CAMERA_ANGLE: f64 = 0.002;

/// One way of looking.
#[derive(Clone, Debug)]
pub(super) struct Method {
    pub(super) detail: Detail,
    /// For people: `disk 0.25 m`, `level 3`, `exact`.
    pub(super) name: String,
}

/// A level as it is typed: a number, or `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level(pub(super) Option<u32>);

pub(super) fn parse_level(text: &str) -> Result<Level, String> {
    if text == "all" {
        return Ok(Level(None));
    }
    let level = text.parse().ok().filter(|&level: &u32| level <= 64);
    level
        .map(|level| Level(Some(level)))
        .ok_or_else(|| "give levels, such as 0,3,9 or all".to_owned())
}

pub(super) fn parse_radius(text: &str) -> Result<f64, String> {
    let radius = crate::units::parse_length(text).ok().map(Length::metres);
    let radius = radius.filter(|radius| (1e-3..=10.0).contains(radius));
    radius.ok_or_else(|| "give a radius of 1mm to 10m, such as 30cm, or 0.3 in metres".to_owned())
}

pub(super) fn parse_eye(text: &str) -> Result<DVec3, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if DVec3::new(x, y, z).abs().max_element() <= 1e9 => {
            Ok(DVec3::new(x, y, z))
        }
        _ => Err("give x,y,z in metres, z up, such as 0,-20,8".to_owned()),
    }
}

impl Method {
    /// What is asked for, coarse before fine: disks, levels, a camera, meshes.
    pub(super) fn all(args: &CrowdArgs) -> Vec<Self> {
        let mut radii: Vec<f64> = USUAL_RADII.iter().chain(&args.radii).copied().collect();
        radii.sort_by(f64::total_cmp);
        radii.dedup();
        let mut levels = args.levels.clone();
        // All of them is the finest.
        levels.sort_by_key(|level| level.0.unwrap_or(u32::MAX));
        levels.dedup();
        let disks = radii.into_iter().map(|radius| Self {
            detail: Detail::Disk(radius),
            name: format!("disk {} m", two_digits(radius)),
        });
        let levels = levels.into_iter().map(|Level(level)| Self {
            detail: level.map_or(Detail::Full, Detail::Level),
            name: level.map_or("all levels".to_owned(), |level| format!("level {level}")),
        });
        let camera = args.camera.map(|eye| Self {
            detail: Detail::Camera { eye, angle: CAMERA_ANGLE, exact_within: 0.0 },
            name: "camera".to_owned(),
        });
        let exact =
            (!args.no_exact).then(|| Self { detail: Detail::Exact, name: "exact".to_owned() });
        disks.chain(levels).chain(camera).chain(exact).collect()
    }

    pub(super) fn is_exact(&self) -> bool {
        self.detail == Detail::Exact
    }
}

/// At least two digits behind the point, as radii are written.
fn two_digits(metres: f64) -> String {
    let (text, padded) = (short(metres), format!("{metres:.2}"));
    if text.len() < padded.len() { padded } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed() {
        assert_eq!(parse_level("all"), Ok(Level(None)));
        assert_eq!(parse_level("9"), Ok(Level(Some(9))));
        assert_eq!(["", "-1", "65", "x"].map(|bad| parse_level(bad).is_err()), [true; 4]);
        assert_eq!(parse_radius("30cm"), Ok(0.3));
        assert_eq!(["0", "nan", "-1", "11"].map(|bad| parse_radius(bad).is_err()), [true; 4]);
        assert_eq!(parse_eye("0,-20,8"), Ok(DVec3::new(0.0, -20.0, 8.0)));
        assert_eq!(["", "1,2", "1,2,nan", "1,2,3,4"].map(|bad| parse_eye(bad).is_err()), [true; 4]);
        assert_eq!([0.25, 0.4, 0.325].map(two_digits), ["0.25", "0.40", "0.325"]);
    }
}
