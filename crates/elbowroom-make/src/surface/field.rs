//! A solid of pieces that flow into each other.
//!
//! The field is negative inside. Pieces are added or carved in order, each with a fillet of its own
//! width: the smooth minimum is the quadratic one, which changes nothing where the two distances
//! differ by more than the width (Quilez, Smooth minimum, 2013).

use glam::DVec3;

use super::loft::Loft;

/// A simple shape.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// Cross-sections along an axis.
    Loft(Loft),
    /// An ellipsoid along the axes.
    Ball {
        /// The middle.
        centre: DVec3,
        /// Half-axes along x, y and z.
        half: DVec3,
    },
    /// Two balls and all between them.
    Cone {
        /// The centres.
        ends: [DVec3; 2],
        /// The radii.
        radii: [f64; 2],
    },
}

impl Shape {
    fn distance(&self, point: DVec3) -> f64 {
        match self {
            Self::Loft(loft) => loft.distance(point),
            Self::Ball { centre, half } => {
                // The value of the quadric over its gradient: a distance to first order.
                let from = point - centre;
                let scaled = from / half;
                let (value, slope) = (scaled.length(), (scaled / half).length());
                if slope > 1e-9 { value * (value - 1.0) / slope } else { -half.min_element() }
            }
            Self::Cone { ends, radii } => {
                let axis = ends[1] - ends[0];
                let share = ((point - ends[0]).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
                let radius = radii[0] + (radii[1] - radii[0]) * share;
                (point - ends[0] - axis * share).length() - radius
            }
        }
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        match self {
            Self::Loft(loft) => loft.bounds(),
            Self::Ball { centre, half } => (centre - half, centre + half),
            Self::Cone { ends, radii } => {
                let reach = DVec3::splat(radii[0].max(radii[1]));
                (ends[0].min(ends[1]) - reach, ends[0].max(ends[1]) + reach)
            }
        }
    }
}

/// A shape and what it does to those before it.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    shape: Shape,
    fillet: f64,
    carves: bool,
    low: DVec3,
    high: DVec3,
}

impl Piece {
    /// A piece that is added, with a fillet of this width.
    pub(crate) fn add(shape: Shape, fillet: f64) -> Self {
        let (low, high) = shape.bounds();
        Self { shape, fillet, carves: false, low, high }
    }

    /// A piece that is taken away, with a fillet of this width.
    pub(crate) fn carve(shape: Shape, fillet: f64) -> Self {
        Self { carves: true, ..Self::add(shape, fillet) }
    }

    /// The field of this piece alone, as if it were added.
    pub(crate) fn distance(&self, point: DVec3) -> f64 {
        self.shape.distance(point)
    }

    fn change(&self, so_far: f64, point: DVec3) -> f64 {
        let outside = (self.low - point).max(point - self.high).max(DVec3::ZERO).length();
        if self.carves {
            // A carving shape matters only where its own distance is below the fillet.
            if outside > self.fillet - so_far { so_far } else { -self.melt(-so_far, point) }
        } else if outside > so_far + self.fillet {
            so_far
        } else {
            self.melt(so_far, point)
        }
    }

    fn melt(&self, so_far: f64, point: DVec3) -> f64 {
        let own = self.shape.distance(point);
        let overlap = (self.fillet - (so_far - own).abs()).max(0.0);
        so_far.min(own) - 0.25 * overlap * overlap / self.fillet
    }
}

/// A solid of pieces; those where x is positive stand for their mirror images too.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pieces: Vec<Piece>,
    /// Nothing is below this height.
    floor: f64,
}

impl Solid {
    /// The pieces, in order, and a floor that cuts off what is below.
    pub(crate) fn new(pieces: Vec<Piece>, floor: f64) -> Self {
        Self { pieces, floor }
    }

    /// Distance to the surface, roughly, negative inside; exact in sign.
    pub(crate) fn distance(&self, point: DVec3) -> f64 {
        let start = 1e9;
        let melted = self.pieces.iter().fold(start, |so_far, piece| piece.change(so_far, point));
        melted.max(self.floor - point.y)
    }

    /// A box around the pieces that are added.
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let added = || self.pieces.iter().filter(|piece| !piece.carves);
        let low = added().fold(DVec3::INFINITY, |low, piece| low.min(piece.low));
        let high = added().fold(DVec3::NEG_INFINITY, |high, piece| high.max(piece.high));
        (low.max(DVec3::new(f64::NEG_INFINITY, self.floor, f64::NEG_INFINITY)), high)
    }
}
