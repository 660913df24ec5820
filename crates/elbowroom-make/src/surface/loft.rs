//! A limb: cross-sections strung along an axis.
//!
//! At each key the section is drawn by four half-widths, one for each side, so that a calf may be
//! full behind and flat in front. Between keys every number follows a cubic that never overshoots
//! (Fritsch and Carlson, Monotone piecewise cubic interpolation, 1980). The distance is measured
//! within the section, away from its centre: it is exact on the surface, larger than the true one
//! elsewhere, and that is all that cutting a surface needs.

use glam::DVec3;

/// The numbers of a cross-section.
const CHANNELS: usize = 7;

/// A cross-section of a limb.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// Where along the axis.
    pub(crate) at: f64,
    /// Centre across the axis, along the loft's `u` and `v`.
    pub(crate) centre: [f64; 2],
    /// Half-widths towards +u and -u.
    pub(crate) wide: [f64; 2],
    /// Half-widths towards +v and -v.
    pub(crate) deep: [f64; 2],
    /// 0 for an ellipse, 1 for a rounded box.
    pub(crate) square: f64,
}

impl Key {
    fn channels(&self) -> [f64; CHANNELS] {
        let ([cu, cv], [a, b], [c, d]) = (self.centre, self.wide, self.deep);
        [cu, cv, a, b, c, d, self.square]
    }
}

/// A limb along an axis.
#[derive(Clone, Debug)]
pub(crate) struct Loft {
    origin: DVec3,
    along: DVec3,
    u: DVec3,
    v: DVec3,
    keys: Vec<(f64, [f64; CHANNELS], [f64; CHANNELS])>,
}

impl Loft {
    /// A limb through its keys, in order of `at`. `u`, `v` and `along` are a right-handed or
    /// left-handed frame of unit vectors.
    pub(crate) fn new(origin: DVec3, [along, u, v]: [DVec3; 3], keys: &[Key]) -> Self {
        let values: Vec<_> = keys.iter().map(|key| (key.at, key.channels())).collect();
        let slopes = slopes(&values);
        let keys = values.into_iter().zip(slopes).map(|((at, value), slope)| (at, value, slope));
        Self { origin, along, u, v, keys: keys.collect() }
    }

    /// Distance from the surface within the section through the point, negative inside.
    pub(crate) fn distance(&self, point: DVec3) -> f64 {
        let from = point - self.origin;
        let at = from.dot(self.along);
        let (low, high) = self.span();
        let [cu, cv, plus_u, minus_u, plus_v, minus_v, square] = self.section(at.clamp(low, high));
        let (u, v) = (from.dot(self.u) - cu, from.dot(self.v) - cv);
        let (x, y) = (
            u / if u >= 0.0 { plus_u } else { minus_u },
            v / if v >= 0.0 { plus_v } else { minus_v },
        );
        let (x2, y2) = (x * x, y * y);
        let oval = (x2 + y2).sqrt();
        let boxy = (x2 * x2 + y2 * y2).sqrt().sqrt();
        let share = oval + (boxy - oval) * square;
        let radius = (u * u + v * v).sqrt();
        let across =
            if share > 1e-9 { radius - radius / share } else { -plus_u.min(plus_v).min(minus_v) };
        let beyond = (low - at).max(at - high);
        if beyond > 0.0 && across > 0.0 {
            (beyond * beyond + across * across).sqrt()
        } else {
            beyond.max(across)
        }
    }

    /// An axis-aligned box around the limb.
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        for &(at, [cu, cv, a, b, c, d, _], _) in &self.keys {
            for u in [cu + a, cu - b] {
                for v in [cv + c, cv - d] {
                    let corner = self.origin + self.along * at + self.u * u + self.v * v;
                    (low, high) = (low.min(corner), high.max(corner));
                }
            }
        }
        (low, high)
    }

    fn span(&self) -> (f64, f64) {
        (self.keys[0].0, self.keys[self.keys.len() - 1].0)
    }

    fn section(&self, at: f64) -> [f64; CHANNELS] {
        let next = self.keys.partition_point(|key| key.0 <= at).clamp(1, self.keys.len() - 1);
        let (from, value, slope) = &self.keys[next - 1];
        let (to, next_value, next_slope) = &self.keys[next];
        let width = to - from;
        let t = (at - from) / width;
        let (t2, s) = (t * t, 1.0 - t);
        let ease = t2 * (3.0 - 2.0 * t);
        let (leave, arrive) = (t * s * s * width, -t2 * s * width);
        std::array::from_fn(|i| {
            value[i] + (next_value[i] - value[i]) * ease + slope[i] * leave + next_slope[i] * arrive
        })
    }
}

/// Slopes at the keys: the weighted harmonic mean of the slopes beside each, zero where they differ
/// in sign.
fn slopes(keys: &[(f64, [f64; CHANNELS])]) -> Vec<[f64; CHANNELS]> {
    let rise = |k: usize, i: usize| {
        let width = keys[k + 1].0 - keys[k].0;
        (width, (keys[k + 1].1[i] - keys[k].1[i]) / width)
    };
    let slope = |k: usize, i: usize| {
        if k == 0 || k + 1 == keys.len() {
            return rise(k.min(keys.len() - 2), i).1;
        }
        let ((before, a), (after, b)) = (rise(k - 1, i), rise(k, i));
        if a * b <= 0.0 {
            return 0.0;
        }
        let (first, second) = (2.0 * after + before, after + 2.0 * before);
        (first + second) / (first / a + second / b)
    };
    (0..keys.len()).map(|k| std::array::from_fn(|i| slope(k, i))).collect()
}
