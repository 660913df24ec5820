//! What is kept from frame to frame changes no answer: characters that are checked as solids over a
//! clip, against models that are built from scratch in every frame.

use std::collections::BTreeMap;
use std::sync::Arc;

use elbowroom::internal::model::Model;
use elbowroom::internal::query::Mode;
use elbowroom::{Mesh, Pose};
use elbowroom_io::{ReadOptions, read_scene};
use elbowroom_motion::scene::{
    ContactSummary, Content, Finder, Meeting, Object, Scene, Seek, Stage, Timing,
};
use elbowroom_testkit::data::{shared_dir, skip_note};

use super::common::Folder;
use super::real_files::captured_pair;

/// How often each kind was met, and how often none though boxes overlapped.
type Kinds = BTreeMap<&'static str, u32>;

fn seeks() -> [Seek; 4] {
    let solid = Seek { mode: Mode::Solid, ..Seek::default() };
    [
        solid,
        Seek { places: true, through: true, ..solid },
        Seek { clearance: Some(0.02), ..solid },
        Seek { depth: true, ..solid },
    ]
}

/// Every piece on a stage as an object of its own that was never anything else.
fn rebuilt(stage: &Stage) -> Scene {
    let mut points = Vec::new();
    let objects = stage.pieces().map(|piece| {
        piece.points(&mut points);
        let mesh = Mesh::new(points.clone(), piece.triangles().to_vec()).unwrap();
        let model = Arc::new(Model::new(mesh));
        let place = Pose::IDENTITY;
        Object::new(piece.number().to_string(), Content::Still { model, place })
    });
    let timing = Timing::new(1.0, 0, 0);
    Scene::new(timing, objects.collect(), &[]).unwrap()
}

/// All that is said of a meeting but for its frame and the names of parts, which a mesh by itself
/// has not.
fn plain(meetings: &[Meeting]) -> Vec<Meeting> {
    let bare = |meeting: &Meeting| {
        let contact = ContactSummary { parts: Vec::new(), ..(*meeting.contact).clone() };
        Meeting { frame: 0, contact: contact.into(), ..meeting.clone() }
    };
    meetings.iter().map(bare).collect()
}

fn pairs_with_overlapping_boxes(stage: &Stage) -> u32 {
    let boxes: Vec<_> = stage.pieces().map(|piece| piece.bounds()).collect();
    let overlap = |i: usize, j: usize| {
        boxes[i].min.cmple(boxes[j].max).all() && boxes[j].min.cmple(boxes[i].max).all()
    };
    let pairs = (0..boxes.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    pairs.filter(|&(i, j)| overlap(i, j)).count() as u32
}

/// Compares some frames of a scene, in an order of their own, and counts.
fn compare(scene: &Scene, frames: &[u32]) -> Kinds {
    let mut kinds = Kinds::new();
    let mut stage = Stage::new();
    let mut finders = seeks().map(Finder::new);
    for &frame in frames {
        scene.at(frame, &mut stage).unwrap();
        assert_eq!(stage.pieces().count(), scene.objects().len(), "one piece an object");
        let (anew, mut other) = (rebuilt(&stage), Stage::new());
        anew.at(0, &mut other).unwrap();
        for (seek, finder) in seeks().into_iter().zip(&mut finders) {
            let kept = plain(&finder.find(scene, &stage).meetings);
            let expected = plain(&Finder::new(seek).find(&anew, &other).meetings);
            assert_eq!(kept, expected, "frame {frame}, {seek:?}");
            for meeting in &kept {
                *kinds.entry(meeting.kind.name()).or_default() += 1;
            }
            let pairs = pairs_with_overlapping_boxes(&stage);
            *kinds.entry("near").or_default() += pairs.saturating_sub(kept.len() as u32);
        }
    }
    kinds
}

#[test]
fn our_people_a_doll_in_one_of_them_and_a_toy_at_her_feet() {
    let entry = |name: &str, file: &str, clip: &str, place: &str| {
        format!(
            "[[character]]\nname = '{name}'\nfile = 'make:{file}'\nclip = '{clip}'\nloop = true\n{place}\n"
        )
    };
    let text = format!(
        "fps = 4\nframes = [0, 12]\n{}{}{}{}",
        entry("ann", "woman", "wave", "position = [0, 0, 0.2]\nheading = 90"),
        entry("bob", "man", "talk", "position = [0.45, 0, -0.2]\nheading = -90"),
        entry("doll", "woman", "talk", "position = [0.45, 1.1, -0.2]\nscale = 0.02"),
        entry("toy", "man", "talk", "position = [0, 0.3, 0.45]\nscale = 0.02"),
    );
    let folder = Folder::new();
    let file = read_scene(&folder.put("doll.toml", text), &ReadOptions::default()).unwrap();
    let kinds = compare(&file.scene, &[0, 3, 6, 12, 9, 3]);
    println!("{kinds:?}");
    assert!(["crossing", "containment", "near"].iter().all(|kind| kinds[kind] >= 4), "{kinds:?}");
}

#[test]
fn two_people_who_were_captured_together_as_solids() {
    let Some(data) = shared_dir() else {
        return skip_note("two_people_who_were_captured_together_as_solids");
    };
    let (folder, data) = (Folder::new(), data.canonicalize().unwrap());
    let text = captured_pair(&data, 30);
    let options = ReadOptions { allow_outside: true, ..ReadOptions::default() };
    let file = read_scene(&folder.put("pair.toml", text), &options).unwrap();
    let frames: Vec<u32> = file.scene.timing().frames().step_by(9).collect();
    let kinds = compare(&file.scene, &frames);
    println!("{kinds:?}");
    assert!(kinds["crossing"] >= 8 && kinds["near"] >= 8, "{kinds:?}");
}
