//! Two judges from outside: three.js evaluates skins, morphs and animations by its own code, and
//! the Khronos validator reads what we write.
//!
//! They are JavaScript and run in `node`; the first run fetches them with `npm` into the target
//! folder. So these tests are ignored unless asked for: `scripts/judges` does, with a browser where
//! there is one (`ELBOWROOM_BROWSER`, the path of a Chromium).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use elbowroom_io::glb_out;
use elbowroom_motion::body::{Poser, Rig};
use elbowroom_testkit::folder::Folder;
use glam::DVec3;
use serde_json::{Value, json};

use super::common::{Builder, hard_rig, parse};
use super::real_files::{glb_files, read_rig};

const PACKAGES: [&str; 3] =
    ["three@0.187.0", "gltf-validator@2.0.0-dev.3.10", "playwright-core@1.65.0"];

const SCRIPTS: [(&str, &str); 3] = [
    ("judge.mjs", include_str!("judge.mjs")),
    ("evaluate.mjs", include_str!("evaluate.mjs")),
    ("browser.mjs", include_str!("browser.mjs")),
];

/// The folder with the judges in it.
fn judges() -> PathBuf {
    // Tests run side by side, and one installation is enough.
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _guard = INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    install().unwrap_or_else(|why| panic!("three.js is not at hand ({why})"))
}

fn install() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("judges");
    let failed = |error: std::io::Error| error.to_string();
    fs::create_dir_all(&folder).map_err(failed)?;
    for (name, text) in SCRIPTS {
        fs::write(folder.join(name), text).map_err(failed)?;
    }
    let installed = folder.join("installed");
    if fs::read_to_string(&installed).is_ok_and(|packages| packages == PACKAGES.join(" ")) {
        return Ok(folder);
    }
    fs::write(folder.join("package.json"), r#"{"private": true, "type": "module"}"#)
        .map_err(failed)?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts"]).args(PACKAGES);
    let output = npm.current_dir(&folder).output().map_err(|error| format!("npm: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("npm: {}", said.lines().last().unwrap_or("no reason given")));
    }
    fs::write(installed, PACKAGES.join(" ")).map_err(failed)?;
    Ok(folder)
}

/// What the judges are asked about one file.
struct Question<'a> {
    rig: &'a Rig,
    path: PathBuf,
    /// A clip, if any, and a time.
    samples: Vec<(Option<usize>, f64)>,
    validate: bool,
}

/// What they answer.
struct Answer {
    /// World positions of all vertices, by sample.
    positions: Vec<Vec<DVec3>>,
    /// What three.js warned of, and what the validator found.
    complaints: Vec<String>,
}

fn ask(folder: &Path, name: &str, questions: &[Question<'_>]) -> Vec<Answer> {
    let own = folder.join(name);
    fs::create_dir_all(&own).unwrap();
    let positions = |index: usize| own.join(format!("{index}.f64"));
    let job = |(index, question): (usize, &Question<'_>)| {
        let sample = |&(clip, time): &(Option<usize>, f64)| json!({ "clip": clip.map_or(json!(-1), |clip| json!(clip)), "time": time });
        json!({
            "path": question.path,
            "samples": question.samples.iter().map(sample).collect::<Vec<_>>(),
            "positions": positions(index),
            "validate": question.validate,
        })
    };
    let jobs: Vec<Value> = questions.iter().enumerate().map(job).collect();
    fs::write(own.join("job.json"), json!(jobs).to_string()).unwrap();
    let mut node = Command::new("node");
    node.arg("judge.mjs").arg(own.join("job.json")).current_dir(folder);
    let output = node.output().expect("node, since npm ran");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), questions.len());
    let answers = questions.iter().zip(&lines).enumerate();
    answers.map(|(index, (question, line))| answer(question, line, &positions(index))).collect()
}

fn answer(question: &Question<'_>, line: &Value, positions: &Path) -> Answer {
    let words = |key: &str| line[key].as_array().unwrap().iter().map(ToString::to_string);
    let mut complaints: Vec<String> = words("said").chain(words("messages")).collect();
    if line["errors"] != 0 || line["warnings"] != 0 {
        complaints.push(format!("{} errors, {} warnings", line["errors"], line["warnings"]));
    }
    let bytes = fs::read(positions).unwrap();
    fs::remove_file(positions).unwrap();
    let (words, _) = bytes.as_chunks::<8>();
    let (points, _) = words.as_chunks::<3>();
    let points: Vec<DVec3> =
        points.iter().map(|p| DVec3::from_array(p.map(f64::from_le_bytes))).collect();
    let vertices = line["vertices"].as_u64().unwrap() as usize;
    assert_eq!(points.len(), vertices * question.samples.len());
    Answer { positions: points.chunks(vertices).map(<[DVec3]>::to_vec).collect(), complaints }
}

/// The rest pose, and five times of some clips.
fn samples(rig: &Rig, clips: usize) -> Vec<(Option<usize>, f64)> {
    let mut samples = vec![(None, 0.0)];
    let step = rig.clips.len().div_ceil(clips).max(1);
    for (index, clip) in rig.clips.iter().enumerate().step_by(step) {
        let at = |fraction: f64| (Some(index), clip.start() + fraction * clip.seconds());
        samples.extend([0.0, 0.21, 0.5, 0.83, 1.0].map(at));
    }
    samples
}

/// All vertices of a rig in the world, as we pose them.
pub(crate) fn posed(rig: &Rig, clip: Option<usize>, time: f64) -> Vec<DVec3> {
    let mut pose = rig.rest_pose();
    if let Some(clip) = clip {
        rig.clips[clip].sample(time, &mut pose);
    }
    let mut poser = Poser::new();
    poser.set(rig, &pose);
    let (mut all, mut out) = (Vec::new(), Vec::new());
    for part in 0..rig.parts.len() {
        poser.part(rig, part, &mut out);
        all.extend_from_slice(&out);
    }
    all
}

/// The longest edge of the box around the points: a body's height, or its length where that is
/// more.
pub(crate) fn extent(points: &[DVec3]) -> f64 {
    let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    (high - low).max_element()
}

/// The largest distance between our vertices and theirs, in body heights, and how many vertices
/// were compared.
fn compare(question: &Question<'_>, answer: &Answer) -> (f64, usize) {
    let height = extent(&posed(question.rig, None, 0.0));
    let (mut worst, mut compared) = (0.0_f64, 0);
    for (&(clip, time), theirs) in question.samples.iter().zip(&answer.positions) {
        let ours = posed(question.rig, clip, time);
        assert_eq!(ours.len(), theirs.len(), "{}", question.path.display());
        for (ours, theirs) in ours.iter().zip(theirs) {
            worst = worst.max((*ours - *theirs).length() / height);
        }
        compared += ours.len();
    }
    (worst, compared)
}

#[test]
#[ignore = "needs npm and its registry: run scripts/judges"]
fn skinning_agrees_with_three_js() {
    let test = "skinning_agrees_with_three_js";
    let Some((_, files)) = glb_files(test) else {
        return;
    };
    let folder = judges();
    let rigs: Vec<Rig> = files.iter().map(|path| read_rig(path).0).collect();
    let question = |(path, rig): (PathBuf, _)| Question {
        rig,
        path,
        samples: samples(rig, 3),
        validate: false,
    };
    let questions: Vec<_> = files.into_iter().zip(&rigs).map(question).collect();
    let answers = ask(&folder, test, &questions);
    let (mut total, mut moving) = (0, 0);
    for (question, answer) in questions.iter().zip(&answers) {
        let (worst, compared) = compare(question, answer);
        println!("{worst:.1e} of the height: {}", question.path.display());
        assert!(worst < 1e-5, "{}: {worst:e}", question.path.display());
        total += compared;
        moving += usize::from(question.samples.len() > 1);
    }
    assert_eq!((questions.len(), moving, total), (35, 19, 1_000_918));
}

#[test]
#[ignore = "needs npm and its registry: run scripts/judges"]
fn the_judges_see_what_is_wrong() {
    let test = "the_judges_see_what_is_wrong";
    let folder = judges();
    // Weights that do not add up to one, positions without bounds, an extension that no reader
    // knows.
    let mut builder = Builder::skinned([0; 12], [0.5; 12]);
    builder.json["scenes"] = json!([{ "nodes": [0, 1] }]);
    builder.json["scene"] = json!(0);
    let rig = parse(&builder.clone().glb()).unwrap().rigs.remove(0);
    builder.json["extensionsUsed"] = json!(["TEST_unknown"]);
    builder.json["extensionsRequired"] = json!(["TEST_unknown"]);
    let written = Folder::new(test);
    let path = written.file("bad.glb", builder.glb());
    let question = Question { rig: &rig, path, samples: samples(&rig, 1), validate: true };
    let complaints = ask(&folder, test, &[question]).remove(0).complaints.concat();
    assert!(complaints.contains("ACCESSOR_WEIGHTS_NON_NORMALIZED"), "{complaints}");
    // Without a browser extensions are cut off with the looks.
    if std::env::var_os("ELBOWROOM_BROWSER").is_some() {
        assert!(complaints.contains("Unknown extension"), "{complaints}");
    }
}

#[test]
#[ignore = "needs npm and its registry: run scripts/judges"]
fn what_we_write_is_valid_and_opens_in_three_js() {
    let test = "what_we_write_is_valid_and_opens_in_three_js";
    let Some((_, files)) = glb_files(test) else {
        return;
    };
    let folder = judges();
    let mut rigs: Vec<Rig> = files.iter().map(|path| read_rig(path).0).collect();
    rigs.extend([elbowroom_make::body::male(), elbowroom_make::body::female(), hard_rig()]);
    let chain = elbowroom_make::chain(&elbowroom_make::Chain::default());
    rigs.extend([elbowroom_make::hand(1), elbowroom_make::helicopter(1), chain]);
    let written = Folder::new(test);
    let question = |(index, rig): (usize, _)| {
        let bytes = glb_out::to_bytes(std::slice::from_ref(rig)).unwrap();
        let path = written.file(&format!("{index}.glb"), bytes);
        // Every gait of our own people.
        let own = ["man", "woman"].contains(&rig.name.as_str());
        let clips = if own { rig.clips.len() } else { 1 };
        Question { rig, path, samples: samples(rig, clips), validate: true }
    };
    let questions: Vec<_> = rigs.iter().enumerate().map(question).collect();
    let answers = ask(&folder, test, &questions);
    let mut compared = 0;
    for (index, (question, answer)) in questions.iter().zip(&answers).enumerate() {
        assert_eq!(answer.complaints, Vec::<String>::new(), "{index}");
        // three.js reads four influences a vertex, and the hard rig has six; its clip was shifted,
        // too.
        if question.rig.name != "hard" {
            let (worst, vertices) = compare(question, answer);
            assert!(worst < 1e-5, "{index}: {worst:e}");
            compared += vertices;
        }
    }
    assert!(questions.len() == 41 && compared > 580_000, "{compared}");
}
