//! Two people who were captured together: disks, footprints and skins agree on when they touch.

use elbowroom::Pose;
use elbowroom::internal::query;
use elbowroom_io::{ReadOptions, read_document};
use elbowroom_motion::body::{Clip, Retarget, RetargetConfig, Rig};
use elbowroom_motion::crowd::{Performer, Refining, refine};
use elbowroom_motion::footprint::FootprintConfig;
use elbowroom_motion::space_time::{Placed, Taking, Workspace, collide};
use elbowroom_testkit::data::{shared_dir, skip_note};

#[test]
fn captured_pairs_are_found_touching_where_their_bodies_touch() {
    let Some(data) = shared_dir() else { return skip_note("captured_pairs") };
    let rig_of = |name: &str| {
        let path = data.join("characters").join(name);
        let document = read_document(&path, &ReadOptions::default()).expect("a character");
        let document = document.to_metres().expect("people are not so large");
        document.rigs.into_iter().find(|rig| !rig.parts.is_empty()).expect("one with a mesh")
    };
    let (man, woman) = (rig_of("mh_male2850_cmu.glb"), rig_of("mh_female2850_cmu.glb"));
    let clip_of = |rig: &Rig, name: &str| -> Clip {
        let path = data.join("mocap/two_person").join(name);
        let document = read_document(&path, &ReadOptions::default()).expect("a capture");
        let document = document.to_metres().expect("nor is where they walk");
        let mover = document.rigs.iter().find(|rig| !rig.clips.is_empty()).expect("a motion");
        let config = RetargetConfig { root_scale: Some(1.0), ..RetargetConfig::default() };
        let retarget = Retarget::new(&mover.skeleton, &rig.skeleton, &config).expect("joints");
        retarget.clip(&mover.clips[0], 30.0).expect("a clip")
    };
    let taking = Taking { fps: Some(10.0), ..Taking::default() };
    let mut workspace = Workspace::new();
    let (mut touching, mut clear) = (0, 0);
    for (first, second) in [("22_09", "23_09"), ("18_08", "19_08"), ("20_03", "21_03")] {
        let clip_a = clip_of(&man, &format!("{first}.bvh.gz"));
        let clip_b = clip_of(&woman, &format!("{second}.bvh.gz"));
        let perform = |rig, clip| {
            Performer::new(rig, clip, &taking, FootprintConfig::default()).expect("a performer")
        };
        let (a, b) = (perform(&man, &clip_a), perform(&woman, &clip_b));
        let here = Placed::ORIGIN;
        let refined = refine(&a, &here, &b, &here, &Refining::default(), &mut workspace);
        let refined = refined.expect("people stand where they were captured");
        let mut found: Vec<u32> = refined.meetings.iter().map(|m| m.samples[0]).collect();
        found.dedup();
        // Frame by frame, without disks or footprints.
        let still = Pose::IDENTITY;
        let frames = a.tracked().trace().len().min(b.tracked().trace().len());
        let meets = |&k: &u32| {
            let (a, b) = (a.posed(k as usize), b.posed(k as usize));
            query::intersects(a.model(), &still, b.model(), &still)
        };
        let expected: Vec<u32> = (0..frames as u32).filter(meets).collect();
        assert_eq!(found, expected, "{first} and {second}");
        let disks = collide(a.tracked(), &here, b.tracked(), &here, &mut workspace);
        assert!(disks || expected.is_empty());
        println!(
            "{first} and {second}: {frames} frames, disks in {}, footprints clear {}, touching {}",
            refined.disks,
            refined.cleared,
            expected.len()
        );
        touching += expected.len();
        clear += frames - expected.len();
    }
    assert!(touching > 6 && clear > 100, "{touching} {clear}");
}
