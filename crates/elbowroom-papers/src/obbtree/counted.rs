//! Numbers that count what is done with them.
//!
//! A kernel over [`Lane`] that is run on these gives the operation counts that papers print. A
//! number may be *known* to be zero when the kernel is written, as the thickness of a rectangle is;
//! what a compiler would then leave out is not counted: adding it, multiplying by it, its absolute
//! value.

use std::cell::Cell;
use std::ops::{Add, Mul, Sub};

use elbowroom::internal::arch::Lane;

/// Counts of operations, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Comparisons.
    pub compare: u32,
    /// Additions and subtractions.
    pub add: u32,
    /// Multiplications.
    pub multiply: u32,
    /// Absolute values.
    pub abs: u32,
}

impl Operations {
    const NONE: Self = Self { compare: 0, add: 0, multiply: 0, abs: 0 };
    const COMPARE: Self = Self { compare: 1, ..Self::NONE };
    const ADD: Self = Self { add: 1, ..Self::NONE };
    const MULTIPLY: Self = Self { multiply: 1, ..Self::NONE };
    const ABS: Self = Self { abs: 1, ..Self::NONE };

    fn note(place: &Cell<Self>, done: Self) {
        let before = place.get();
        place.set(Self {
            compare: before.compare + done.compare,
            add: before.add + done.add,
            multiply: before.multiply + done.multiply,
            abs: before.abs + done.abs,
        });
    }
}

/// A number that notes its operations in a common place.
///
/// ```
/// use std::cell::Cell;
/// use elbowroom_papers::obbtree::{Counted, Operations};
/// use elbowroom::internal::arch::Lane;
///
/// let operations = Cell::new(Operations::default());
/// let [a, b] = [2.0, 3.0].map(|value| Counted::new(value, &operations));
/// assert!((a * b + Counted::ZERO).greater(a - b));
/// assert_eq!(operations.get(), Operations { compare: 1, add: 1, multiply: 1, abs: 0 });
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a> {
    value: f64,
    /// None for what is known to be zero.
    operations: Option<&'a Cell<Operations>>,
}

impl<'a> Counted<'a> {
    /// A number that is known to be zero beforehand, and costs nothing.
    pub const ZERO: Self = Self { value: 0.0, operations: None };

    /// A number that is known only when it is calculated with.
    pub fn new(value: f64, operations: &'a Cell<Operations>) -> Self {
        Self { value, operations: Some(operations) }
    }

    /// The number.
    pub fn value(self) -> f64 {
        self.value
    }

    fn noted(value: f64, place: &'a Cell<Operations>, done: Operations) -> Self {
        Operations::note(place, done);
        Self { value, operations: Some(place) }
    }
}

impl Add for Counted<'_> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        match (self.operations, other.operations) {
            (Some(place), Some(_)) => Self::noted(self.value + other.value, place, Operations::ADD),
            (None, _) => other,
            (_, None) => self,
        }
    }
}

impl Sub for Counted<'_> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        match (self.operations, other.operations) {
            (_, None) => self,
            // A change of sign goes into the operation that uses it, but no kernel of ours needs
            // one.
            (None, Some(place)) | (Some(place), Some(_)) => {
                Self::noted(self.value - other.value, place, Operations::ADD)
            }
        }
    }
}

impl Mul for Counted<'_> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        match (self.operations, other.operations) {
            (Some(place), Some(_)) => {
                Self::noted(self.value * other.value, place, Operations::MULTIPLY)
            }
            _ => Self::ZERO,
        }
    }
}

impl Lane for Counted<'_> {
    type Mask = bool;

    fn abs(self) -> Self {
        match self.operations {
            Some(place) => Self::noted(self.value.abs(), place, Operations::ABS),
            None => self,
        }
    }

    fn greater(self, other: Self) -> bool {
        if let Some(place) = self.operations.or(other.operations) {
            Operations::note(place, Operations::COMPARE);
        }
        self.value > other.value
    }

    fn all(mask: bool) -> bool {
        mask
    }
}
