//! Rotation matrices: exact signed permutations, rounded 3-4-5 rotations, rounded free ones.

use crate::oracle::PlainPose;
use crate::random::Random;

/// A 3×3 matrix, row by row.
pub(crate) type Matrix = [[f64; 3]; 3];

/// One of the 24 rotations that permute the axes.
pub(super) fn signed_permutation(random: &mut Random) -> Matrix {
    let mut axes = [0, 1, 2];
    random.shuffle(&mut axes);
    let mut signs = [1.0; 3];
    for sign in &mut signs {
        *sign = if random.one_in(2) { 1.0 } else { -1.0 };
    }
    // An odd permutation mirrors; one more sign undoes it.
    let even = matches!(axes, [0, 1, 2] | [1, 2, 0] | [2, 0, 1]);
    let parity = if even { 1.0 } else { -1.0 };
    signs[2] = parity * signs[0] * signs[1];
    let mut r = [[0.0; 3]; 3];
    for (row, (&axis, &sign)) in r.iter_mut().zip(axes.iter().zip(&signs)) {
        row[axis] = sign;
    }
    r
}

/// A rotation about one axis with sine and cosine ±3/5 and ±4/5, rounded to f64.
pub(super) fn three_four_five(random: &mut Random) -> Matrix {
    let (mut c, mut s) = if random.one_in(2) { (0.6, 0.8) } else { (0.8, 0.6) };
    if random.one_in(2) {
        c = -c;
    }
    if random.one_in(2) {
        s = -s;
    }
    match random.below(3) {
        0 => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        1 => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
        _ => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
    }
}

/// The rounded product of two matrices.
pub(super) fn product(p: &Matrix, q: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| p[i][k] * q[k][j]).sum()))
}

/// The point that the pose brings to `p`, up to rounding: the transpose undoes the rotation.
pub(crate) fn undo(pose: &PlainPose, p: &[f64; 3]) -> [f64; 3] {
    let moved: [f64; 3] = std::array::from_fn(|k| p[k] - pose.t[k]);
    std::array::from_fn(|k| (0..3).map(|i| pose.r[i][k] * moved[i]).sum())
}

/// A uniformly random rotation, from a unit quaternion.
pub(crate) fn random_rotation(random: &mut Random) -> Matrix {
    let (x, y, z, w) = loop {
        let q: [f64; 4] = std::array::from_fn(|_| random.uniform(-1.0, 1.0));
        let norm = q.iter().map(|x| x * x).sum::<f64>();
        // Points of the ball are uniform in direction; those of the cube are not.
        if (0.01..1.0).contains(&norm) {
            let [x, y, z, w] = q.map(|x| x / norm.sqrt());
            break (x, y, z, w);
        }
    };
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}
