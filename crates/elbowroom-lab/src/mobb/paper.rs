//! The two tables as they are printed.

/// A row: microseconds a query, then tests of upright boxes, free boxes and samples a query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) micros: f64,
    pub(super) tests: [f64; 3],
}

const fn row(micros: f64, tests: [f64; 3]) -> Row {
    Row { micros, tests }
}

/// Short clips in the crowd, in the order of
/// [`Kind::ALL`](elbowroom_motion::space_time::Kind::ALL).
pub(super) const TABLE1: [Row; 6] = [
    row(4.6, [0.45, 0.0, 10.3]),
    row(4.5, [0.0, 0.45, 10.0]),
    row(2.3, [1.7, 0.0, 0.91]),
    row(2.2, [0.16, 1.53, 0.77]),
    row(2.1, [0.40, 1.34, 0.77]),
    row(2.0, [1.5, 0.25, 0.81]),
];

/// Long clips at random.
pub(super) const TABLE2: [Row; 6] = [
    row(68.3, [0.83, 0.0, 306.0]),
    row(68.1, [0.0, 0.83, 307.0]),
    row(5.9, [27.5, 0.0, 4.15]),
    row(6.8, [0.62, 21.6, 3.10]),
    row(6.8, [1.45, 20.8, 3.10]),
    row(6.0, [26.7, 0.83, 4.15]),
];

/// The radius that the paper prints, in metres.
pub(super) const RADIUS: f64 = 1.85;
/// Samples a second.
pub(super) const FPS: f64 = 30.0;
/// Places of the methods in the tables.
pub(super) const ONE_LEVEL: usize = 0;
pub(super) const ONE_LEVEL_FREE: usize = 1;
pub(super) const MOBB: usize = 2;
pub(super) const UMOBB: usize = 3;
pub(super) const HYBRID1: usize = 4;
pub(super) const HYBRID2: usize = 5;
