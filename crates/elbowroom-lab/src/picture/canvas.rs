//! Samples of a picture, nine a pixel, each with a colour and how near it is.
//!
//! Everything is convex polygons: triangles of surfaces, faces of volumes, and lines, which are
//! long thin quadrilaterals. A polygon is filled row by row between its left and its right edge; a
//! sample belongs to it if its middle does, so that polygons that share an edge share no sample.
//!
//! Invariants: nothing but additions, products, quotients and square roots, in an order that the
//! arguments alone decide: the same bytes everywhere.

use glam::DVec2;

/// Samples along each side of a pixel.
pub(super) const FINE: usize = 3;

/// Red, green and blue, from 0 to 1.
pub(super) type Color = [f32; 3];

/// A rectangle of the picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Window {
    /// Cut into columns and rows, row by row.
    pub(super) fn grid(self, columns: usize, rows: usize) -> Vec<Self> {
        let cell = |i: usize| {
            let (column, row) = (i % columns, i / columns);
            let [x, right] = [column, column + 1].map(|c| self.x + self.width * c / columns);
            let [y, bottom] = [row, row + 1].map(|r| self.y + self.height * r / rows);
            Self { x, y, width: right - x, height: bottom - y }
        };
        (0..columns * rows).map(cell).collect()
    }

    /// Without a strip above, which a label is written in.
    pub(super) fn below(self, strip: usize) -> Self {
        Self { y: self.y + strip, height: self.height.saturating_sub(strip), ..self }
    }
}

/// A corner of a polygon, in samples from the left and from above, and how near it is: larger is
/// nearer, in a measure that is linear on the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) at: DVec2,
    pub(super) near: f64,
}

/// What a sample of a polygon is given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ink {
    pub(super) color: Color,
    /// From 0, nothing, to 1.
    pub(super) cover: f32,
    /// The cover from 0 to 1 where something opaque is nearer.
    pub(super) hidden: f32,
}

impl Ink {
    pub(super) fn new(color: Color, cover: f32) -> Self {
        Self { color, cover, hidden: 0.0 }
    }

    /// Seen through what is before it.
    pub(super) fn through(color: Color, cover: f32) -> Self {
        Self { color, cover, hidden: cover }
    }
}

/// The samples.
pub(super) struct Canvas {
    size: [usize; 2],
    /// Of the window that is painted in, in samples: left, right, top, bottom.
    clip: [usize; 4],
    /// Colours times cover, and cover.
    paint: Vec<[f32; 4]>,
    near: Vec<f32>,
}

impl Canvas {
    /// A canvas of this many pixels, all transparent.
    pub(super) fn new(size: [usize; 2]) -> Self {
        let size = size.map(|n| n * FINE);
        let samples = size[0] * size[1];
        Self {
            size,
            clip: [0, size[0], 0, size[1]],
            paint: vec![[0.0; 4]; samples],
            near: vec![f32::NEG_INFINITY; samples],
        }
    }

    /// Nothing is painted outside of it from now on.
    pub(super) fn clip(&mut self, window: Window) {
        let [left, top] = [window.x, window.y].map(|n| n * FINE);
        let right = (left + window.width * FINE).min(self.size[0]);
        let bottom = (top + window.height * FINE).min(self.size[1]);
        self.clip = [left, right, top, bottom];
    }

    /// An opaque triangle; `shade` is told where it is, as the weights of the three corners.
    pub(super) fn triangle(&mut self, corners: &[Seen; 3], shade: impl Fn([f64; 3]) -> Color) {
        let [a, b, c] = corners.map(|corner| corner.at);
        let area = (b - a).perp_dot(c - a);
        if area == 0.0 {
            return;
        }
        let (width, per) = (self.size[0], 1.0 / area);
        let (paint, near) = (&mut self.paint, &mut self.near);
        spans(&[a, b, c], self.clip, |y, from, to| {
            for x in from..to {
                let p = middle(x, y);
                let second = (p - a).perp_dot(c - a) * per;
                let third = (b - a).perp_dot(p - a) * per;
                let weights = [1.0 - second - third, second, third];
                let how = dot(weights, corners.map(|corner| corner.near)) as f32;
                let sample = y * width + x;
                if how > near[sample] {
                    near[sample] = how;
                    let [red, green, blue] = shade(weights);
                    paint[sample] = [red, green, blue, 1.0];
                }
            }
        });
    }

    /// A convex polygon of at least three corners in one plane, blended over what is there and
    /// hidden by what is opaque and nearer.
    pub(super) fn face(&mut self, corners: &[Seen], ink: &Ink) {
        let Some(plane) = Plane::of(corners) else { return };
        let points: Vec<DVec2> = corners.iter().map(|corner| corner.at).collect();
        self.blend(&points, |p| plane.near(p), ink);
    }

    /// A line of this width in samples.
    pub(super) fn line(&mut self, ends: [Seen; 2], width: f64, ink: &Ink) {
        let [from, to] = ends.map(|end| end.at);
        let along = to - from;
        let length = along.length();
        if length < 1e-9 {
            return;
        }
        let along = along / length;
        // What is thinner than a sample would be a row of dots.
        let thin = width.min(1.0) as f32;
        let ink = &Ink { cover: ink.cover * thin, hidden: ink.hidden * thin, ..*ink };
        let width = width.max(1.0);
        // A little longer than it is, so that lines that go on in another direction leave no gap.
        let (side, cap) = (along.perp() * (0.5 * width), along * (0.25 * width));
        let quad = [from - cap + side, from - cap - side, to + cap - side, to + cap + side];
        let [near, far] = ends.map(|end| end.near);
        self.blend(&quad, |p| near + (far - near) * ((p - from).dot(along) / length), ink);
    }

    /// Rings of any form, with their holes, over everything that is there.
    pub(super) fn rings(&mut self, rings: &[Vec<DVec2>], color: Color, cover: f32) {
        let mut cuts: Vec<f64> = Vec::new();
        let [left, right, top, bottom] = self.clip;
        for y in top..bottom {
            let height = y as f64 + 0.5;
            cuts.clear();
            for ring in rings {
                let next = ring.iter().cycle().skip(1);
                cuts.extend(ring.iter().zip(next).filter_map(|(p, q)| crossing(*p, *q, height)));
            }
            cuts.sort_by(f64::total_cmp);
            for pair in cuts.chunks_exact(2) {
                for x in first(pair[0]).max(left)..first(pair[1]).min(right) {
                    over(&mut self.paint[y * self.size[0] + x], color, cover);
                }
            }
        }
    }

    /// Covers each pixel of a window by so much, over everything.
    pub(super) fn veil(&mut self, window: Window, color: Color, cover: impl Fn(usize) -> f32) {
        for i in 0..window.width * window.height {
            let (x, y) = (window.x + i % window.width, window.y + i / window.width);
            let cover = cover(i);
            if cover > 0.0 {
                for fine in 0..FINE * FINE {
                    let (x, y) = (x * FINE + fine % FINE, y * FINE + fine / FINE);
                    over(&mut self.paint[y * self.size[0] + x], color, cover);
                }
            }
        }
    }

    fn blend(&mut self, points: &[DVec2], depth: impl Fn(DVec2) -> f64, ink: &Ink) {
        let width = self.size[0];
        let (paint, near) = (&mut self.paint, &self.near);
        spans(points, self.clip, |y, from, to| {
            for x in from..to {
                let sample = y * width + x;
                let is_before = depth(middle(x, y)) as f32 >= near[sample];
                let cover = if is_before { ink.cover } else { ink.hidden };
                if cover > 0.0 {
                    over(&mut paint[sample], ink.color, cover);
                }
            }
        });
    }

    /// The pixels, row by row, as red, green, blue and cover of 8 bits each.
    pub(super) fn pixels(&self) -> Vec<u8> {
        let [width, height] = self.size.map(|n| n / FINE);
        let mut bytes = Vec::with_capacity(4 * width * height);
        for pixel in 0..width * height {
            let (left, top) = (pixel % width * FINE, pixel / width * FINE);
            let mut sum = [0.0_f32; 4];
            for y in top..top + FINE {
                for sample in &self.paint[y * self.size[0] + left..][..FINE] {
                    sum.iter_mut().zip(sample).for_each(|(sum, part)| *sum += part);
                }
            }
            let [red, green, blue, cover] = sum;
            let whole = (FINE * FINE) as f32;
            let byte = |part: f32, of: f32| level(if of > 0.0 { part / of } else { 0.0 });
            let cover_byte = byte(cover, whole);
            if cover_byte == 0 {
                bytes.extend([0; 4]);
            } else {
                bytes.extend([byte(red, cover), byte(green, cover), byte(blue, cover), cover_byte]);
            }
        }
        bytes
    }
}

/// 8 bits, of which the last is always the first: eyes do not see it, and there are fewer colours
/// to choose from.
#[expect(clippy::cast_sign_loss, reason = "clamped")]
fn level(share: f32) -> u8 {
    let fine = (share.clamp(0.0, 1.0) * 127.0 + 0.5) as u8;
    fine << 1 | fine >> 6
}

fn over(sample: &mut [f32; 4], color: Color, cover: f32) {
    let [red, green, blue] = color;
    let rest = 1.0 - cover;
    for (part, new) in sample.iter_mut().zip([red, green, blue, 1.0]) {
        *part = new * cover + *part * rest;
    }
}

/// How near the points of a plane are, seen on the picture.
struct Plane {
    at: DVec2,
    near: f64,
    slope: DVec2,
}

impl Plane {
    fn of(corners: &[Seen]) -> Option<Self> {
        let a = *corners.first()?;
        // Of all fans, that with the largest area: the others may be slivers.
        let turn = |i: usize| {
            let [b, c] = [corners[i].at - a.at, corners[i + 1].at - a.at];
            b.perp_dot(c)
        };
        let best = (1..corners.len().checked_sub(1)?)
            .max_by(|&i, &j| turn(i).abs().total_cmp(&turn(j).abs()))?;
        let area = turn(best);
        if area == 0.0 {
            return None;
        }
        let [b, c] = [corners[best], corners[best + 1]];
        let (ab, ac) = (b.at - a.at, c.at - a.at);
        let (up, right) = (b.near - a.near, c.near - a.near);
        let slope = DVec2::new(up * ac.y - right * ab.y, right * ab.x - up * ac.x) / area;
        Some(Self { at: a.at, near: a.near, slope })
    }

    fn near(&self, p: DVec2) -> f64 {
        self.near + self.slope.dot(p - self.at)
    }
}

/// The rows of a convex polygon within a window: which, from where, to where.
pub(super) fn spans(points: &[DVec2], clip: [usize; 4], mut row: impl FnMut(usize, usize, usize)) {
    let [left, right, top, bottom] = clip;
    let heights = || points.iter().map(|p| p.y);
    let (low, high) =
        (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    for y in first(low).max(top)..first(high).min(bottom) {
        let height = y as f64 + 0.5;
        let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
        for (i, &p) in points.iter().enumerate() {
            if let Some(x) = crossing(p, points[(i + 1) % points.len()], height) {
                from = from.min(x);
                to = to.max(x);
            }
        }
        if from < to {
            row(y, first(from).max(left), first(to).min(right));
        }
    }
}

/// Where an edge crosses a height; the same bits whichever way it runs.
fn crossing(p: DVec2, q: DVec2, height: f64) -> Option<f64> {
    let (low, high) = if p.y < q.y { (p, q) } else { (q, p) };
    (low.y <= height && height < high.y)
        .then(|| low.x + (high.x - low.x) * ((height - low.y) / (high.y - low.y)))
}

/// The first sample whose middle is not before this.
#[expect(clippy::cast_sign_loss, reason = "not negative")]
fn first(edge: f64) -> usize {
    (edge - 0.5).ceil().clamp(0.0, 1e6) as usize
}

fn middle(x: usize, y: usize) -> DVec2 {
    DVec2::new(x as f64 + 0.5, y as f64 + 0.5)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
