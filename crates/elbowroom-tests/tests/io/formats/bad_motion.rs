//! Every way a Biovision file or a table of trajectories can be bad.

use elbowroom_io::{ReadOptions, biovision, read_document, read_trajectories, trajectory};
use elbowroom_testkit::folder::Folder;

const BVH: &str = "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 3 Zrotation Yrotation Xrotation\n\tEnd Site\n\t{\n\t\tOFFSET 0 1 0\n\t}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n1 2 3\n";

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn bad_biovision() {
    let cases = [
        ("", "", "a.bvh: the file is empty; export the motion again"),
        (
            "HIERARCHY",
            "hierarchy of",
            "a.bvh:1: \"ROOT\" or \"MOTION\" should stand here, not \"of\"; the file is damaged",
        ),
        (
            "HIERARCHY",
            "MOTION",
            "a.bvh:1: not a Biovision file: it begins with \"MOTION\", not \"HIERARCHY\"",
        ),
        ("ROOT Hips\n{", "ROOT Hips\n", "a.bvh:2: no \"{\" behind the name of this joint"),
        (
            "OFFSET 0 0 0",
            "OFFSET 0 0",
            "a.bvh:5: \"CHANNELS\" is no finite number; an OFFSET has three, like OFFSET 0 10.5 0",
        ),
        (
            "OFFSET 0 0 0",
            "OFFSET 0 nan 0",
            "a.bvh:4: \"nan\" is no finite number; an OFFSET has three, like OFFSET 0 10.5 0",
        ),
        (
            "OFFSET 0 0 0\n",
            "\n",
            "a.bvh:10: this brace closes a joint without an OFFSET; give it one, like OFFSET 0 0 0",
        ),
        (
            "\t\tOFFSET 0 1 0\n",
            "\n",
            "a.bvh:9: this brace closes a joint without an OFFSET; give it one, like OFFSET 0 0 0",
        ),
        (
            "CHANNELS 3",
            "CHANNELS three",
            "a.bvh:5: the number of channels should stand here, not \"three\"; the file is damaged",
        ),
        (
            "CHANNELS 3",
            "CHANNELS 4",
            "a.bvh:6: \"End\" is no channel, and 3 channels of 4 were named; known are Xposition … Zrotation",
        ),
        (
            "CHANNELS 3",
            "CHANNELS 2",
            "a.bvh:5: \"OFFSET\", \"CHANNELS\", \"JOINT\", \"End Site\" or \"}\" should stand here, not \"Xrotation\"; the file is damaged",
        ),
        (
            "Xrotation",
            "Wrotation",
            "a.bvh:5: \"Wrotation\" is no channel, and 2 channels of 3 were named; known are Xposition … Zrotation",
        ),
        (
            "\tEnd Site",
            "\tCHANNELS 1 Xrotation\n\tEnd Site",
            "a.bvh:6: a second CHANNELS of the same joint; join them into one",
        ),
        (
            "\tEnd Site",
            "\tROOT b {} End Site",
            "a.bvh:6: a ROOT within a joint; a brace is not closed, or JOINT is meant",
        ),
        (
            "}\nMOTION",
            "MOTION",
            "a.bvh:10: \"OFFSET\", \"CHANNELS\", \"JOINT\", \"End Site\" or \"}\" should stand here, not \"MOTION\"; the file is damaged",
        ),
        ("Frames: 2", "Frames: x", "a.bvh:12: \"x\" is not a number of frames"),
        ("Frames: 2\n", "", "a.bvh:12: a line like \"Frames: 120\" should stand here"),
        (
            "Frame Time: 0.1",
            "Time: 0.1",
            "a.bvh:13: a line like \"Frame Time: 0.0083333\" should stand here",
        ),
        (
            "Frame Time: 0.1",
            "Frame Time: 0",
            "a.bvh:13: frame time \"0\" is not a number of seconds above 0",
        ),
        (
            "Frame Time: 0.1",
            "Frame Time: inf",
            "a.bvh:13: frame time \"inf\" is not a number of seconds above 0",
        ),
        ("1 2 3", "1 nan 3", "a.bvh:15: \"nan\" in frame 1 is not a finite number"),
        ("1 2 3", "1 2,5 3", "a.bvh:15: \"2,5\" in frame 1 is not a finite number"),
        (
            "\n1 2 3\n",
            "\n1\n2    ",
            "a.bvh:16: the file ends in frame 2 of 2; it is truncated or the number of frames is wrong",
        ),
        (
            "1 2 3",
            "1 2 3 4",
            "a.bvh:15: \"4\" behind the last of 2 frames; the number of frames or a CHANNELS line is wrong",
        ),
        (
            "Frames: 2",
            "Frames: 1",
            "a.bvh:15: \"1\" behind the last of 1 frame; the number of frames or a CHANNELS line is wrong",
        ),
        (
            "Frames: 2",
            "Frames: 1000000000",
            "a.bvh:12: \"Frames: 1,000,000,000\" of 3 numbers each cannot be in the 13 bytes that are left; the file is truncated or the number is wrong",
        ),
    ];
    let folder = Folder::new("bad-bvh");
    assert!(biovision::read(BVH.as_bytes(), false).is_ok());
    for (from, to, expected) in cases {
        let text = if from.is_empty() { String::new() } else { BVH.replacen(from, to, 1) };
        assert!(from.is_empty() || text != BVH, "{from}");
        let error = read_document(&folder.file("a.bvh", text.as_bytes()), &ReadOptions::default())
            .expect_err(expected);
        assert_eq!(folder.plain(&error.to_string()), expected);
    }
    // Cut anywhere, it is refused, but for a cut behind the last digit.
    let cut =
        (0..BVH.len() - 2).filter(|&end| biovision::read(&BVH.as_bytes()[..end], false).is_err());
    assert_eq!(cut.count(), BVH.len() - 2);
}

#[test]
fn joints_nest_without_recursion() {
    let depth = 50_000;
    let joints: Vec<String> = (0..depth)
        .map(|i| format!("{} j{i}{{ OFFSET 0 1 0\n", if i == 0 { "ROOT" } else { "JOINT" }))
        .collect();
    let text = format!(
        "HIERARCHY\n{}{}\nMOTION\nFrames: 0\nFrame Time: 1\n",
        joints.concat(),
        "} ".repeat(depth)
    );
    assert_eq!(biovision::read(text.as_bytes(), false).unwrap().rig.skeleton.len(), depth);
}

#[test]
fn bad_trajectories() {
    let cases = [
        ("", "a.txt: no samples; a line should be like \"1 0 2.5 3.0\": id, frame, x, y"),
        (
            "id,frame,x,y\n",
            "a.txt: no samples; a line should be like \"1 0 2.5 3.0\": id, frame, x, y",
        ),
        ("name,time\n1,2\n", "a.txt:1: no column \"x\"; the names should be like id,frame,x,y"),
        (
            "id,time,x,y\n1,2,3,4\n",
            "a.txt:1: no column \"frame\"; the names should be like id,frame,x,y",
        ),
        (
            "1 2 3\n",
            "a.txt:1: 3 columns without names; known are id frame x y, id frame x y z, and the eight of obsmat: write a line of names like id,frame,x,y",
        ),
        (
            "# c\n1 0 0 0\n1 1 0\n",
            "a.txt:3: the line has 3 columns, and no y; the file is truncated or damaged here",
        ),
        ("1 0 0 0\n1 1 nan 0\n", "a.txt:2: x \"nan\" is not a finite number"),
        ("1 0 0 0\n1 1 0 -inf\n", "a.txt:2: y \"-inf\" is not a finite number"),
        ("id,frame,x,y\n1,0,,0\n", "a.txt:2: x \"\" is not a finite number"),
        ("1.5 0 0 0\n", "a.txt:1: id \"1.5\" is not a whole number"),
        ("1 1e300 0 0\n", "a.txt:1: frame \"1e300\" is not a whole number"),
        (
            "1 0 0 0\n2 0 0 0\n1 0 0 1\n",
            "a.txt:3: person 1 has a second position in frame 0; remove one, or give the people different numbers",
        ),
    ];
    let folder = Folder::new("bad-trajectories");
    for (text, expected) in cases {
        let error = read_trajectories(&folder.file("a.txt", text.as_bytes())).expect_err(expected);
        assert_eq!(folder.plain(&error.to_string()), expected);
    }
    // A file backwards in time is put into order.
    let backwards: Vec<String> =
        (0..150_000).rev().map(|frame| format!("1 {frame} 0 0\n")).collect();
    let crowd = trajectory::parse(backwards.concat().as_bytes()).unwrap();
    assert!(crowd.people[0].frames.is_sorted() && crowd.samples() == 150_000);
}
