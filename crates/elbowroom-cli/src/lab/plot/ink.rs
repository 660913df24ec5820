//! Colours, and how what the paper prints differs from what was measured.
//!
//! The palette is one of middle brightness: every colour has a contrast above 3 with white and with
//! a dark page, and they differ for eyes that do not tell red from green. Markers differ in shape
//! as well.

use std::fmt::Write;

use elbowroom_lab::Whose;

use crate::output::picture::Svg;

/// Of data, in the order of use.
const PALETTE: [u32; 12] = [
    0x1F_7F_C4, 0xD9_6A_0B, 0x12_94_6A, 0xC2_55_9A, 0x8A_6A_D6, 0x9A_80_10, 0x1A_8F_A3, 0xC9_50_50,
    0x6F_8F_3A, 0x5C_74_9E, 0xA8_6E_4A, 0x80_80_80,
];

/// What all charts have besides the classes of their series.
const STYLE: &str = "\
.paper{fill:none}
.label{font-size:11.5px}.value{font-size:9.5px}
.pale{fill-opacity:.35}.cell{fill-opacity:.35;stroke:none}
.median{stroke:#111827;stroke-width:2;fill:none}
@media(prefers-color-scheme:dark){.median{stroke:#f3f4f6}}
";

/// How a series is drawn. Its class is that of areas; `{class}-line` is that of lines, and
/// `{class}-mark` that of markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink {
    /// The place in the palette, and its marker.
    pub(super) place: u8,
    pub(super) whose: Whose,
}

impl Ink {
    /// One for each series: those of one name, ours and the paper's, have one colour.
    pub(super) fn of<'a>(series: impl Iterator<Item = (&'a str, Whose)>) -> Vec<Self> {
        let mut names: Vec<&str> = Vec::new();
        let place = |(name, whose)| {
            let known = names.iter().position(|known| *known == name);
            let place = known.unwrap_or(names.len());
            if known.is_none() {
                names.push(name);
            }
            Self { place: (place % PALETTE.len()) as u8, whose }
        };
        series.map(place).collect()
    }

    pub(super) fn class(self) -> String {
        let whose = if self.whose == Whose::Ours { 's' } else { 'p' };
        format!("{whose}{}", self.place)
    }

    fn colour(self) -> String {
        format!("#{:06X}", PALETTE[usize::from(self.place)])
    }

    /// Rules of its classes: the paper's areas are hatched, its lines dashed, its markers hollow.
    fn rules(self, style: &mut String) {
        let (class, colour) = (self.class(), self.colour());
        let hatch = format!("url(#hatch-{})", self.place);
        let (area, dashes, mark) = match self.whose {
            Whose::Ours => (colour.as_str(), "", colour.as_str()),
            Whose::Paper => (hatch.as_str(), ";stroke-dasharray:6 4", "none"),
        };
        let _ = writeln!(
            style,
            ".{class}{{fill:{area};stroke:{colour}}}.{class}-line{{fill:none;stroke:{colour};\
             stroke-width:2;stroke-linejoin:round{dashes}}}.{class}-mark{{fill:{mark};\
             stroke:{colour};stroke-width:1.3}}"
        );
    }
}

/// An empty picture in which these series can be drawn.
pub(super) fn svg(inks: &[Ink]) -> Svg {
    let mut style = String::new();
    let mut used: Vec<Ink> = Vec::new();
    for ink in inks {
        if !used.contains(ink) {
            ink.rules(&mut style);
            used.push(*ink);
        }
    }
    let mut svg = Svg::new(style + STYLE);
    for ink in used.iter().filter(|ink| ink.whose == Whose::Paper) {
        svg.hatch(&format!("hatch-{}", ink.place), &ink.colour());
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast of the guidelines for pages that all can read (WCAG 2).
    fn contrast(a: u32, b: u32) -> f64 {
        let bright = |colour: u32| {
            let linear = |shift: u32| {
                let c = f64::from(colour >> shift & 0xFF) / 255.0;
                if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0) + 0.05
        };
        let (a, b) = (bright(a), bright(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn colours_are_seen_by_day_and_night() {
        for colour in PALETTE {
            for ground in [0xFF_FF_FF, 0x0D_11_17] {
                let contrast = contrast(colour, ground);
                assert!(contrast > 3.0, "{colour:06X} on {ground:06X}: {contrast}");
            }
        }
    }

    #[test]
    fn one_name_one_colour() {
        let series = [("a", Whose::Ours), ("b", Whose::Ours), ("a", Whose::Paper)];
        let inks = Ink::of(series.into_iter());
        assert_eq!(inks.iter().map(|ink| ink.place).collect::<Vec<_>>(), [0, 1, 0]);
        assert_eq!([inks[0], inks[2]].map(Ink::class), ["s0", "p0"]);
        assert_eq!(inks[0].colour(), inks[2].colour());
        let picture = svg(&inks).finish(1.0, 1.0, "");
        assert!(picture.contains(".p0{fill:url(#hatch-0)") && picture.contains("stroke-dasharray"));
        assert_eq!(picture.matches("<pattern id=\"hatch-0\"").count(), 1);
    }
}
