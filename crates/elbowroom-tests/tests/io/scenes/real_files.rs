//! Real characters, mocap and crowds, where the data is present.

use std::path::Path;

use elbowroom_io::{ReadOptions, read_scene};
use elbowroom_motion::scene::{Finder, Seek, Stage};
use elbowroom_testkit::data::{shared_dir, skip_note};

use super::common::Folder;

fn options() -> ReadOptions {
    ReadOptions { allow_outside: true, ..ReadOptions::default() }
}

/// Two people who were captured together, as a scene file.
pub(super) fn captured_pair(data: &Path, fps: u32) -> String {
    let entry = |name: &str, body: &str, motion: &str| {
        format!(
            "[[character]]\nname = '{name}'\nfile = '{0}/characters/{body}'\n\
             motion = {{ file = '{0}/mocap/two_person/{motion}', root_scale = 1.0 }}\n",
            data.display()
        )
    };
    format!(
        "fps = {fps}\n{}{}",
        entry("a", "mh_male2850_cmu.glb", "22_09.bvh.gz"),
        entry("b", "mh_female2850_cmu.glb", "23_09.bvh.gz")
    )
}

#[test]
fn two_people_who_were_captured_together() {
    let Some(data) = shared_dir() else {
        return skip_note("two_people_who_were_captured_together");
    };
    let folder = Folder::new();
    let data = data.canonicalize().unwrap();
    let text = captured_pair(&data, 10);
    let file = read_scene(&folder.put("pair.toml", text), &options()).unwrap();
    let (mut stage, mut finder) = (Stage::new(), Finder::new(Seek::default()));
    let (mut met, mut frames) = (0, 0);
    for frame in file.scene.timing().frames() {
        file.scene.at(frame, &mut stage).unwrap();
        met += finder.find(&file.scene, &stage).meetings.len();
        frames += 1;
    }
    assert!(frames > 40 && met > 3 && met < frames, "{met} of {frames}");
}

#[test]
fn a_crowd_of_our_people() {
    let Some(data) = shared_dir() else { return skip_note("a_crowd_of_our_people") };
    let folder = Folder::new();
    let ways = data.canonicalize().unwrap().join("crowds/juelich_bi_corr_400_b_03.txt.gz");
    let text = format!(
        "fps = 1\nframes = [0, 20]\nup = 'z'\n[[crowd]]\nname = 'p'\ntrajectories = '{}'\n\
         characters = ['make:man', 'make:woman']\n",
        ways.display()
    );
    let file = read_scene(&folder.put("crowd.toml", text), &options()).unwrap();
    assert!(file.scene.objects().len() > 100, "{}", file.scene.objects().len());
    let (mut stage, mut finder) = (Stage::new(), Finder::new(Seek::default()));
    let mut present = Vec::new();
    for frame in file.scene.timing().frames() {
        file.scene.at(frame, &mut stage).unwrap();
        present.push(finder.find(&file.scene, &stage).present);
        let feet = stage.pieces().map(|piece| piece.bounds().min.z);
        assert!(feet.into_iter().all(|z| z.abs() < 0.1));
    }
    assert!(present.iter().any(|&n| n > 10) && present[0] < 10, "{present:?}");
}
