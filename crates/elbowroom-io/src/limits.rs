//! Every limit of the readers, in one place.
//!
//! A file may be damaged or hostile. What it can make a reader do is bounded: how deep things nest,
//! how many there are, how many bytes they become. Beyond a limit the reader stops with an error
//! that names the file, the place and the limit. Each limit is far beyond what people make, and far
//! from where the program would fail. `docs/limits.md` shows this table, and a test compares the
//! two.
//!
//! A chain of glTF or FBX nodes, of URDF links or BVH joints, and the list of groups of an OBJ have
//! no limit of depth: they are walked without recursion, and only their number is bounded. A scene
//! file cannot name another.

/// How many bytes a compressed file may decompress to, unless the caller allows more: 1 GiB.
pub const DECOMPRESSED_BYTES: u64 = 1 << 30;

/// How many bytes the data of one file may take once decoded, unless the caller allows more: 2 GiB.
///
/// A small file may name one mesh a million times.
pub const DECODED_BYTES: u64 = 2 << 30;

/// How many times its compressed size a file may decompress to, once that is beyond
/// [`EXPANSION_FREE_BYTES`].
///
/// Meshes as text shrink 3 to 30 times, and deflate can do 1,032 at most.
pub const EXPANSION: u64 = 100;

/// Up to this size, any expansion is fine: 64 MiB.
pub const EXPANSION_FREE_BYTES: u64 = 64 << 20;

/// How deep XML elements may nest, those of included files among them.
pub const XML_NESTING: usize = 200;

/// How many attributes one XML element may have; each is compared with all before it.
pub const XML_ATTRIBUTES: usize = 256;

/// How many names of namespaces an XML file may declare; each element that declares one compares
/// them all.
pub const XML_NAMESPACES: usize = 64;

/// How many declarations of namespaces an XML file may have.
pub const XML_DECLARATIONS: usize = 100_000;

/// How many nodes an XML file may have: elements, texts and comments.
pub const XML_NODES: u32 = 16 << 20;

/// How large each XML file of a robot (MJCF, URDF, SRDF) may be: 64 MiB.
pub const ROBOT_XML_BYTES: usize = 64 << 20;

/// How deep MJCF files may include each other.
pub const INCLUDE_NESTING: usize = 64;

/// How many files an MJCF model may include in all.
pub const INCLUDED_FILES: usize = 4096;

/// How many elements all files of an MJCF model may have together.
pub const MJCF_ELEMENTS: usize = 2_000_000;

/// How deep MJCF models may attach models.
pub const MODEL_NESTING: usize = 4;

/// How deep MJCF default classes may nest: each look-up walks up to the first.
pub const DEFAULT_NESTING: usize = 32;

/// How many models an MJCF model may attach in all.
pub const MODELS: usize = 64;

/// How many bodies, joints, shapes and copies a robot (MJCF, URDF) may have together.
pub const ROBOT_THINGS: usize = 200_000;

/// How many elements of an MJCF model may be walked, in copies and attached models again.
pub const MJCF_SEARCHED: usize = 20_000_000;

/// How many bytes the names of an MJCF model may have, as prefixes and copies make them: 256 MiB.
pub const MJCF_NAME_BYTES: usize = 256 << 20;

/// How many joints of a robot may follow each other in a chain (`mimic`).
pub const MIMIC_NESTING: usize = 64;

/// How many pairs of joined links may be allowed to touch.
pub const JOINED_PAIRS: usize = 1 << 20;

/// How deep JSON may nest (glTF, poses).
pub const JSON_NESTING: usize = 128;

/// How many objects and lists the JSON of a glTF may hold: a parsed one takes some 250 bytes, its
/// text may be 3.
///
/// A character with a hundred clips has some 50,000.
pub const GLTF_OBJECTS: usize = 2_000_000;

/// How deep TOML may nest in one key or value of a scene file.
pub const TOML_NESTING: usize = 80;

/// How large a scene file may be: 16 MiB. One with a thousand characters has 100 kB.
pub const SCENE_FILE_BYTES: u64 = 16 << 20;

/// How deep the records of an FBX may nest.
pub const FBX_NESTING: usize = 33;

/// How much XML a 3MF may decompress to, over all its parts: 256 MiB, some three million triangles.
pub const THREEMF_XML_BYTES: u64 = 256 << 20;

/// How deep the assemblies of a 3MF may nest.
pub const ASSEMBLY_NESTING: usize = 64;

/// How many objects the build of a 3MF may place, assemblies among them.
pub const PLACED_OBJECTS: usize = 1 << 16;

/// How many triangles the build of a 3MF may place: 16 million.
pub const PLACED_TRIANGLES: usize = 16 << 20;

/// The longest header of an NPZ array; those that `NumPy` writes have some hundred bytes.
pub const NPY_HEADER_BYTES: usize = 64 << 10;

/// How many corners all faces of an NPZ may have together: 22 million triangles.
pub const NPZ_CORNERS: usize = 1 << 26;

/// How many pieces one file may be split into; a file of loose triangles has one for each.
pub const PIECES: usize = 1 << 16;

/// How many corners a concave face may have; the time to cut it grows with their square at worst.
pub const CONCAVE_CORNERS: usize = elbowroom::Mesh::MOST_CONCAVE_CORNERS;

/// A limit as `docs/limits.md` shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The thing that is limited.
    pub what: &'static str,
    /// The most of it that is read.
    pub most: Most,
}

/// The unit of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Most {
    /// Levels or things.
    Count(u64),
    /// Bytes.
    Bytes(u64),
    /// A multiple of the compressed size.
    Times(u64),
}

impl std::fmt::Display for Most {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Count(count) => f.write_str(&crate::text::grouped(count)),
            Self::Bytes(bytes) => f.write_str(&size(bytes)),
            Self::Times(times) => write!(f, "{times} times"),
        }
    }
}

/// A number of bytes for people: `64 KiB`, `256 MiB`, `1 GiB`.
pub(crate) fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.into_iter().find(|(shift, _)| bytes >= 1 << shift) {
        Some((shift, unit)) if bytes.is_multiple_of(1 << shift) => {
            format!("{} {unit}", bytes >> shift)
        }
        Some((shift, unit)) => format!("{:.1} {unit}", bytes as f64 / (1_u64 << shift) as f64),
        None => crate::text::counted(usize::try_from(bytes).unwrap_or(usize::MAX), "byte", "bytes"),
    }
}

const fn count(what: &'static str, most: usize) -> Limit {
    Limit { what, most: Most::Count(most as u64) }
}

const fn bytes(what: &'static str, most: u64) -> Limit {
    Limit { what, most: Most::Bytes(most) }
}

/// All limits, as `docs/limits.md` lists them.
pub const ALL: &[Limit] = &[
    count("levels of XML elements (MJCF, URDF, 3MF), with includes", XML_NESTING),
    count("levels of MJCF files that include each other", INCLUDE_NESTING),
    count("levels of MJCF models that attach each other", MODEL_NESTING),
    count("joints that follow each other in a chain (`mimic` of a URDF)", MIMIC_NESTING),
    count("levels of MJCF default classes", DEFAULT_NESTING),
    count("levels of JSON (glTF, poses)", JSON_NESTING),
    count("levels of TOML in one key or value of a scene file", TOML_NESTING),
    count("levels of records in an FBX", FBX_NESTING),
    count("levels of assemblies in a 3MF", ASSEMBLY_NESTING),
    bytes("a compressed file, decompressed (`--max-size`)", DECOMPRESSED_BYTES),
    bytes("the data of one file, decoded (`--max-size`)", DECODED_BYTES),
    Limit {
        what: "how far a compressed file may expand (no limit with `--max-size`)",
        most: Most::Times(EXPANSION),
    },
    bytes("size up to which it may expand without that limit", EXPANSION_FREE_BYTES),
    bytes("each XML file of a robot (MJCF, URDF, SRDF)", ROBOT_XML_BYTES as u64),
    bytes("all XML of a 3MF", THREEMF_XML_BYTES),
    bytes("a scene file", SCENE_FILE_BYTES),
    bytes("the header of an NPZ array", NPY_HEADER_BYTES as u64),
    bytes("all names of an MJCF model", MJCF_NAME_BYTES as u64),
    count("nodes of an XML file: elements, texts, comments", XML_NODES as usize),
    count("attributes of one XML element", XML_ATTRIBUTES),
    count("names of namespaces in an XML file", XML_NAMESPACES),
    count("declarations of namespaces in an XML file", XML_DECLARATIONS),
    count("files that an MJCF model includes", INCLUDED_FILES),
    count("elements of all files of an MJCF model", MJCF_ELEMENTS),
    count("models that an MJCF model attaches", MODELS),
    count("elements of an MJCF model that are visited, with copies", MJCF_SEARCHED),
    count("bodies, joints, shapes and copies of a robot", ROBOT_THINGS),
    count("pairs of joined links that may touch", JOINED_PAIRS),
    count("objects and lists in the JSON of a glTF", GLTF_OBJECTS),
    count("objects that the build of a 3MF places", PLACED_OBJECTS),
    count("triangles that the build of a 3MF places", PLACED_TRIANGLES),
    count("corners of all faces of an NPZ", NPZ_CORNERS),
    count("objects that one file is split into (`--split`)", PIECES),
    count("corners of a concave face", CONCAVE_CORNERS),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_well() {
        let given = [1, 999, 64 << 10, 256 << 20, 1 << 30, 3 << 29].map(size);
        assert_eq!(given, ["1 byte", "999 bytes", "64 KiB", "256 MiB", "1 GiB", "1.5 GiB"]);
    }
}
