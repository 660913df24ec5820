//! Numbers out of bytes: accessors, dense or sparse, of any component type.
//!
//! An accessor is a view of a buffer taken as `count` elements of 1 to 16 components, `stride`
//! bytes apart. Integers mean themselves, or a fraction where they are normalised (glTF 2.0,
//! section 3.11); `KHR_mesh_quantization` lets them stand for positions too. A sparse accessor
//! replaces some elements of a dense one, or of zeros. Every component type fits f64, so that one
//! type comes out.
//!
//! Invariants: no byte outside of the buffer view is read; no accessor has more elements than the
//! file has bytes, so that a header cannot promise what is not there; all decoded numbers of a file
//! together stay within the budget.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;

use crate::error::Fault;
use crate::odd::too_large;
use crate::text::{counted, grouped};

use super::meshopt;
use super::schema::{Accessor, BufferView, Root, Sparse, named};

/// The numbers of a file, decoded when asked for.
pub(super) struct Accessors<'a> {
    pub(super) root: &'a Root,
    buffers: Vec<Cow<'a, [u8]>>,
    /// How many bytes the file has in all its buffers, and in its compressed views once decoded.
    held: usize,
    /// What compressed views decode to, once they were asked for.
    decoded: Vec<OnceCell<Vec<u8>>>,
    /// The numbers of accessors that stand in no view, but in a compressed primitive.
    supplied: RefCell<HashMap<usize, Vec<f64>>>,
    limit: u64,
    left: Cell<u64>,
}

/// What an accessor must be for its use.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// `SCALAR`, `VEC3` and so on.
    shape: &'static str,
    width: usize,
    /// The component types that the use allows, as glTF numbers them.
    components: &'static [u32],
}

const I8: u32 = 5120;
const U8: u32 = 5121;
const I16: u32 = 5122;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

impl Wanted {
    pub(super) const TIME: Self = Self { shape: "SCALAR", width: 1, components: &[F32] };
    pub(super) const INDEX: Self = Self { shape: "SCALAR", width: 1, components: &[U8, U16, U32] };
    pub(super) const WEIGHT: Self =
        Self { shape: "SCALAR", width: 1, components: &[F32, I8, U8, I16, U16] };
    pub(super) const POINT: Self =
        Self { shape: "VEC3", width: 3, components: &[F32, I8, U8, I16, U16] };
    pub(super) const TURN: Self =
        Self { shape: "VEC4", width: 4, components: &[F32, I8, U8, I16, U16] };
    pub(super) const JOINTS: Self = Self { shape: "VEC4", width: 4, components: &[U8, U16] };
    pub(super) const WEIGHTS: Self = Self { shape: "VEC4", width: 4, components: &[F32, U8, U16] };
    pub(super) const MATRIX: Self = Self { shape: "MAT4", width: 16, components: &[F32] };
}

impl<'a> Accessors<'a> {
    pub(super) fn new(root: &'a Root, buffers: Vec<Cow<'a, [u8]>>, limit: u64) -> Self {
        let plain: usize = buffers.iter().map(|buffer| buffer.len()).sum();
        let compressed = root.buffer_views.iter().filter_map(BufferView::meshopt);
        let decoded = compressed.map(|view| view.count.saturating_mul(view.byte_stride));
        let held = decoded.fold(plain, usize::saturating_add);
        let decoded = root.buffer_views.iter().map(|_| OnceCell::new()).collect();
        let (supplied, left) = (RefCell::default(), Cell::new(limit));
        Self { root, buffers, held, decoded, supplied, limit, left }
    }

    /// How many bytes may still be decoded.
    #[cfg(feature = "draco")]
    pub(super) fn left(&self) -> u64 {
        self.left.get()
    }

    /// From here on, these accessors have these numbers, and no other accessor has numbers of its
    /// own.
    #[cfg(feature = "draco")]
    pub(super) fn supply(&self, numbers: HashMap<usize, Vec<f64>>) {
        self.supplied.replace(numbers);
    }

    /// Takes `bytes` out of the budget.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Fault> {
        let left = self.left.get().checked_sub(bytes as u64);
        self.left.set(left.ok_or_else(|| too_large(self.limit))?);
        Ok(())
    }

    /// The count of an accessor, without its numbers.
    pub(super) fn count(&self, index: usize, user: &str) -> Result<usize, Fault> {
        Ok(self.root.accessor(index, user)?.count)
    }

    /// The numbers of an accessor, its elements one behind the other; all finite.
    pub(super) fn read(&self, index: usize, wanted: Wanted, user: &str) -> Result<Vec<f64>, Fault> {
        let accessor = self.root.accessor(index, user)?;
        let place = format!("accessor {index} ({user})");
        check(accessor, wanted, &place)?;
        if let Some(values) = self.supplied.borrow().get(&index) {
            self.spend(size_of_val(&values[..]))?;
            return finite(values.clone(), wanted, &place);
        }
        self.check_count(accessor.count, &place)?;
        self.spend(accessor.count.saturating_mul(wanted.width * size_of::<f64>()))?;
        let mut values = self.dense(accessor, wanted, &place)?;
        if let Some(sparse) = &accessor.sparse {
            self.replace(accessor, sparse, wanted, &place, &mut values)?;
        }
        finite(values, wanted, &place)
    }

    fn check_count(&self, count: usize, place: &str) -> Result<(), Fault> {
        if count == 0 {
            return Err(Fault::whole(format!("{place} has no elements; export the file again")));
        }
        if count > self.held {
            let (count, held) = (grouped(count as u64), counted(self.held, "byte", "bytes"));
            return Err(Fault::whole(format!(
                "{place} promises {count} elements, but the file has {held} of data; it is truncated or damaged"
            )));
        }
        Ok(())
    }

    fn dense(&self, accessor: &Accessor, wanted: Wanted, place: &str) -> Result<Vec<f64>, Fault> {
        let Some(view) = accessor.buffer_view else {
            return Ok(vec![0.0; accessor.count * wanted.width]);
        };
        let run = Run {
            view,
            offset: accessor.byte_offset,
            count: accessor.count,
            width: wanted.width,
            component: accessor.component_type,
            normalized: accessor.normalized,
        };
        self.decode(&run, place)
    }

    /// Writes the elements that a sparse accessor has of its own.
    fn replace(
        &self,
        accessor: &Accessor,
        sparse: &Sparse,
        wanted: Wanted,
        place: &str,
        values: &mut [f64],
    ) -> Result<(), Fault> {
        let place = format!("the sparse part of {place}");
        if sparse.count > accessor.count {
            let [own, all] = [sparse.count, accessor.count].map(|n| grouped(n as u64));
            return Err(Fault::whole(format!(
                "{place} replaces {own} of {all} elements; export the file again"
            )));
        }
        if ![U8, U16, U32].contains(&sparse.indices.component_type) {
            return Err(wrong_component(&place, sparse.indices.component_type));
        }
        self.check_count(sparse.count, &place)?;
        self.spend(sparse.count.saturating_mul((wanted.width + 1) * size_of::<f64>()))?;
        let indices = Run {
            view: sparse.indices.buffer_view,
            offset: sparse.indices.byte_offset,
            count: sparse.count,
            width: 1,
            component: sparse.indices.component_type,
            normalized: false,
        };
        let own = Run {
            view: sparse.values.buffer_view,
            offset: sparse.values.byte_offset,
            width: wanted.width,
            component: accessor.component_type,
            normalized: accessor.normalized,
            ..indices
        };
        let indices = self.decode(&indices, &place)?;
        let own = self.decode(&own, &place)?;
        for (index, own) in indices.iter().zip(own.chunks_exact(wanted.width)) {
            let start = as_index(*index) as usize * wanted.width;
            let Some(element) = values.get_mut(start..start + wanted.width) else {
                let all = grouped(accessor.count as u64);
                return Err(Fault::whole(format!(
                    "{place} replaces element {index} of {all}; export the file again"
                )));
            };
            element.copy_from_slice(own);
        }
        Ok(())
    }

    /// Decodes a run of elements whose component type is known to be one.
    fn decode(&self, run: &Run, place: &str) -> Result<Vec<f64>, Fault> {
        let component = component(run.component, run.normalized)
            .ok_or_else(|| wrong_component(place, run.component))?;
        let element = run.width * component.size;
        let (bytes, stride) = self.window(run, element, place)?;
        let mut values = Vec::with_capacity(run.count * run.width);
        for start in (0..run.count).map(|i| i * stride) {
            let parts = bytes[start..start + element].chunks_exact(component.size);
            values.extend(parts.map(component.decode));
        }
        Ok(values)
    }

    /// The bytes of a view, decompressed if they are not.
    pub(super) fn bytes(&self, index: usize, place: &str) -> Result<&[u8], Fault> {
        let view = self.root.view(index, place)?;
        let user = format!("buffer view {index}");
        let Some(meshopt) = view.meshopt() else {
            return self.slice(view.buffer, view.byte_offset, view.byte_length, &user);
        };
        if let Some(known) = self.decoded[index].get() {
            return Ok(known);
        }
        let stream = self.slice(meshopt.buffer, meshopt.byte_offset, meshopt.byte_length, &user)?;
        self.spend(meshopt.count.saturating_mul(meshopt.byte_stride))?;
        let bytes = meshopt::decode(meshopt, stream, &user)?;
        Ok(self.decoded[index].get_or_init(|| bytes))
    }

    /// Bytes of a buffer.
    fn slice(&self, index: usize, start: usize, length: usize, user: &str) -> Result<&[u8], Fault> {
        let buffer = named(&self.buffers, index, ("buffer", "buffers"), user)?;
        let end = start.checked_add(length);
        end.and_then(|end| buffer.get(start..end)).ok_or_else(|| {
            let held = grouped(buffer.len() as u64);
            Fault::whole(format!(
                "{user} reaches beyond buffer {index}, which has {held} bytes; the file is truncated or damaged"
            ))
        })
    }

    /// The bytes from the first element to the end of its view, checked to hold them all, and their
    /// stride.
    fn window(&self, run: &Run, element: usize, place: &str) -> Result<(&[u8], usize), Fault> {
        let view = self.root.view(run.view, place)?;
        let user = format!("buffer view {}", run.view);
        let bytes = self.bytes(run.view, place)?;
        let stride = view.byte_stride.unwrap_or(element);
        if stride < element {
            return Err(Fault::whole(format!(
                "{user} has its elements {stride} bytes apart, but those of {place} take {element}; export the file again"
            )));
        }
        let needed = (run.count - 1).checked_mul(stride).and_then(|n| n.checked_add(element));
        let own = bytes.get(run.offset..).filter(|own| needed.is_some_and(|n| n <= own.len()));
        own.map(|own| (own, stride)).ok_or_else(|| {
            let (count, held) = (grouped(run.count as u64), grouped(bytes.len() as u64));
            Fault::whole(format!(
                "{place} wants {count} elements from byte {} on, beyond the {held} bytes of {user}; the file is truncated or damaged",
                run.offset
            ))
        })
    }
}

/// Elements in a buffer view.
struct Run {
    view: usize,
    offset: usize,
    count: usize,
    width: usize,
    component: u32,
    normalized: bool,
}

/// Numbers of an accessor, all finite.
fn finite(values: Vec<f64>, wanted: Wanted, place: &str) -> Result<Vec<f64>, Fault> {
    let Some(at) = values.iter().position(|value| !value.is_finite()) else { return Ok(values) };
    Err(Fault::whole(format!(
        "{place}: component {} of element {} is {}; give it a number",
        at % wanted.width,
        at / wanted.width,
        values[at]
    )))
}

fn check(accessor: &Accessor, wanted: Wanted, place: &str) -> Result<(), Fault> {
    if accessor.shape != wanted.shape {
        let found = crate::text::quote(accessor.shape.as_bytes());
        return Err(Fault::whole(format!(
            "{place} is {found}; it must be {}, so export the file again",
            wanted.shape
        )));
    }
    if wanted.components.contains(&accessor.component_type) {
        Ok(())
    } else {
        Err(wrong_component(place, accessor.component_type))
    }
}

fn wrong_component(place: &str, component: u32) -> Fault {
    Fault::whole(format!(
        "{place} has the component type {component}, which is none that it may have; export the file again"
    ))
}

/// A number that was decoded from an unsigned integer of up to 32 bits.
#[expect(clippy::cast_sign_loss, reason = "it was decoded from an unsigned integer")]
pub(super) fn as_index(value: f64) -> u32 {
    value as u32
}

/// How one number is written.
pub(super) struct ComponentType {
    pub(super) size: usize,
    pub(super) decode: fn(&[u8]) -> f64,
}

/// The decoder of a component type. Chunks have its size, so that the fallback in each is never
/// met.
pub(super) fn component(kind: u32, normalized: bool) -> Option<ComponentType> {
    fn u16_of(bytes: &[u8]) -> u16 {
        bytes.first_chunk().map_or(0, |b| u16::from_le_bytes(*b))
    }
    fn u32_of(bytes: &[u8]) -> u32 {
        bytes.first_chunk().map_or(0, |b| u32::from_le_bytes(*b))
    }
    let (size, decode): (_, fn(&[u8]) -> f64) = match (kind, normalized) {
        (I8, false) => (1, |b| f64::from(b[0].cast_signed())),
        // The most negative integer means −1 as well.
        (I8, true) => (1, |b| (f64::from(b[0].cast_signed()) / 127.0).max(-1.0)),
        (U8, false) => (1, |b| f64::from(b[0])),
        (U8, true) => (1, |b| f64::from(b[0]) / 255.0),
        (I16, false) => (2, |b| f64::from(u16_of(b).cast_signed())),
        (I16, true) => (2, |b| (f64::from(u16_of(b).cast_signed()) / 32767.0).max(-1.0)),
        (U16, false) => (2, |b| f64::from(u16_of(b))),
        (U16, true) => (2, |b| f64::from(u16_of(b)) / 65535.0),
        (U32, false) => (4, |b| f64::from(u32_of(b))),
        (F32, _) => (4, |b| f64::from(f32::from_bits(u32_of(b)))),
        _ => return None,
    };
    Some(ComponentType { size, decode })
}
