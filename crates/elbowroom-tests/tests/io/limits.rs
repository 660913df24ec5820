//! Every kind of nesting, at its limit and far beyond, on a thread with a small stack; and what
//! small files expand to.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use elbowroom_io::limits::{
    self, ASSEMBLY_NESTING, DEFAULT_NESTING, FBX_NESTING, INCLUDE_NESTING, JSON_NESTING,
    MIMIC_NESTING, MODEL_NESTING, TOML_NESTING, XML_NESTING,
};
use elbowroom_io::{ReadOptions, VertexFrames, poses, read_document, read_scene};
use elbowroom_testkit::folder::Folder;
use elbowroom_testkit::nesting::{KINDS, Nested, zip};

/// Half of what threads get that are not the first.
const SMALL_STACK: usize = 1 << 20;

/// How many levels are far beyond: of files, and within one.
const FAR: [usize; 2] = [2000, 40_000];

/// What ends a kind of nesting: the deepest that is read, and the limit that the message names.
fn end(kind: &str) -> Option<(usize, usize)> {
    Some(match kind {
        "MJCF includes" | "MJCF bodies over includes" => (INCLUDE_NESTING, INCLUDE_NESTING),
        // Around the bodies are <mujoco> and <worldbody>, in them a <geom>.
        "MJCF bodies" => (XML_NESTING - 2, XML_NESTING),
        "MJCF default classes" => (DEFAULT_NESTING, DEFAULT_NESTING),
        "MJCF models" => (MODEL_NESTING, MODEL_NESTING),
        "URDF elements" => (XML_NESTING, XML_NESTING),
        "URDF mimics" => (MIMIC_NESTING, MIMIC_NESTING),
        "3MF assemblies" => (ASSEMBLY_NESTING, ASSEMBLY_NESTING),
        "3MF elements" => (XML_NESTING - 1, XML_NESTING),
        // The file itself, the list of meshes and the mesh stand around.
        "glTF JSON" => (JSON_NESTING - 4, JSON_NESTING),
        "FBX records" => (FBX_NESTING, FBX_NESTING),
        "TOML lists" | "TOML tables" => (TOML_NESTING, TOML_NESTING),
        // The last key is within all others.
        "TOML keys" | "TOML headers" => (TOML_NESTING - 1, TOML_NESTING),
        // Walked without recursion; and poses, of which a list in a list in a list is refused where
        // it begins.
        "URDF links" | "glTF nodes" | "FBX nodes" | "BVH joints" | "OBJ groups" | "JSON poses" => {
            return None;
        }
        _ => panic!("{kind} is not known here"),
    })
}

fn put(folder: &Folder, nested: &Nested) -> PathBuf {
    let paths: Vec<_> = nested.files.iter().map(|(name, text)| folder.file(name, text)).collect();
    paths[0].clone()
}

/// Reads a file on a thread with a small stack, and drops what was read there.
fn read(path: &Path) -> Result<(), String> {
    let path = path.to_owned();
    let work = move || match path.extension().and_then(|ending| ending.to_str()) {
        Some("toml") => {
            read_scene(&path, &ReadOptions::default()).map(drop).map_err(|error| error.to_string())
        }
        Some("json") => poses::read(&path).map(drop),
        _ => read_document(&path, &ReadOptions::default())
            .map(drop)
            .map_err(|error| error.to_string()),
    };
    let thread = std::thread::Builder::new().stack_size(SMALL_STACK).spawn(work).expect("a thread");
    thread.join().expect("no panic")
}

#[test]
fn every_kind_of_nesting_ends_at_its_limit_and_not_before() {
    let (mut met, mut wrong) = (0, Vec::new());
    for (kind, make) in KINDS {
        // Shown where the stack overflows, of which a test cannot tell.
        println!("{kind}");
        let many = FAR[usize::from(make(2).files.len() < 3)];
        let Some((deepest, limit)) = end(kind) else {
            let folder = Folder::new("nesting");
            let read = read(&put(&folder, &make(many)));
            // Poses are the exception.
            if read.is_ok() != (*kind != "JSON poses") {
                wrong.push(format!("{kind}: {read:?}"));
            }
            met += 1;
            continue;
        };
        let folder = Folder::new("nesting");
        let message = |levels| {
            let message = read(&put(&folder, &make(levels))).err().unwrap_or_default();
            assert!(message.len() < 1000, "{kind}: {message}");
            message
        };
        let names = |message: &str, limit: usize| {
            let phrases = [format!("deeper than {limit}"), format!("more than {limit} others")];
            phrases.iter().any(|phrase| message.contains(phrase))
        };
        // At the limit it is read, but for what a scene file has no use for.
        let at = message(deepest);
        if !(at.is_empty() || (at.contains(".toml:") && !names(&at, limit))) {
            wrong.push(format!("{kind} at its limit: {at}"));
        }
        let beyond = message(deepest + 1);
        if !names(&beyond, limit) {
            wrong.push(format!("{kind} beyond its limit: {beyond}"));
        }
        // Far beyond it, another limit may come first.
        let far = message(many);
        if !(names(&far, limit) || names(&far, XML_NESTING)) {
            wrong.push(format!("{kind} far beyond its limit: {far}"));
        }
        met += 3;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(met, 15 * 3 + 6);
}

#[cfg(unix)]
#[test]
fn a_file_that_includes_itself_by_a_link_is_included_once() {
    let folder = Folder::new("links");
    let path = folder.file("a.xml", "<mujoco><include file=\"b/b.xml\"/></mujoco>");
    let next = "<mujoco><include file=\"b/b/b/b.xml\"/></mujoco>";
    folder.file("b.xml", next);
    std::os::unix::fs::symlink(".", folder.path().join("b")).expect("a link");
    let message = read(&path).expect_err("it is included again");
    assert!(message.contains("is included twice, or includes itself"), "{message}");
    // A link to itself is no file.
    std::os::unix::fs::symlink("c.xml", folder.path().join("c.xml")).expect("a link");
    let path = folder.file("d.xml", "<mujoco><include file=\"c.xml\"/></mujoco>");
    let message = read(&path).expect_err("it leads nowhere");
    assert!(message.contains("c.xml, which is not there"), "{message}");
}

#[test]
fn long_names_on_many_copies_end_at_a_limit() {
    let folder = Folder::new("names");
    let name = "n".repeat(1 << 20);
    let text = format!(
        "<mujoco><worldbody><replicate count=\"100000\" sep=\"{name}\"><body name=\"b\">\
         <geom size=\"1\"/></body></replicate></worldbody></mujoco>"
    );
    let message = read(&folder.file("a.xml", text)).expect_err("a hundred gigabytes of names");
    assert!(message.contains("names of the model take more than 256 MiB"), "{message}");
}

#[test]
fn copies_of_many_elements_that_mean_nothing_end_at_a_limit() {
    let folder = Folder::new("copies");
    let sites = "<site/>".repeat(10_000);
    let text = format!(
        "<mujoco><worldbody><replicate count=\"200000\">{sites}</replicate></worldbody></mujoco>"
    );
    let message = read(&folder.file("a.xml", text)).expect_err("two billion elements");
    assert!(message.contains("too much is copied or attached too often"), "{message}");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory takes what is written");
    encoder.finish().expect("memory takes what is written")
}

#[test]
fn small_files_do_not_expand_without_end() {
    let folder = Folder::new("bombs");
    let lines = "v 0 0 0\n".repeat(9 << 20);
    let comments = "#\n".repeat(40 << 20);
    let allowed = ReadOptions { max_decompressed_bytes: Some(1 << 30), ..ReadOptions::default() };
    let mut met = 0;
    for (name, text) in [
        ("a.obj.gz", &lines),
        ("b.obj.gz", &comments),
        ("c.stl.gz", &comments),
        ("d.glb.gz", &comments),
        ("e.xml.gz", &comments),
    ] {
        let path = folder.file(name, gzip(text.as_bytes()));
        let error = read_document(&path, &ReadOptions::default()).expect_err(name).to_string();
        assert!(error.contains("decompresses to more than 64 MiB and to more than 100"), "{error}");
        assert!(error.contains("--max-size") && !error.contains("max_decompressed"), "{error}");
        let error = read_document(&path, &allowed).expect_err(name).to_string();
        assert!(!error.contains("decompresses"), "{error}");
        met += 1;
    }
    assert_eq!(met, 5);
}

/// An array of zeros as `NumPy` saves it.
fn zeros(descr: &str, shape: &str, bytes: usize) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend(u16::try_from(header.len()).expect("a short header").to_le_bytes());
    out.extend(header.as_bytes());
    out.resize(out.len() + bytes, 0);
    out
}

#[test]
fn an_archive_of_zeros_is_refused_before_its_frames_are_read() {
    let folder = Folder::new("zeros");
    let faces = zeros("<i4", "(1, 3)", 12);
    // 72 MB in 70 kB.
    let many = zeros("<f4", "(2000000, 3, 3)", 72_000_000);
    let mut writer = zip_deflated(&[("vertices.npy", &many), ("faces.npy", &faces)]);
    let path = folder.file("a.npz", &writer);
    assert!(writer.len() < 200_000);
    let error = VertexFrames::open(&path).expect_err("a bomb").to_string();
    assert!(error.contains("array vertices decompresses to more than 64 MiB"), "{error}");
    let allowed = ReadOptions { max_decompressed_bytes: Some(1 << 30), ..ReadOptions::default() };
    assert_eq!(VertexFrames::open_with(&path, &allowed).expect("allowed").len(), 2_000_000);
    // Stored as it is, it has the size that it has.
    writer = zip(&[("vertices.npy", &many), ("faces.npy", &faces)]);
    assert_eq!(VertexFrames::open(&folder.file("b.npz", writer)).expect("plain").len(), 2_000_000);
}

fn zip_deflated(files: &[(&str, &[u8])]) -> Vec<u8> {
    let options = zip::write::SimpleFileOptions::default();
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, options).expect("a file in a zip");
        writer.write_all(bytes).expect("bytes in a zip");
    }
    writer.finish().expect("a zip").into_inner()
}

#[test]
fn half_floats_are_read() {
    // 0, 1, −2, the smallest, the largest below infinity, 1/3 rounded.
    let halves: [(u16, f64); 6] = [
        (0x0000, 0.0),
        (0x3c00, 1.0),
        (0xc000, -2.0),
        (0x0001, 5.960_464_477_539_063e-8),
        (0x7bff, 65504.0),
        (0x3555, 0.333_251_953_125),
    ];
    let mut vertices = zeros("<f2", "(2, 3)", 0);
    vertices.extend(halves.iter().flat_map(|(bits, _)| bits.to_le_bytes()));
    let faces = zeros("<i4", "(1, 3)", 12);
    let folder = Folder::new("halves");
    let path = folder.file("a.npz", zip(&[("v.npy", &vertices), ("f.npy", &faces)]));
    let mut frames = VertexFrames::open(&path).expect("half floats");
    let mut points = Vec::new();
    frames.read(0, &mut points).expect("a frame");
    let read: Vec<f64> = points.iter().flat_map(glam::DVec3::to_array).collect();
    assert_eq!(read, halves.map(|(_, value)| value));
}

#[test]
fn the_document_lists_every_limit() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/limits.md");
    let text = std::fs::read_to_string(path).expect("docs/limits.md");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).collect();
    for limit in limits::ALL {
        let row = format!("| {} | {} |", limit.what, limit.most);
        assert!(rows.contains(&&*row), "docs/limits.md lacks the row\n{row}");
    }
    // And a heading.
    assert_eq!(rows.len(), limits::ALL.len() + 1);
}
