//! A plane with two axes, on a frame of the picture.

use glam::DVec2;

use super::axis::Kind;
use super::svg::Svg;
use super::{Axis, Frame};

/// On a map, about how far apart ticks are, in points.
const TICKS: f64 = 70.0;

#[derive(Clone, Debug)]
pub(crate) struct Plane {
    pub(crate) frame: Frame,
    pub(crate) across: Axis,
    pub(crate) up: Axis,
}

impl Plane {
    /// Values grow to the right and upward; names follow one another to the right and downward.
    pub(crate) fn new(frame: Frame, across: Axis, up: Axis) -> Self {
        let (top, bottom) = (frame.y, frame.y + frame.height);
        let across = across.on(frame.x, frame.x + frame.width);
        let up = if up.kind == Kind::Names { up.on(top, bottom) } else { up.on(bottom, top) };
        Self { frame, across, up }
    }

    /// The ground from above: a box of it in the middle of a room, in one scale both ways.
    pub(crate) fn map(room: Frame, low: DVec2, high: DVec2) -> Self {
        let scale = (room.width / (high.x - low.x)).min(room.height / (high.y - low.y));
        let size = scale * (high - low);
        let x = room.x + 0.5 * (room.width - size.x);
        let frame = Frame { x, y: room.y, width: size.x, height: size.y };
        let axis =
            |from: f64, to: f64, length: f64| Axis::exact((from, to), (length / TICKS).max(2.0));
        Self::new(frame, axis(low.x, high.x, size.x), axis(low.y, high.y, size.y))
    }

    pub(crate) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.across.place(x), self.up.place(y))
    }

    /// Both axes, with what is measured along them.
    pub(crate) fn draw(&self, svg: &mut Svg, [across, up]: [&str; 2]) {
        self.up.draw_left(svg, self.frame, up);
        self.across.draw_below(svg, self.frame, across);
    }

    /// A band over a range of values to the right, wide enough to be seen.
    pub(crate) fn band(&self, svg: &mut Svg, class: &str, (from, to): (f64, f64)) {
        let (from, to) = (self.across.place(from), self.across.place(to));
        svg.rect(class, Frame { x: from, width: (to - from).max(0.7), ..self.frame });
    }

    /// A line through values.
    pub(crate) fn line(
        &self,
        svg: &mut Svg,
        class: &str,
        values: impl IntoIterator<Item = (f64, f64)>,
    ) {
        svg.path(class, values.into_iter().map(|(x, y)| self.at(x, y)));
    }
}
