//! FBX: small text files written here, bad ones, any bytes, and by hand what Blender writes.
//!
//! There is no FBX among the data. `blender_values.py` beside this file makes some with Blender,
//! and says where Blender puts the vertices; then run `ELBOWROOM_FBX=FOLDER cargo test -p
//! elbowroom-tests --test io fbx:: -- --ignored --nocapture`.

use std::cell::Cell;
use std::fmt::Write as _;
use std::path::Path;

use elbowroom_io::{Axis, Document, LEFT_OUT, ParseError, ReadOptions, Source, fbx, read_document};
use elbowroom_motion::body::{Hold, Part, Poser, Rig};
use glam::DVec3;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use serde_json::Value;

/// What a second is in the file's ticks.
const SECOND: i64 = 46_186_158_000;

/// What differs from file to file.
struct Sheet {
    /// Axes: up, front, right, each with its sign.
    axes: [(i32, i32); 3],
    corners: &'static str,
    upper_weights: &'static str,
    /// More objects and connections.
    more: [String; 2],
}

impl Default for Sheet {
    fn default() -> Self {
        Self {
            axes: [(2, 1), (1, -1), (0, 1)],
            corners: "0,1,3,-3,2,3,5,-5",
            upper_weights: "0.5,0.5,1,1",
            more: [String::new(), String::new()],
        }
    }
}

impl Sheet {
    /// A sheet of two squares, one above the other, on two bones; the upper bends by a right angle
    /// within a second. The seventh vertex has no bone and no face. Units are inches.
    fn text(&self) -> String {
        let mut axes = String::new();
        for (name, (axis, sign)) in ["Up", "Front", "Coord"].iter().zip(self.axes) {
            let _ = writeln!(axes, "P: \"{name}Axis\", \"int\", \"Integer\", \"\",{axis}");
            let _ = writeln!(axes, "P: \"{name}AxisSign\", \"int\", \"Integer\", \"\",{sign}");
        }
        let matrix = |y: i32| format!("1,0,0,0,0,1,0,0,0,0,1,0,0,{y},0,1");
        let cluster = |id: u32, vertices: &str, weights: &str, y: i32| {
            format!(
                "Deformer: {id}, \"SubDeformer::\", \"Cluster\" {{\nVersion: 100\nIndexes: *4 {{ a: {vertices} }}\nWeights: *4 {{ a: {weights} }}\n\
                 Transform: *16 {{ a: {} }}\nTransformLink: *16 {{ a: {} }}\n}}\n",
                matrix(-y),
                matrix(y),
            )
        };
        let model = |id: u32, name: &str, kind: &str, y: i32| {
            format!(
                "Model: {id}, \"Model::{name}\", \"{kind}\" {{\nVersion: 232\nProperties70: {{\n\
                 P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,{y},0\n}}\n}}\n"
            )
        };
        let objects = [
            format!(
                "Geometry: 100, \"Geometry::sheet\", \"Mesh\" {{\nVertices: *21 {{ a: 0,0,0,1,0,0,0,1,0,1,1,0,0,2,0,1,2,0,7,7,7 }}\n\
                 PolygonVertexIndex: *8 {{ a: {} }}\nGeometryVersion: 124\n}}\n",
                self.corners
            ),
            model(200, "sheet", "Mesh", 0),
            model(201, "lower", "LimbNode", 0),
            model(202, "upper", "LimbNode", 1),
            "Deformer: 300, \"Deformer::\", \"Skin\" {\nVersion: 101\n}\n".to_owned(),
            cluster(301, "0,1,2,3", "1,1,0.5,0.5", 0),
            cluster(302, "2,3,4,5", self.upper_weights, 1),
            "AnimationStack: 400, \"AnimStack::bend\", \"\" {\n}\nAnimationLayer: 401, \"AnimLayer::base\", \"\" {\n}\n".to_owned(),
            "AnimationCurveNode: 402, \"AnimCurveNode::R\", \"\" {\nProperties70: {\nP: \"d|Z\", \"Number\", \"\", \"A\",0\n}\n}\n".to_owned(),
            curve(403, &[(0, 0.0), (SECOND, 90.0)]),
        ];
        let connections = "C: \"OO\",200,0\nC: \"OO\",201,0\nC: \"OO\",202,201\nC: \"OO\",100,200\nC: \"OO\",300,100\nC: \"OO\",301,300\nC: \"OO\",302,300\n\
            C: \"OO\",201,301\nC: \"OO\",202,302\nC: \"OO\",401,400\nC: \"OO\",402,401\nC: \"OP\",402,202, \"Lcl Rotation\"\nC: \"OP\",403,402, \"d|Z\"\n";
        format!(
            "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}}\nGlobalSettings:  {{\nVersion: 1000\n\
             Properties70:  {{\n{axes}P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",2.54\nP: \"TimeMode\", \"enum\", \"\", \"\",6\n}}\n}}\n\
             Objects:  {{\n{}{}}}\nConnections:  {{\n{connections}{}}}\n",
            objects.concat(),
            self.more[0],
            self.more[1],
        )
    }
}

/// A curve of straight lines.
fn curve(id: u32, keys: &[(i64, f64)]) -> String {
    let list = |words: Vec<String>| words.join(",");
    let times = list(keys.iter().map(|key| key.0.to_string()).collect());
    let values = list(keys.iter().map(|key| key.1.to_string()).collect());
    let count = keys.len();
    format!(
        "AnimationCurve: {id}, \"AnimCurve::\", \"\" {{\nDefault: 0\nKeyVer: 4008\nKeyTime: *{count} {{ a: {times} }}\nKeyValueFloat: *{count} {{ a: {values} }}\n\
         KeyAttrFlags: *1 {{ a: 4 }}\nKeyAttrDataFloat: *4 {{ a: 0,0,0,0 }}\nKeyAttrRefCount: *1 {{ a: {count} }}\n}}\n"
    )
}

fn parse(text: &str) -> Result<Document, ParseError> {
    fbx::parse(text.as_bytes(), None, &ReadOptions::default())
}

fn posed(rig: &Rig, clip: Option<usize>, time: f64) -> Vec<Vec<DVec3>> {
    let mut pose = rig.rest_pose();
    if let Some(clip) = clip {
        rig.clips[clip].sample(time, &mut pose);
    }
    let mut poser = Poser::new();
    poser.set(rig, &pose);
    let of_part = |part| {
        let mut out = Vec::new();
        poser.part(rig, part, &mut out);
        out
    };
    (0..rig.parts.len()).map(of_part).collect()
}

fn close(points: &[DVec3], expected: &[[f64; 3]]) {
    assert_eq!(points.len(), expected.len());
    for (point, expected) in points.iter().zip(expected) {
        assert!(point.distance(DVec3::from_array(*expected)) < 1e-6, "{points:?} {expected:?}");
    }
}

#[test]
fn a_sheet_on_two_bones_bends() {
    let document = parse(&Sheet::default().text()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(document.notes, Vec::<String>::new());
    assert!((document.units.metres_per_unit - 0.0254).abs() < 1e-12);
    assert_eq!(
        (document.units.source, document.up.axis, document.up.source),
        (Source::File, Axis::Z, Source::File)
    );
    let rig = &document.rigs[0];
    let names: Vec<&str> = rig.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["root", "sheet", "lower", "upper"]);
    assert_eq!(rig.parts[0].mesh.triangles().len(), 4);
    assert!(matches!(rig.parts[0].hold, Hold::Skinned(_)));
    let clip = &rig.clips[0];
    assert_eq!((clip.name(), clip.start(), clip.end()), ("bend", 0.0, 1.0));
    close(&posed(rig, None, 0.0)[0][4..], &[[0.0, 2.0, 0.0], [1.0, 2.0, 0.0], [7.0; 3]]);
    close(&posed(rig, Some(0), 1.0)[0][4..], &[[-1.0, 1.0, 0.0], [-1.0, 2.0, 0.0], [7.0; 3]]);
    // Half and half between staying and turning about (0, 1, 0).
    let s = 0.5_f64.sqrt();
    close(
        &posed(rig, Some(0), 0.5)[0][2..4],
        &[[0.0, 1.0, 0.0], [0.5 + s / 2.0, 1.0 + s / 2.0, 0.0]],
    );
    let metres = document.to_metres().unwrap();
    let faces = &metres.rigs[0].parts[0].mesh;
    assert_eq!([0, 1, 2, 3].map(|triangle| faces.face_of(triangle)), [0, 0, 1, 1]);
    close(&posed(&metres.rigs[0], Some(0), 1.0)[0][4..5], &[[-0.0254, 0.0254, 0.0]]);
}

#[test]
fn a_left_handed_file_is_turned() {
    let sheet = Sheet { axes: [(1, 1), (2, 1), (0, -1)], ..Sheet::default() };
    let document = parse(&sheet.text()).unwrap();
    assert_eq!((document.up.axis, document.up.source), (Axis::Y, Source::File));
    assert!(document.notes[0].contains("left-handed"), "{:?}", document.notes);
    let points = &posed(&document.rigs[0], None, 0.0)[0];
    assert!((points[4].y - 2.0).abs() < 1e-9, "up stays up: {points:?}");
}

/// A skinned mesh that two nodes hold: both copies follow the same bones, and are said to.
#[test]
fn instances_of_a_skin_are_said_to_be_in_one_place() {
    let twin = "Model: 203, \"Model::twin\", \"Mesh\" {\nVersion: 232\nProperties70: {\n\
        P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",5,0,0\n}\n}\n";
    let more = [twin.to_owned(), "C: \"OO\",203,0\nC: \"OO\",100,203\n".to_owned()];
    let text = Sheet { more, ..Sheet::default() }.text();
    let of_maya = text.replacen("FBXVersion: 7400", "FBXVersion: 7400\nCreator: \"Maya 2020\"", 1);
    for (text, words) in [(&text, "are in one place"), (&of_maya, "while Maya moves it")] {
        let document = parse(text).unwrap();
        let rig = &document.rigs[0];
        let parts = posed(rig, Some(0), 1.0);
        assert_eq!(parts.len(), 2);
        // The last vertex has no bone, and follows its node.
        assert_eq!(parts[0][..6], parts[1][..6]);
        let said = |name: &str| {
            let name = format!("node {name:?}");
            let mut notes = document.notes.iter();
            notes.any(|note| {
                note.starts_with(&name) && note.contains(LEFT_OUT) && note.contains(words)
            })
        };
        assert!(said("twin") && said("sheet"), "{:?}", document.notes);
    }
    // One node that holds it says nothing.
    assert_eq!(parse(&Sheet::default().text()).unwrap().notes, [""; 0]);
}

/// A smooth surface in place of the polygons is not what is compared.
#[test]
fn subdivision_surfaces_are_said_to_be_cages() {
    let text = Sheet::default().text().replacen(
        "GeometryVersion: 124",
        "GeometryVersion: 124\nSmoothness: 2\nPreviewDivisionLevels: 2\nRenderDivisionLevels: 2",
        1,
    );
    let document = parse(&text).unwrap();
    let note = &document.notes[0];
    assert!(note.contains("is a subdivision surface") && note.contains(LEFT_OUT), "{note}");
    let flat = text.replacen("Smoothness: 2", "Smoothness: 0", 1);
    assert_eq!(parse(&flat).unwrap().notes, [""; 0]);
}

/// The sheet with a blend shape whose weight is on a curve with the number 504.
fn with_blend_shape(curve: &str) -> Document {
    let objects = "Geometry: 500, \"Geometry::wide\", \"Shape\" {\nVersion: 100\nIndexes: *2 { a: 1,3 }\nVertices: *6 { a: 2,0,0,2,0,0 }\n}\n\
        Deformer: 501, \"Deformer::\", \"BlendShape\" {\nVersion: 100\n}\n\
        Deformer: 502, \"SubDeformer::wide\", \"BlendShapeChannel\" {\nVersion: 100\nDeformPercent: 25\nFullWeights: *1 { a: 100 }\n}\n\
        AnimationCurveNode: 503, \"AnimCurveNode::DeformPercent\", \"\" {\nProperties70: {\nP: \"d|DeformPercent\", \"Number\", \"\", \"A\",0\n}\n}\n";
    let connections = "C: \"OO\",500,502\nC: \"OO\",502,501\nC: \"OO\",501,100\nC: \"OO\",503,401\nC: \"OP\",503,502, \"DeformPercent\"\nC: \"OP\",504,503, \"d|DeformPercent\"\n";
    let more = [format!("{objects}{curve}"), connections.to_owned()];
    parse(&Sheet { more, ..Sheet::default() }.text()).unwrap()
}

#[test]
fn blend_shapes_become_morphs() {
    let document = with_blend_shape(&curve(504, &[(0, 0.0), (SECOND, 100.0)]));
    let rig = &document.rigs[0];
    assert_eq!(rig.parts[0].morphs.len(), 1);
    assert_eq!(rig.parts[0].morphs[0].name, "wide");
    close(&posed(rig, None, 0.0)[0][..2], &[[0.0; 3], [1.5, 0.0, 0.0]]);
    close(&posed(rig, Some(0), 0.5)[0][..2], &[[0.0; 3], [2.0, 0.0, 0.0]]);
    close(&posed(rig, Some(0), 1.0)[0][..2], &[[0.0; 3], [3.0, 0.0, 0.0]]);
}

/// A blend shape that is switched on within no time.
#[test]
fn blend_shapes_step() {
    let keys = [(0, 0.0), (SECOND / 2, 100.0), (SECOND, 40.0)];
    // The flag of curves that hold each key until the next.
    let stepped =
        curve(504, &keys).replace("KeyAttrFlags: *1 { a: 4 }", "KeyAttrFlags: *1 { a: 2 }");
    let rig = with_blend_shape(&stepped).rigs.remove(0);
    let weight = |time: f64| {
        let mut pose = rig.rest_pose();
        rig.clips[0].sample(time, &mut pose);
        pose.weights[0][0]
    };
    let times = [-1.0, 0.0, 0.49, 0.5, 0.51, 0.99, 1.0, 2.0];
    assert_eq!(times.map(weight), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.4, 0.4]);
}

#[test]
fn bad_files_say_why() {
    let says = |text: &str, words: &[&str]| {
        let error = parse(text).map(|_| ()).expect_err(words[0]).to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    };
    says("", &["the file is empty"]);
    says("Dear all,\nplease find the mesh attached.\n", &["FBX"]);
    says(
        &Sheet { corners: "0,1,3,-3,2,3,77,-5", ..Sheet::default() }.text(),
        &["damaged", "a corner beyond the last vertex"],
    );
    says(
        &Sheet { upper_weights: "0.5,0.5,-1,1", ..Sheet::default() }.text(),
        &["node \"sheet\"", "vertex 4", "-1"],
    );
    let limited = ReadOptions { max_decoded_bytes: 1000, ..ReadOptions::default() };
    let error =
        fbx::parse(Sheet::default().text().as_bytes(), None, &limited).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("allow it with --max-size"), "{error}");
    // A chain of parents that bites its tail.
    let cycle =
        Sheet { more: [String::new(), "C: \"OO\",201,202\n".to_owned()], ..Sheet::default() }
            .text();
    sound(parse(&cycle));
}

#[test]
fn weights_that_do_not_add_up_are_scaled() {
    let document = parse(&Sheet { upper_weights: "1,1,0.5,1", ..Sheet::default() }.text()).unwrap();
    assert_eq!(
        document.notes,
        ["node \"sheet\": the weights of 3 vertices did not add up to one and were scaled"]
    );
}

#[test]
fn a_very_long_animation_stays_small() {
    let year = 365 * 24 * 3600 * SECOND;
    let text = Sheet::default().text();
    let long = text.replace(&format!("0,{SECOND} "), &format!("0,{year} "));
    assert_ne!(long, text);
    let document = parse(&long).unwrap();
    let clip = &document.rigs[0].clips[0];
    let keys: usize = clip.tracks().iter().map(|track| track.times.len()).sum();
    assert!(keys < 10_000 && clip.seconds() > 3e7, "{keys} keys, {} s", clip.seconds());
}

/// Whether a file was accepted; what is accepted must hold together.
fn sound(result: Result<Document, ParseError>) -> bool {
    match result {
        Ok(document) => {
            for rig in &document.rigs {
                rig.validate().expect("a reader validates");
                posed(rig, (!rig.clips.is_empty()).then_some(0), 0.4);
            }
            true
        }
        Err(error) => {
            assert!(!error.message().is_empty() && error.message().len() < 600, "{error}");
            false
        }
    }
}

#[test]
fn cut_files() {
    let text = Sheet::default().text();
    let accepted = (0..text.len()).step_by(13).filter(|&end| sound(parse(&text[..end]))).count();
    assert!(accepted < 120, "{accepted}");
}

#[test]
fn spoilt_files() {
    let text = Sheet::default().text().into_bytes();
    let change = (any::<Index>(), prop_oneof![any::<u8>(), b'0'..=b'9', Just(b'"'), Just(b'{')]);
    let inputs = vec(change, 1..8);
    let accepted = Cell::new(0);
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) };
    let options = ReadOptions { max_decoded_bytes: 64 << 20, ..ReadOptions::default() };
    let run = TestRunner::new(config).run(&inputs, |changes| {
        let mut bytes = text.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        accepted.set(accepted.get() + usize::from(sound(fbx::parse(&bytes, None, &options))));
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    assert!((100..2900).contains(&accepted.get()), "{}", accepted.get());
}

/// The largest distance between where we and Blender put a vertex, in heights of the body, and how
/// many were compared.
fn compare(fbx: &Path) -> (f64, usize) {
    let document = read_document(fbx, &ReadOptions::default()).unwrap();
    let rig = document.to_metres().unwrap().turned(Axis::Y).unwrap().rigs.remove(0);
    let samples = std::fs::read_to_string(fbx.with_extension("json")).unwrap();
    let samples: Vec<Value> = serde_json::from_str(&samples).unwrap();
    let (mut worst, mut height, mut compared) = (0.0_f64, 0.0_f64, 0);
    for sample in &samples {
        // An action is exported once for each object, as `Object|Action`.
        let clip = sample["clip"].as_str().unwrap();
        let named = |name: &str| name == clip || name.ends_with(&format!("|{clip}"));
        let Some(clip) = rig.clips.iter().position(|clip| named(clip.name())) else { continue };
        let ours = posed(&rig, Some(clip), sample["time"].as_f64().unwrap());
        for (name, theirs) in sample["parts"].as_object().unwrap() {
            let same = |part: &Part| part.name.trim_end_matches(".geometry") == name;
            let Some(part) = rig.parts.iter().position(same) else { continue };
            let theirs = theirs.as_array().unwrap();
            assert_eq!(3 * ours[part].len(), theirs.len(), "{name}");
            for (ours, theirs) in ours[part].iter().zip(theirs.chunks(3)) {
                let theirs = DVec3::from_array([0, 1, 2].map(|i| theirs[i].as_f64().unwrap()));
                worst = worst.max(ours.distance(theirs));
                height = height.max(theirs.y.abs());
            }
            compared += ours[part].len();
        }
    }
    (worst / height, compared)
}

#[test]
#[ignore = "needs files made with Blender; the head of this file says how"]
fn blenders_fbx_stands_where_blender_puts_it() {
    let folder = std::env::var_os("ELBOWROOM_FBX").expect("ELBOWROOM_FBX names a folder");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let fbx = entry.unwrap().path();
        if fbx.extension().is_some_and(|ending| ending == "fbx") {
            let (worst, compared) = compare(&fbx);
            println!("{worst:.1e} of the height, {compared} vertices: {}", fbx.display());
            // Blender poses in f32.
            assert!(compared > 0 && worst < 1e-5, "{}: {worst:e}", fbx.display());
            files += 1;
        }
    }
    assert!(files > 0);
}
