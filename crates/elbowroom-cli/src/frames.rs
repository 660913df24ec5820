//! Which frames are meant: `40`, `10-50`, `10-50x5`.

/// A range of frames, every n-th of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frames {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) step: u32,
}

impl Frames {
    /// Every frame of a range.
    pub(crate) fn all(first: u32, last: u32) -> Self {
        Self { first, last, step: 1 }
    }

    /// How many there are.
    pub(crate) fn len(self) -> usize {
        ((self.last - self.first) / self.step) as usize + 1
    }

    /// The first, the last that is meant, and every how many.
    pub(crate) fn range(self) -> [u32; 3] {
        [self.first, self.first + (self.len() as u32 - 1) * self.step, self.step]
    }

    /// The first that is examined at a time, in frames, or after it.
    pub(crate) fn at_or_after(self, frame: f64) -> usize {
        let steps = ((frame - f64::from(self.first)) / f64::from(self.step)).ceil().max(0.0);
        #[expect(clippy::cast_sign_loss, reason = "it is not below 0")]
        let place = (steps as usize).min(self.len() - 1);
        self.first as usize + place * self.step as usize
    }

    /// The frame at a place in the range, if there is one.
    pub(crate) fn get(self, place: usize) -> Option<u32> {
        (place < self.len()).then(|| self.first + place as u32 * self.step)
    }
}

/// Reads a range as it is typed.
pub(crate) fn parse(text: &str) -> Result<Frames, String> {
    let said = || {
        let (range, step) = match text.split_once('x') {
            Some((range, step)) => (range, step.parse().ok()?),
            None => (text, 1),
        };
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        (first <= last && last < u32::MAX && step > 0).then_some(Frames { first, last, step })
    };
    said().ok_or_else(|| {
        "give a frame (40), a range (10-50) or every fifth of a range (10-50x5)".into()
    })
}

/// Reads a frame rate.
pub(crate) fn parse_fps(text: &str) -> Result<f64, String> {
    let fps = text.parse().ok().filter(|fps: &f64| (1e-3..=1e5).contains(fps));
    fps.ok_or_else(|| "give frames per second, such as 24 or 29.97".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let frames = |text| {
            parse(text)
                .map(|range| (0..=range.len()).filter_map(|i| range.get(i)).collect::<Vec<_>>())
        };
        assert_eq!(frames("4"), Ok(vec![4]));
        assert_eq!(frames("2-4"), Ok(vec![2, 3, 4]));
        assert_eq!(frames("2-9x3"), Ok(vec![2, 5, 8]));
        for bad in ["", "-", "4-2", "1-2x0", "1-", "a", "-3", "1-4294967295", "1x"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_fps("29.97"), Ok(29.97));
        for bad in ["", "0", "-1", "nan", "inf", "1e9"] {
            assert!(parse_fps(bad).is_err(), "{bad}");
        }
    }
}
