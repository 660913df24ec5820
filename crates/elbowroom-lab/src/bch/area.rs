//! How much floor discs and boxes of one level cover, by counting the cells of a grid: for boxes
//! there is no closed form at hand.

use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom_motion::footprint::{Boxes, Footprint};
use glam::DVec2;

/// Something flat and convex.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flat {
    Disc {
        center: DVec2,
        radius: f64,
    },
    /// Half sides, square to each other.
    Rectangle {
        center: DVec2,
        sides: [DVec2; 2],
    },
}

impl Flat {
    pub(super) fn area(&self) -> f64 {
        match self {
            Self::Disc { radius, .. } => std::f64::consts::PI * radius * radius,
            Self::Rectangle { sides, .. } => 4.0 * sides[0].length() * sides[1].length(),
        }
    }

    /// Where a horizontal line runs in it.
    fn along(&self, y: f64) -> Option<(f64, f64)> {
        match *self {
            Self::Disc { center, radius } => {
                let half = radius * radius - (y - center.y) * (y - center.y);
                (half >= 0.0).then(|| (center.x - half.sqrt(), center.x + half.sqrt()))
            }
            Self::Rectangle { center, sides } => {
                let mut run = (f64::NEG_INFINITY, f64::INFINITY);
                for side in sides {
                    let length = side.length_squared();
                    if length == 0.0 {
                        return None;
                    }
                    // |(p − c)·side| ≤ |side|², for p = (x, y).
                    let rest = (y - center.y) * side.y;
                    if side.x == 0.0 {
                        if rest.abs() > length {
                            return None;
                        }
                        continue;
                    }
                    let (p, q) = ((-length - rest) / side.x, (length - rest) / side.x);
                    run = (run.0.max(p.min(q)), run.1.min(p.max(q)));
                }
                (run.0 <= run.1).then_some((center.x + run.0, center.x + run.1))
            }
        }
    }

    fn rows(&self) -> (f64, f64) {
        let (y, half) = match self {
            Self::Disc { center, radius } => (center.y, *radius),
            Self::Rectangle { center, sides } => (center.y, sides[0].y.abs() + sides[1].y.abs()),
        };
        (y - half, y + half)
    }
}

/// The area of a union, by the middles of cells.
pub(super) fn raster(shapes: &[Flat], pixel: f64) -> f64 {
    let low = shapes.iter().map(|shape| shape.rows().0).fold(f64::INFINITY, f64::min);
    let high = shapes.iter().map(|shape| shape.rows().1).fold(f64::NEG_INFINITY, f64::max);
    let mut runs = Vec::new();
    let (mut cells, mut row) = (0.0, (low / pixel).floor());
    while row * pixel <= high {
        let y = (row + 0.5) * pixel;
        runs.clear();
        // Cells whose middles are in the run.
        runs.extend(shapes.iter().filter_map(|shape| {
            let (from, to) = shape.along(y)?;
            let run = ((from / pixel - 0.5).ceil(), (to / pixel - 0.5).floor());
            (run.0 <= run.1).then_some(run)
        }));
        runs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut end = f64::NEG_INFINITY;
        for &(from, to) in &runs {
            cells += (to - from.max(end + 1.0) + 1.0).max(0.0);
            end = end.max(to);
        }
        row += 1.0;
    }
    cells * pixel * pixel
}

/// The nodes of a level, and the leaves above it.
fn at_level(tree: &Tree, level: u32) -> impl Iterator<Item = NodeId> {
    tree.nodes().filter(move |&node| {
        tree.level(node) == level || (tree.level(node) < level && tree.is_leaf(node))
    })
}

/// The discs of a level, and of the leaves above it.
pub(super) fn discs(footprint: &Footprint, level: u32) -> Vec<Flat> {
    at_level(footprint.tree(), level)
        .map(|node| {
            let circle = &footprint.column()[node];
            Flat::Disc { center: circle.center, radius: circle.radius }
        })
        .collect()
}

/// The rectangles that flat boxes are: without the direction that is upright.
pub(super) fn rectangles(boxes: &Boxes, level: u32) -> Vec<Flat> {
    at_level(boxes.tree(), level)
        .map(|node| {
            let of_node = &boxes.column()[node];
            let axes = [of_node.axes.x_axis, of_node.axes.y_axis, of_node.axes.z_axis];
            let mut order = [0, 1, 2];
            order.sort_unstable_by(|&i, &j| axes[i].z.abs().total_cmp(&axes[j].z.abs()));
            let side = |i: usize| axes[order[i]].truncate() * of_node.half[order[i]];
            Flat::Rectangle { center: of_node.center.truncate(), sides: [side(0), side(1)] }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_once() {
        let disc = |x: f64| Flat::Disc { center: DVec2::new(x, 0.3), radius: 0.5 };
        let one = raster(&[disc(0.0), disc(0.0)], 0.001);
        assert!((one - disc(0.0).area()).abs() < 1e-3, "{one}");
        let two = raster(&[disc(0.0), disc(2.0)], 0.001);
        assert!((two - 2.0 * one).abs() < 1e-3);
        let square = Flat::Rectangle {
            center: DVec2::new(0.1, 0.2),
            sides: [DVec2::new(0.3, 0.3), DVec2::new(-0.3, 0.3)],
        };
        let area = raster(&[square, disc(9.0)], 0.001) - one;
        assert!((area - square.area()).abs() < 2e-3 && (square.area() - 0.72).abs() < 1e-12);
    }
}
