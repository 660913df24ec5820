//! A packed tree as bytes, and back.
//!
//! ```text
//!   "elbowpak"  version u32  flags u32
//!   mesh u64    hash of the mesh's vertices and triangles: a tree is of no use to another mesh
//!   blocks, ids, starts, islands: u64 each, how many there are
//!   blocks (256 bytes each), ids (4), starts (4), islands (48)
//!   sum u64     hash of everything before
//! ```
//!
//! All numbers are little-endian. Records are not stored: they are made from the mesh again.
//! Reading checks the hashes and everything that a query relies on not to fail; bytes that were
//! damaged, cut short or belong to something else are an error. The hashes guard against accidents,
//! not against forgery: a forged tree can hide contacts, but not crash a query;
//! [`Packed::validate`] finds it out.

use std::fmt;

use glam::DVec3;

use super::packed::{ChildRef, Island, Packed};
use crate::internal::arch::Block;
use crate::internal::exact::pack_triangle;
use crate::internal::geom::mesh::Mesh;

const MAGIC: &[u8; 8] = b"elbowpak";
const VERSION: u32 = 4;
const HEAD: usize = 8 + 4 + 4 + 8 + 4 * 8;
/// Origin, reach, radius and root of an island.
const ISLAND: usize = 6 * 8;

impl Packed {
    /// The tree as bytes, to read again for the same mesh.
    pub fn to_bytes(&self, mesh: &Mesh) -> Vec<u8> {
        let words = 64 * self.blocks.len() + self.ids.len() + self.starts.len();
        let mut bytes = Vec::with_capacity(HEAD + 4 * words + ISLAND * self.islands.len() + 8);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend(hash_of_mesh(mesh).to_le_bytes());
        let counts = [&self.ids, &self.starts].map(Vec::len);
        for count in [self.blocks.len(), counts[0], counts[1], self.islands.len()] {
            bytes.extend((count as u64).to_le_bytes());
        }
        for number in self.blocks.iter().flat_map(|block| block.0.as_flattened()) {
            bytes.extend(number.to_bits().to_le_bytes());
        }
        for word in self.ids.iter().chain(&self.starts) {
            bytes.extend(word.to_le_bytes());
        }
        for island in &self.islands {
            for number in island.origin.to_array().into_iter().chain([island.reach, island.radius])
            {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend(u64::from(island.root).to_le_bytes());
        }
        let sum = Self::sum_of(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The checksum of a stored tree, which is its last eight bytes.
    #[doc(hidden)]
    pub fn sum_of(bytes: &[u8]) -> u64 {
        let mut sum = Hash::default();
        sum.bytes(bytes);
        sum.value()
    }

    /// The tree that [`to_bytes`](Self::to_bytes) made for this mesh.
    ///
    /// # Errors
    /// If the bytes are not a tree, not of this version, damaged or of another mesh.
    pub fn from_bytes(bytes: &[u8], mesh: &Mesh) -> Result<Self, StoreError> {
        let mut left = Reader(bytes);
        if left.take(8)? != MAGIC {
            return Err(StoreError::NotATree);
        }
        match left.word()? {
            VERSION => {}
            version => return Err(StoreError::Version(version)),
        }
        // Nothing in it yet, and nothing that this version could pass over.
        let flags = left.word()?;
        let of_mesh = left.long()?;
        let counts = [left.long()?, left.long()?, left.long()?, left.long()?];
        check_sum(bytes)?;
        if of_mesh != hash_of_mesh(mesh) {
            return Err(StoreError::OtherMesh);
        }
        let sizes = [256, 4, 4, ISLAND as u64];
        let body = counts.iter().zip(sizes).try_fold(HEAD as u64 + 8, |sum, (&count, size)| {
            sum.checked_add(count.checked_mul(size)?)
        });
        if flags != 0 || body != Some(bytes.len() as u64) {
            return Err(StoreError::Damaged);
        }
        let [blocks, ids, starts, islands] = counts.map(|count| count as usize);
        let blocks = (0..blocks).map(|_| left.block()).collect::<Result<_, _>>()?;
        let ids = (0..ids).map(|_| left.word()).collect::<Result<_, _>>()?;
        let starts = (0..starts).map(|_| left.word()).collect::<Result<_, _>>()?;
        let islands = (0..islands).map(|_| left.island()).collect::<Result<_, _>>()?;
        let mut packed = Self { blocks, records: Vec::new(), ids, starts, islands };
        packed.restore(mesh).ok_or(StoreError::Damaged)?;
        Ok(packed)
    }

    /// Makes the records again and checks what queries rely on.
    fn restore(&mut self, mesh: &Mesh) -> Option<()> {
        let count = mesh.triangles().len();
        let sound = self.ids.len() == count
            && self.ids.iter().all(|&id| (id as usize) < count)
            && self.islands.iter().all(|island| {
                let sound = 0.0..=8.0 * Self::LARGEST;
                island.origin.is_finite()
                    && [island.reach, island.radius].iter().all(|r| sound.contains(r))
            })
            && self.leads_on();
        let shared = !self.starts.is_empty();
        let rising = self.starts.windows(2).all(|pair| pair[0] < pair[1])
            && self.starts.first().is_none_or(|&first| first == 0)
            && self.starts.last().is_none_or(|&last| last as usize == count);
        if !sound || !rising || count >= ChildRef::RECORDS {
            return None;
        }
        let firsts: Vec<u32> = if shared {
            self.starts[..self.starts.len() - 1].iter().map(|&at| self.ids[at as usize]).collect()
        } else {
            self.ids.clone()
        };
        self.records = firsts.iter().map(|&id| pack_triangle(mesh.triangle(id as usize))).collect();
        let mut is_below = vec![false; self.blocks.len()];
        (0..self.blocks.len()).all(|block| self.is_sound(block, &mut is_below)).then_some(())
    }

    /// Whether everything below a block is there and below no other block: so that no traversal
    /// goes again and again where it has been. That blocks come after what they are below is known.
    fn is_sound(&self, block: usize, is_below: &mut [bool]) -> bool {
        (0..4).all(|lane| {
            let below = ChildRef(self.blocks[block].0[15][lane].to_bits());
            match self.block_below(below) {
                // Where nothing is, the box must be one that meets nothing.
                _ if below == ChildRef::NOTHING => self.blocks[block].0[12][lane] <= -1.0,
                // And where something is, one that counts as a box: NaN does not.
                _ if self.blocks[block].0[12][lane].is_nan() => false,
                Some(child) => !std::mem::replace(&mut is_below[child], true),
                None => below.records().end as usize <= self.records.len(),
            }
        })
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], StoreError> {
        let (taken, left) = self.0.split_at_checked(count).ok_or(StoreError::Damaged)?;
        self.0 = left;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, StoreError> {
        let bytes = self.take(4)?.try_into().map_err(|_| StoreError::Damaged)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn long(&mut self) -> Result<u64, StoreError> {
        let bytes = self.take(8)?.try_into().map_err(|_| StoreError::Damaged)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn number(&mut self) -> Result<f64, StoreError> {
        Ok(f64::from_bits(self.long()?))
    }

    fn island(&mut self) -> Result<Island, StoreError> {
        let origin = DVec3::new(self.number()?, self.number()?, self.number()?);
        let (reach, radius) = (self.number()?, self.number()?);
        let root = u32::try_from(self.long()?).map_err(|_| StoreError::Damaged)?;
        Ok(Island { origin, reach, radius, root })
    }

    fn block(&mut self) -> Result<Block, StoreError> {
        let mut block = Block([[0.0; 4]; 16]);
        for number in block.0.as_flattened_mut() {
            *number = f32::from_bits(self.word()?);
        }
        Ok(block)
    }
}

fn check_sum(bytes: &[u8]) -> Result<(), StoreError> {
    let (body, sum) = bytes.split_last_chunk::<8>().ok_or(StoreError::Damaged)?;
    let is_right = Packed::sum_of(body) == u64::from_le_bytes(*sum);
    if is_right { Ok(()) } else { Err(StoreError::Damaged) }
}

fn hash_of_mesh(mesh: &Mesh) -> u64 {
    let mut hash = Hash::default();
    for vertex in mesh.vertices() {
        for coordinate in vertex.to_array() {
            hash.word(coordinate.to_bits());
        }
    }
    for triangle in mesh.triangles() {
        for &vertex in triangle {
            hash.word(u64::from(vertex));
        }
    }
    hash.value()
}

/// A 64-bit hash, a multiplication a word: mixes with the finaliser of Steele, Lea and Flood's
/// `SplittableRandom` (2014).
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }
}

impl Hash {
    fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        self.0 = mixed ^ mixed >> 29;
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for &word in words {
            self.word(u64::from_le_bytes(word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.word(u64::from_le_bytes(last));
        self.word(bytes.len() as u64);
    }

    fn value(&self) -> u64 {
        let mixed = self.0.wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }
}

/// Why bytes are not a packed tree for a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreError {
    /// The bytes do not begin like a stored tree.
    NotATree,
    /// The bytes were written by another version.
    Version(u32),
    /// The bytes were truncated or changed.
    Damaged,
    /// The tree was made for another mesh.
    OtherMesh,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATree => write!(f, "these bytes are not a packed tree"),
            Self::Version(version) => write!(
                f,
                "the packed tree is of version {version}, and this is version {VERSION}: build it again"
            ),
            Self::Damaged => {
                write!(f, "the packed tree was truncated or changed: build it again")
            }
            Self::OtherMesh => {
                write!(f, "the packed tree was made for another mesh: build it for this one")
            }
        }
    }
}

impl std::error::Error for StoreError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extent_that_is_no_number_is_refused() {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let mesh = Mesh::new(corners, faces).unwrap();
        let mut packed = Packed::build(&mesh).unwrap();
        assert!(Packed::from_bytes(&packed.to_bytes(&mesh), &mesh).is_ok());
        packed.blocks[0].0[12][0] = f32::NAN;
        let forged = packed.to_bytes(&mesh);
        assert_eq!(Packed::from_bytes(&forged, &mesh), Err(StoreError::Damaged));
    }
}
