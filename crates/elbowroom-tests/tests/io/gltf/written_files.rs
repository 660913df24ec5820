//! What we write reads back as the same rig, but for f32.

use elbowroom_io::{Axis, Document, ReadOptions, Source, Units, Up, glb_out, gltf};
use elbowroom_motion::body::{Clip, Hold, Part, Poser, Rig};
use glam::DVec3;

use super::common::{hard_rig, parse};
use super::real_files::{glb_files, read_rig};

fn rewritten(rig: &Rig) -> Rig {
    let bytes = glb_out::to_bytes(std::slice::from_ref(rig)).unwrap();
    assert_eq!(bytes, glb_out::to_bytes(std::slice::from_ref(rig)).unwrap(), "the same bytes");
    let mut document = parse(&bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(document.notes, Vec::<String>::new());
    document.rigs.remove(0)
}

/// All vertices at a time of a clip, which both rigs count from its start.
fn posed(rig: &Rig, clip: Option<usize>, fraction: f64) -> Vec<Vec<DVec3>> {
    let mut pose = rig.rest_pose();
    if let Some(clip) = clip.map(|clip| &rig.clips[clip]) {
        clip.sample(clip.start() + fraction * clip.seconds(), &mut pose);
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

/// The parts of the second rig in the order of the first: they are written by node.
fn matched(a: &[Part], b: &[Part]) -> Vec<usize> {
    let mut free: Vec<usize> = (0..b.len()).collect();
    let place = |part: &Part, free: &mut Vec<usize>| {
        let same = |other: &Part| {
            other.mesh.triangles() == part.mesh.triangles()
                && matches!(other.hold, Hold::Rigid(_)) == matches!(part.hold, Hold::Rigid(_))
        };
        let at = free.iter().position(|&other| same(&b[other])).expect("a part like it");
        free.remove(at)
    };
    a.iter().map(|part| place(part, &mut free)).collect()
}

fn worst(a: &Rig, b: &Rig, clip: Option<usize>) -> f64 {
    let order = matched(&a.parts, &b.parts);
    let mut worst = 0.0_f64;
    for fraction in [0.0, 0.3, 0.7, 1.0] {
        let (ours, theirs) = (posed(a, clip, fraction), posed(b, clip, fraction));
        for (ours, &other) in ours.iter().zip(&order) {
            assert_eq!(ours.len(), theirs[other].len());
            let distances = ours.iter().zip(&theirs[other]).map(|(p, q)| p.distance(*q));
            worst = distances.fold(worst, f64::max);
        }
    }
    worst
}

#[test]
fn a_hard_rig_survives() {
    let rig = hard_rig();
    let back = rewritten(&rig);
    // A root for the skin, and nodes for the skinned part and the second part of a joint.
    assert_eq!(back.skeleton.len(), rig.skeleton.len() + 3);
    assert_eq!(back.parts.len(), 3);
    let names: Vec<&str> = back.clips.iter().map(Clip::name).collect();
    assert_eq!(names, ["hard"], "a clip that moves nothing cannot be written");
    assert_eq!(back.clips[0].tracks().len(), rig.clips[0].tracks().len() - 1, "one was overruled");
    assert_eq!((back.clips[0].start(), back.clips[0].seconds()), (0.0, 3.0));
    let skinned = back.parts.iter().find(|part| !part.morphs.is_empty()).unwrap();
    assert_eq!(skinned.morphs[0].name, "smile");
    assert_eq!(skinned.morph_weights, [0.5, 0.0]);
    assert!(worst(&rig, &back, None) < 1e-6);
    assert!(worst(&rig, &back, Some(0)) < 1e-6);
}

#[test]
fn every_character_survives() {
    let Some((_, files)) = glb_files("every_character_survives") else {
        return;
    };
    let [mut parts, mut clips] = [0; 2];
    for path in &files {
        let (rig, _) = read_rig(path);
        let back = rewritten(&rig);
        assert_eq!(back.clips.len(), rig.clips.len());
        let mut distance = worst(&rig, &back, None);
        for clip in (0..rig.clips.len()).step_by(20) {
            distance = distance.max(worst(&rig, &back, Some(clip)));
            clips += 1;
        }
        let size =
            posed(&rig, None, 0.0).concat().iter().fold(0.0_f64, |most, p| most.max(p.length()));
        assert!(distance < 2e-6 * size, "{}: {distance:e} of {size}", path.display());
        parts += rig.parts.len();
    }
    assert_eq!((parts, clips), (209, 26));
}

#[test]
fn several_rigs_share_a_file() {
    let rigs = [hard_rig(), hard_rig()];
    let back = parse(&glb_out::to_bytes(&rigs).unwrap()).unwrap().rigs.remove(0);
    assert_eq!((back.parts.len(), back.clips.len()), (6, 2));
    assert_eq!(back.skeleton.len(), 2 * (rigs[0].skeleton.len() + 3));
    let nothing = parse(&glb_out::to_bytes(&[]).unwrap()).unwrap();
    assert!(nothing.rigs[0].parts.is_empty());
}

#[test]
fn what_does_not_fit_f32_is_refused() {
    let mut rig = hard_rig();
    let far = vec![DVec3::ZERO, DVec3::X, DVec3::new(0.0, 1e39, 0.0)];
    rig.parts[1].mesh = elbowroom::Mesh::new(far, vec![[0, 1, 2]]).unwrap();
    let error = glb_out::to_bytes(&[rig.clone()]).unwrap_err().to_string();
    assert!(error.contains("part 1 \"shoe\"") && error.contains("too large"), "{error}");
    rig.parts[1].hold = Hold::Rigid(elbowroom_motion::body::JointId(99));
    let error = glb_out::to_bytes(&[rig]).unwrap_err().to_string();
    assert!(error.contains("joint 99"), "{error}");
}

#[test]
fn a_document_is_written_in_metres_with_y_up() {
    let rig = hard_rig();
    let document = Document {
        rigs: vec![rig.clone()],
        units: Units { metres_per_unit: 0.01, source: Source::Said },
        up: Up { axis: Axis::Z, source: Source::Said },
        notes: Vec::new(),
    };
    let bytes = glb_out::document_to_bytes(&document).unwrap();
    let back = gltf::parse(&bytes, None, &ReadOptions::default()).unwrap().rigs.remove(0);
    let (ours, theirs) = (posed(&rig, Some(0), 0.3), posed(&back, Some(0), 0.3));
    let order = matched(&rig.parts, &back.parts);
    let mut compared = 0;
    for (ours, other) in ours.iter().zip(order) {
        for (p, q) in ours.iter().zip(&theirs[other]) {
            // Z goes to Y, Y to −Z.
            let expected = DVec3::new(p.x, p.z, -p.y) * 0.01;
            assert!(expected.distance(*q) < 1e-7, "{expected} {q}");
            compared += 1;
        }
    }
    assert_eq!(compared, 12);
}
