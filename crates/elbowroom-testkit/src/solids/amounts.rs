//! How much two piles have in common, by counting unit cubes and unit squares; and how deep they
//! are in each other, square by square.

use super::Pile;

/// Volumes and areas of two piles, as whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    /// Cubes in both.
    pub volume: u32,
    /// Squares of the first one's boundary: within the second, on its boundary with the same side
    /// out, and with opposite sides out.
    pub a: [u32; 3],
    /// Squares of the second one's boundary, likewise.
    pub b: [u32; 3],
}

/// Counts.
pub fn amounts(a: &Pile, b: &Pile) -> Amounts {
    let mut amounts = Amounts::default();
    for cube in cubes(a, b) {
        amounts.volume += u32::from(a.holds(cube) && b.holds(cube));
        for axis in 0..3 {
            let mut above = cube;
            above[axis] += 1;
            let [in_a, in_b] = [a, b].map(|pile| [cube, above].map(|cube| pile.holds(cube)));
            count(&mut amounts.a, in_a, in_b);
            count(&mut amounts.b, in_b, in_a);
        }
    }
    amounts
}

/// One square, with what is on its two sides.
fn count(areas: &mut [u32; 3], own: [bool; 2], other: [bool; 2]) {
    if own[0] == own[1] {
        return;
    }
    match other {
        [true, true] => areas[0] += 1,
        [false, false] => {}
        other => areas[if own == other { 1 } else { 2 }] += 1,
    }
}

fn cubes(a: &Pile, b: &Pile) -> impl Iterator<Item = [i64; 3]> {
    let ((low_a, high_a), (low_b, high_b)) = (a.bounds(), b.bounds());
    let low: [i64; 3] = std::array::from_fn(|k| low_a[k].min(low_b[k]) - 1);
    let high: [i64; 3] = std::array::from_fn(|k| high_a[k].max(high_b[k]));
    (low[0]..high[0]).flat_map(move |x| {
        (low[1]..high[1]).flat_map(move |y| (low[2]..high[2]).map(move |z| [x, y, z]))
    })
}

/// The unit squares of a pile's boundary, by axis and lower corner; each is above the cube with
/// that corner less one on the axis.
pub fn boundary(pile: &Pile) -> Vec<(usize, [i64; 3])> {
    let mut squares = Vec::new();
    for cube in cubes(pile, pile) {
        for axis in 0..3 {
            let mut above = cube;
            above[axis] += 1;
            if pile.holds(cube) != pile.holds(above) {
                squares.push((axis, above));
            }
        }
    }
    squares
}

/// The depth in the second pile of points of the first one's boundary, on a grid of `steps` to the
/// unit: the largest.
///
/// The truth is at least this, and at most half the diagonal of a grid square more.
pub fn sampled_depth(a: &Pile, b: &Pile, steps: u32) -> f64 {
    let walls = boundary(b);
    let mut deepest = 0.0_f64;
    for (axis, low) in boundary(a) {
        for i in 0..=steps {
            for j in 0..=steps {
                let mut point = low.map(|x| x as f64);
                point[(axis + 1) % 3] += f64::from(i) / f64::from(steps);
                point[(axis + 2) % 3] += f64::from(j) / f64::from(steps);
                if is_within(b, point) {
                    let near = walls.iter().map(|wall| square_distance(point, *wall));
                    deepest = deepest.max(near.fold(f64::INFINITY, f64::min));
                }
            }
        }
    }
    deepest.sqrt()
}

/// Whether all cubes around a point are within.
fn is_within(pile: &Pile, point: [f64; 3]) -> bool {
    let sides = point.map(|x| [(x.ceil() - 1.0) as i64, x.floor() as i64]);
    (0..8).all(|i| pile.holds(std::array::from_fn(|k| sides[k][i >> k & 1])))
}

fn square_distance(point: [f64; 3], (axis, low): (usize, [i64; 3])) -> f64 {
    let apart = |k: usize| {
        let (from, to) = (low[k] as f64, low[k] as f64 + if k == axis { 0.0 } else { 1.0 });
        (from - point[k]).max(point[k] - to).max(0.0)
    };
    (0..3).map(|k| apart(k) * apart(k)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::Block;
    use super::*;

    #[test]
    fn boxes_that_overlap_by_half() {
        let pile = |low, high| Pile { blocks: vec![Block::new(low, high)] };
        let (a, b) = (pile([0; 3], [2; 3]), pile([1, 0, 0], [3, 2, 2]));
        assert_eq!(amounts(&a, &b), Amounts { volume: 4, a: [4, 8, 0], b: [4, 8, 0] });
        assert!((sampled_depth(&a, &b, 4) - 1.0).abs() < 1e-12);
        let beside = pile([2, 0, 0], [3, 2, 2]);
        assert_eq!(amounts(&a, &beside), Amounts { volume: 0, a: [0, 0, 4], b: [0, 0, 4] });
        assert_eq!(boundary(&a).len(), 24);
    }
}
