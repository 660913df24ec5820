//! Colours, and how a picture follows the page it is on.
//!
//! The library writes plain colours. Three kinds of them are stand-ins, which are replaced when the picture is whole: that of
//! text and axes takes the colour of the text around it, and the paper's lines and bars are dashed and hatched, for which the library
//! has no word.
//!
//! The palette is one of middle brightness: every colour has a contrast above 3 with white and with a dark page, and
//! they differ for eyes that do not tell red from green. Markers differ in shape as well.

use elbowroom_lab::Whose;
use plotters::style::RGBColor;

/// Of data, in the order of use.
const PALETTE: [RGBColor; 12] = [
    RGBColor(0x1F, 0x7F, 0xC4),
    RGBColor(0xD9, 0x6A, 0x0B),
    RGBColor(0x12, 0x94, 0x6A),
    RGBColor(0xC2, 0x55, 0x9A),
    RGBColor(0x8A, 0x6A, 0xD6),
    RGBColor(0x9A, 0x80, 0x10),
    RGBColor(0x1A, 0x8F, 0xA3),
    RGBColor(0xC9, 0x50, 0x50),
    RGBColor(0x6F, 0x8F, 0x3A),
    RGBColor(0x5C, 0x74, 0x9E),
    RGBColor(0xA8, 0x6E, 0x4A),
    RGBColor(0x80, 0x80, 0x80),
];

/// Text and axes.
pub(super) const TEXT: RGBColor = RGBColor(1, 0, 0);

const DASHED: u8 = 2;
const HATCHED: u8 = 3;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink {
    /// Its place in the palette.
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

    pub(super) fn colour(self) -> RGBColor {
        PALETTE[usize::from(self.place)]
    }

    /// Of a line: the paper's are dashed.
    pub(super) fn line(self) -> RGBColor {
        self.kind(DASHED)
    }

    /// Of an area: the paper's are hatched.
    pub(super) fn area(self) -> RGBColor {
        self.kind(HATCHED)
    }

    fn kind(self, kind: u8) -> RGBColor {
        match self.whose {
            Whose::Ours => self.colour(),
            Whose::Paper => RGBColor(kind, 0, self.place),
        }
    }
}

fn hex(RGBColor(r, g, b): RGBColor) -> String {
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// The picture with what stands for something replaced, and what it then refers to. Text cannot be meant by mistake:
/// quotation marks are escaped in it.
pub(super) fn dressed(mut picture: String) -> (String, String) {
    picture = picture.replace(&quoted(TEXT), "\"currentColor\"");
    let mut patterns = String::new();
    for (place, colour) in (0..).zip(PALETTE) {
        let colour = hex(colour);
        let dashed = quoted(RGBColor(DASHED, 0, place));
        picture = picture.replace(&dashed, &format!("\"{colour}\" stroke-dasharray=\"60 40\""));
        let hatched = quoted(RGBColor(HATCHED, 0, place));
        if picture.contains(&hatched) {
            picture = picture.replace(&hatched, &format!("\"url(#hatch-{place})\""));
            let pattern = format!(
                "<pattern id=\"hatch-{place}\" patternUnits=\"userSpaceOnUse\" width=\"50\" height=\"50\" \
                 patternTransform=\"rotate(45)\"><rect width=\"50\" height=\"50\" fill=\"{colour}\" \
                 opacity=\"0.15\"/><rect width=\"16\" height=\"50\" fill=\"{colour}\"/></pattern>\n"
            );
            patterns.push_str(&pattern);
        }
    }
    (picture, patterns)
}

fn quoted(colour: RGBColor) -> String {
    format!("\"{}\"", hex(colour))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast of the guidelines for pages that all can read (WCAG 2).
    fn contrast(a: RGBColor, b: RGBColor) -> f64 {
        let bright = |RGBColor(r, g, b): RGBColor| {
            let linear = |c: u8| {
                let c = f64::from(c) / 255.0;
                if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05
        };
        let (a, b) = (bright(a), bright(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn colours_are_seen_by_day_and_night() {
        for colour in PALETTE {
            for ground in [RGBColor(255, 255, 255), RGBColor(0x0D, 0x11, 0x17)] {
                let contrast = contrast(colour, ground);
                assert!(contrast > 3.0, "{} on {}: {contrast}", hex(colour), hex(ground));
            }
        }
    }

    #[test]
    fn one_name_one_colour() {
        let series = [("a", Whose::Ours), ("b", Whose::Ours), ("a", Whose::Paper)];
        let inks = Ink::of(series.into_iter());
        assert_eq!(inks.iter().map(|ink| ink.place).collect::<Vec<_>>(), [0, 1, 0]);
        assert_ne!(inks[0].line(), inks[2].line());
        let (picture, patterns) = dressed("<a stroke=\"#020000\" fill=\"#030000\"/>".to_owned());
        assert!(picture.contains("stroke-dasharray") && picture.contains("url(#hatch-0)"));
        assert!(patterns.contains("id=\"hatch-0\""));
    }
}
