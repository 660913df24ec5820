//! What an MJCF model says about who can touch whom, against brute force over its shapes; and the
//! attributes that are honoured, said or refused.

use std::fmt::Write as _;

use elbowroom_io::{ReadOptions, mjcf, read_document};
use elbowroom_motion::body::Rig;
use elbowroom_testkit::folder::Folder;
use elbowroom_testkit::random::Random;

fn read(inner: &str) -> Result<(Rig, Vec<String>), String> {
    let text = format!("<mujoco>{inner}</mujoco>");
    let document = mjcf::parse(text.as_bytes(), None, &ReadOptions::default());
    let document = document.map_err(|error| error.to_string())?;
    Ok((document.rigs[0].clone(), document.notes))
}

/// Bodies on slides of their own, so that no two are joined, with shapes of these masks.
fn model(bodies: &[Vec<(u32, u32)>], contact: &str) -> String {
    let mut text = "<worldbody>".to_owned();
    for (index, shapes) in bodies.iter().enumerate() {
        write!(text, "<body name='b{index}' pos='{index} 0 0'><joint type='slide'/>").unwrap();
        for (shape, (own, meets)) in shapes.iter().enumerate() {
            write!(
                text,
                "<geom name='g{index}{shape}' size='.1' contype='{own}' conaffinity='{meets}'/>"
            )
            .unwrap();
        }
        text.push_str("</body>");
    }
    format!("{text}</worldbody><contact>{contact}</contact>")
}

#[test]
fn masks_allow_what_brute_force_over_shapes_allows() {
    let mut random = Random::new(3);
    let (mut apart, mut mixed, mut touching) = (0, 0, 0);
    for _ in 0..200 {
        let mask = |random: &mut Random| (random.below(4) as u32, random.below(4) as u32);
        let bodies: Vec<Vec<(u32, u32)>> =
            (0..5).map(|_| (0..=random.below(2)).map(|_| mask(&mut random)).collect()).collect();
        let Ok((rig, notes)) = read(&model(&bodies, "")) else { panic!() };
        let mut expected = Vec::new();
        let mut some_mixed = 0;
        for a in 0..bodies.len() {
            for b in a + 1..bodies.len() {
                // Shapes that touch nothing at all are left out.
                let seen = |body: usize| bodies[body].iter().filter(|mask| **mask != (0, 0));
                let can = |(own, meets): (u32, u32), (other, others): (u32, u32)| {
                    own & others != 0 || other & meets != 0
                };
                let all: Vec<bool> =
                    seen(a).flat_map(|x| seen(b).map(move |y| can(*x, *y))).collect();
                match (all.iter().any(|can| *can), all.iter().all(|can| *can)) {
                    _ if all.is_empty() => {}
                    (false, _) => expected.push((a as u32 + 1, b as u32 + 1)),
                    (true, false) => some_mixed += 1,
                    (true, true) => touching += 1,
                }
            }
        }
        assert_eq!(rig.allowed, expected, "{bodies:?}");
        let says = |words: &str| notes.iter().any(|note| note.contains(words));
        assert_eq!(says("may touch by the contact masks"), !expected.is_empty(), "{notes:?}");
        assert_eq!(says("shapes that cannot: all are compared"), some_mixed > 0, "{notes:?}");
        apart += expected.len();
        mixed += some_mixed;
    }
    assert!(apart > 100 && mixed > 100 && touching > 100, "{apart} {mixed} {touching}");
}

#[test]
fn a_pair_is_compared_whatever_the_masks_say() {
    let bodies = [vec![(1, 0)], vec![(1, 0)], vec![(1, 0)]];
    let (rig, notes) = read(&model(&bodies, "<pair geom1='g00' geom2='g20'/>")).unwrap();
    assert_eq!(rig.allowed, [(1, 2), (2, 3)], "{notes:?}");
    // A mask is 32 bits, and a negative one is all of them but some.
    let (rig, _) = read(&model(&[vec![(u32::MAX, 0)], vec![(0, 1 << 31)]], "")).unwrap();
    assert_eq!(rig.allowed, []);
    for (bits, good) in [("-1", true), ("4294967295", true), ("4294967296", false), ("x", false)] {
        let text = format!("<worldbody><geom size='1' contype='{bits}'/></worldbody>");
        assert_eq!(read(&text).is_ok(), good, "{bits}");
    }
}

#[test]
fn many_masks_are_compared_and_that_is_said() {
    let bodies: Vec<Vec<(u32, u32)>> = (0..300).map(|i| vec![(1 << 9 | i, 0)]).collect();
    let (rig, notes) = read(&model(&bodies, "")).unwrap();
    assert_eq!(rig.allowed, []);
    assert!(notes.iter().any(|note| note.contains("too many contact masks")), "{notes:?}");
}

#[test]
fn joined_bodies_touch_where_the_simulator_lets_them() {
    let text = "<worldbody><body><joint/><geom size='.1'/><body><joint/><geom size='.1'/></body></body></worldbody>";
    assert_eq!(read(text).unwrap().0.allowed, [(1, 2)]);
    let off = format!("<option><flag filterparent='disable'/></option>{text}");
    assert_eq!(read(&off).unwrap().0.allowed, []);
}

#[test]
fn margins_and_height_fields_are_said() {
    let text = "<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset>\
        <worldbody><geom type='hfield' hfield='h'/><geom size='.1' margin='.01'/></worldbody>";
    let (_, notes) = read(text).unwrap();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("1 shape of height fields") && notes[0].contains("assumed"));
    assert!(notes[1].contains("with a contact margin"), "{notes:?}");
}

#[test]
fn misspelt_attributes_are_refused() {
    let mut refused = 0;
    for (tag, text) in [
        ("joint", "<body><joint naem='x'/></body>"),
        ("freejoint", "<body><freejoint pos='1 0 0'/></body>"),
        ("frame", "<frame posn='1 0 0'/>"),
        ("replicate", "<replicate count='2' ofset='1 0 0'/>"),
        ("site", "<site sise='1'/>"),
        ("attach", "<attach modle='x'/>"),
        ("body", "<body><geom size='1'/><body quaternion='1 0 0 0'/></body>"),
    ] {
        let error = read(&format!("<worldbody>{text}</worldbody>")).unwrap_err();
        assert!(error.contains(&format!("of <{tag}> is not known")), "{error}");
        refused += 1;
    }
    for text in [
        "<contact><exclude body='a'/></contact>",
        "<contact><pair geom='a'/></contact>",
        "<default><joint rnage='0 1'/></default>",
        "<asset><hfield name='h' rows='2' size='1 1 1 1'/></asset>",
    ] {
        let error = read(&format!("{text}<worldbody/>")).unwrap_err();
        assert!(error.contains("is not known; check its spelling"), "{error}");
        refused += 1;
    }
    assert_eq!(refused, 11);
}

#[test]
fn files_include_and_attach_from_where_they_lie() {
    let folder = Folder::new("mjcf_contacts");
    folder.file(
        "sub/deep/box.xml",
        "<mujoco><worldbody><geom name='box' size='1'/></worldbody></mujoco>",
    );
    folder.file(
        "sub/all.xml",
        "<mujoco><include file='deep/box.xml'/><include file='ball.xml'/></mujoco>",
    );
    folder.file(
        "sub/ball.xml",
        "<mujoco><worldbody><geom name='near' size='1'/></worldbody></mujoco>",
    );
    folder.file("ball.xml", "<mujoco><worldbody><geom name='top' size='1'/></worldbody></mujoco>");
    let main = folder.file("m.xml", "<mujoco><include file='sub/all.xml'/></mujoco>");
    let rig = &read_document(&main, &ReadOptions::default()).unwrap().rigs[0];
    let names: Vec<&str> = rig.parts.iter().map(|part| part.name.as_str()).collect();
    // The folder of the model comes first, as the simulator has it.
    assert_eq!(names, ["box", "top"]);
    folder.file("sub/up.xml", "<mujoco><include file='../../x.xml'/></mujoco>");
    let main = folder.file("u.xml", "<mujoco><include file='sub/up.xml'/></mujoco>");
    let error = read_document(&main, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("leads out of its folder"), "{error}");
    // A frame is attached with its pose, and with nothing beside it.
    folder.file(
        "part.xml",
        "<mujoco><worldbody><geom name='no' size='1'/><frame name='f' pos='0 0 2'><geom name='yes' size='1'/></frame></worldbody></mujoco>",
    );
    let attach = |what: &str| {
        let text = format!(
            "<mujoco><asset><model name='p' file='part.xml'/></asset><worldbody><frame pos='1 0 0'><attach model='p' prefix='a-' {what}/></frame></worldbody></mujoco>"
        );
        read_document(&folder.file("a.xml", &text), &ReadOptions::default())
    };
    let rig = &attach("frame='f'").unwrap().rigs[0];
    assert_eq!((rig.parts.len(), rig.parts[0].name.as_str()), (1, "a-yes"));
    let (local, _) = rig.parts[0].primitive.unwrap();
    assert_eq!(local.translation, glam::DVec3::new(1.0, 0.0, 2.0));
    for (what, words) in
        [("frame='g'", "has not in its world"), ("frame='f' body='b'", "takes one of them")]
    {
        let error = attach(what).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn keys_without_joints_say_where_they_belong() {
    let error = read("<keyframe><key qpos='1 2 3'/></keyframe>").unwrap_err();
    assert!(error.contains("read the model that includes this file"), "{error}");
}
