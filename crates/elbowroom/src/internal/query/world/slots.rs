//! Bodies by name: places that are used again, names that are not.
//!
//! Invariants: a name is given once. A place whose names are used up stays empty.

use std::fmt;

/// The identifier of a body in its [`World`](super::World). Ordered by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    slot: u32,
    generation: u32,
}

impl BodyId {
    /// The body's number, for arrays beside the world: a new body gets the number of a removed one,
    /// or else the next.
    pub fn number(self) -> usize {
        self.slot as usize
    }

    pub fn slot(self) -> u32 {
        self.slot
    }
}

/// Bodies in numbered slots.
#[derive(Clone, Debug)]
pub struct Slots<B> {
    slots: Vec<Slot<B>>,
    /// Slots without a body, to be used again.
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Slot<B> {
    /// How many bodies have gone from here.
    generation: u32,
    body: Option<B>,
}

impl<B> Default for Slots<B> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }
}

impl<B> Slots<B> {
    /// Adds a body, and returns its identifier.
    pub fn add(&mut self, body: B) -> BodyId {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, body: None });
            self.slots.len() as u32 - 1
        });
        self.slots[slot as usize].body = Some(body);
        self.id(slot)
    }

    /// Removes a body.
    pub fn remove(&mut self, id: BodyId) -> Result<(), NoSuchBody> {
        self.get(id)?;
        let slot = &mut self.slots[id.number()];
        slot.body = None;
        slot.generation += 1;
        if slot.generation < u32::MAX {
            self.free.push(id.slot);
        }
        Ok(())
    }

    pub fn get(&self, id: BodyId) -> Result<&B, NoSuchBody> {
        self.slots
            .get(id.number())
            .filter(|slot| slot.generation == id.generation)
            .and_then(|slot| slot.body.as_ref())
            .ok_or(NoSuchBody { id })
    }

    pub fn get_mut(&mut self, id: BodyId) -> Result<&mut B, NoSuchBody> {
        self.slots
            .get_mut(id.number())
            .filter(|slot| slot.generation == id.generation)
            .and_then(|slot| slot.body.as_mut())
            .ok_or(NoSuchBody { id })
    }

    /// The body in a slot.
    pub fn at(&self, slot: u32) -> Option<&B> {
        self.slots[slot as usize].body.as_ref()
    }

    pub fn at_mut(&mut self, slot: u32) -> Option<&mut B> {
        self.slots[slot as usize].body.as_mut()
    }

    /// The identifier of the body in a slot.
    pub fn id(&self, slot: u32) -> BodyId {
        BodyId { slot, generation: self.slots[slot as usize].generation }
    }

    /// The name of the body that has a number.
    pub(super) fn numbered(&self, number: usize) -> Option<BodyId> {
        let slot = self.slots.get(number).filter(|slot| slot.body.is_some())?;
        Some(BodyId { slot: number as u32, generation: slot.generation })
    }

    /// All identifiers, in order.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> {
        (0..self.slots.len()).filter_map(|number| self.numbered(number))
    }
}

/// The error for a body that is not in the world, or no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchBody {
    id: BodyId,
}

impl NoSuchBody {
    /// The name.
    pub fn id(&self) -> BodyId {
        self.id
    }
}

impl fmt::Display for NoSuchBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BodyId { slot, generation } = self.id;
        write!(
            f,
            "body {slot} (the {} with this number) is not in the world: it was removed, or it belongs to \
             another world",
            ordinal(u64::from(generation) + 1)
        )
    }
}

fn ordinal(n: u64) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

impl std::error::Error for NoSuchBody {}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn ordinals() {
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal).join(" "),
            "1st 2nd 3rd 4th 11th 12th 13th 21st 112th"
        );
    }
}
