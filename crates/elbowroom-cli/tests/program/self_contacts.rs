//! Objects compared with themselves: meshes of one character, parts of one mesh, the rest pose; and
//! checks of nothing.

use std::collections::BTreeMap;

use elbowroom::Mesh;
use elbowroom_io::{ReadOptions, glb_out, read_document};
use elbowroom_motion::body::{
    Clip, Hold, Influence, Interpolation, Joint, JointId, Local, Part, Poser, Rig, Skeleton, Skin,
    Target, Track,
};
use elbowroom_testkit::data::{shared_dir, skip_note, skipped};
use glam::{DAffine3, DQuat, DVec3};
use serde_json::{Value, json};

use crate::desk::Desk;

/// A ball whose vertices are f32, so that a GLB keeps them.
fn ball(radius: f64, at: DVec3) -> Mesh {
    let mesh = elbowroom_make::icosphere(6);
    let rounded = |v: &DVec3| (radius * *v + at).as_vec3().as_dvec3();
    mesh.with_vertices(mesh.vertices().iter().map(rounded).collect()).expect("a ball")
}

/// Skinned to the hip below a height, and to the chest above.
fn skinned(name: &str, mesh: Mesh) -> Part {
    let count = mesh.vertices().len() as u32;
    let influence =
        |vertex: &DVec3| Influence { joint: u32::from(vertex.y > 1.0) as u16, weight: 1.0 };
    let influences = mesh.vertices().iter().map(influence).collect();
    let binds = vec![DAffine3::IDENTITY, DAffine3::from_translation(-DVec3::Y)];
    let joints = vec![JointId(1), JointId(2)];
    let skin = Skin::new(joints, binds, (0..=count).collect(), influences).expect("a skin");
    Part::new(name, mesh, Hold::Skinned(skin))
}

/// A person with two joints who bends forward for half a second.
fn bending(parts: Vec<Part>) -> Rig {
    let joint = |name: &str, parent: Option<u32>, y: f64| Joint {
        name: name.into(),
        parent: parent.map(JointId),
        rest: Local { translation: DVec3::Y * y, ..Local::IDENTITY },
    };
    let joints =
        vec![joint("Ann", None, 0.0), joint("hip", Some(0), 0.0), joint("chest", Some(1), 1.0)];
    let mut rig = Rig::new("Ann", Skeleton::new(joints).expect("a tree"));
    rig.parts = parts;
    let turn = |angle: f64| DQuat::from_rotation_z(angle).to_array();
    let track = Track {
        target: Target::Rotation(JointId(2)),
        interpolation: Interpolation::Linear,
        times: vec![0.0, 0.5],
        values: [turn(0.0), turn(2.0)].concat(),
    };
    rig.clips.push(Clip::new("bend".into(), vec![track]).expect("a clip"));
    rig
}

fn body() -> Part {
    skinned("body", elbowroom_make::join(&[ball(0.5, DVec3::Y * 0.6), ball(0.5, DVec3::Y * 1.7)]))
}

fn shirt() -> Part {
    skinned("shirt", ball(0.6, DVec3::new(0.2, 1.3, 0.0)))
}

/// Comes down into the hips as the chest bends.
fn hat() -> Part {
    skinned("hat", ball(0.1, DVec3::new(-0.79, 1.14, 0.0)))
}

fn glb(parts: Vec<Part>) -> Vec<u8> {
    glb_out::to_bytes(&[bending(parts)]).expect("a GLB")
}

/// By frame: triangle pairs of a report of two objects, and crossing ones.
fn of_pair(report: &Value) -> BTreeMap<u64, (u64, u64)> {
    let mut sums = BTreeMap::new();
    for contact in report["contacts"].as_array().expect("a list") {
        let number = |field: &str| contact[field].as_u64().expect("a number");
        let sum: &mut (u64, u64) = sums.entry(number("frame")).or_default();
        *sum = (sum.0 + number("triangle_pairs"), sum.1 + number("crossing_pairs"));
    }
    sums
}

/// The contacts of a report whose parts are of two different meshes.
fn across(report: &Value) -> Value {
    let is_across = |contact: &&Value| {
        let mesh = |side: &str| {
            let name = contact["parts"][0][side].as_str().expect("a name");
            name.split('/').next().expect("a mesh").to_owned()
        };
        mesh("a") != mesh("b")
    };
    let contacts = report["contacts"].as_array().expect("a list").iter().filter(is_across);
    json!({ "contacts": contacts.cloned().collect::<Vec<_>>() })
}

/// A shirt through the body that wears it, as one file with --self and as two files.
#[test]
fn meshes_of_one_character_meet_as_files_do() {
    let desk = Desk::new();
    desk.put("ann.glb", glb(vec![body(), shirt()]));
    desk.put("body.glb", glb(vec![body()]));
    desk.put("shirt.glb", glb(vec![shirt()]));
    let two = desk.run(&["check", "body.glb", "shirt.glb", "--json"]);
    let own = desk.run(&["check", "ann.glb", "--self", "--json"]);
    assert_eq!((two.code, own.code), (1, 1), "{}{}", two.err, own.err);
    let (two, own) = (of_pair(&two.json()), of_pair(&across(&own.json())));
    assert!(two.len() > 10 && two.values().all(|&(_, crossing)| crossing > 20), "{two:?}");
    assert_eq!(own, two);
    // On one joint, and standing still.
    let rigid = |name: &str, part: Part| {
        let mut rig = Rig::new(
            name,
            Skeleton::new(vec![Joint { name: "root".into(), parent: None, rest: Local::IDENTITY }])
                .expect("a tree"),
        );
        let count = part.mesh.vertices().len() as u32;
        let skin = Skin::new(
            vec![JointId(0)],
            vec![DAffine3::IDENTITY],
            (0..=count).collect(),
            (0..count).map(|_| Influence { joint: 0, weight: 1.0 }).collect(),
        );
        rig.parts.push(Part { hold: Hold::Skinned(skin.expect("a skin")), ..part });
        rig
    };
    let mut both = rigid("ann", body());
    both.parts.extend(rigid("ann", shirt()).parts);
    desk.put("clothed.glb", glb_out::to_bytes(&[both]).expect("a GLB"));
    desk.put_obj("body.obj", &body().mesh);
    desk.put_obj("shirt.obj", &shirt().mesh);
    let files = desk.run(&["check", "body.obj", "shirt.obj", "--json"]).json();
    let own = desk.run(&["check", "clothed.glb", "--self", "--json"]);
    assert_eq!(own.code, 1, "{}", own.err);
    assert_eq!(of_pair(&across(&own.json())), of_pair(&files));
    let parts = &own.json()["contacts"][0]["parts"];
    assert_eq!(
        parts,
        &json!([{ "a": "body/root", "b": "shirt/root", "triangle_pairs": files["contacts"][0]["triangle_pairs"] }])
    );
}

/// What is one mesh in the file is compared as if it were two where it does not hang together.
#[test]
fn a_shirt_within_the_mesh_of_the_body_is_found() {
    let desk = Desk::new();
    let joined = elbowroom_make::join(&[body().mesh, shirt().mesh]);
    desk.put("one.glb", glb(vec![skinned("ann", joined)]));
    desk.put("ann.glb", glb(vec![body(), shirt()]));
    let one = desk.run(&["check", "one.glb", "--self", "--json"]).json();
    let two = desk.run(&["check", "ann.glb", "--self", "--json"]).json();
    assert_eq!(of_pair(&one), of_pair(&two));
    assert!(one["contacts_found"].as_u64() > Some(20), "{}", one["contacts_found"]);
    // The parts are called as their joints where there is one skin.
    let names: Vec<&str> = one["contacts"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|c| c["parts"][0]["a"].as_str())
        .collect();
    assert!(names.iter().all(|name| ["hip", "chest"].contains(name)), "{names:?}");
}

#[test]
fn a_flag_is_honoured_with_a_scene_file() {
    let desk = Desk::new();
    desk.put("ann.glb", glb(vec![body(), shirt()]));
    desk.put("cup.obj", crate::desk::obj(&ball(0.1, DVec3::X * 9.0)));
    let scene = |own: &str| {
        format!("fps = 30\n[[character]]\nfile = 'ann.glb'\n{own}\n[[model]]\nfile = 'cup.obj'\n")
    };
    desk.put("plain.toml", scene(""));
    desk.put("own.toml", scene("self = true"));
    let without = desk.run(&["check", "plain.toml", "--json"]);
    assert_eq!((without.code, &without.json()["pairs_examined"]), (0, &json!(16)));
    let by_flag = desk.run(&["check", "plain.toml", "--self", "--json"]);
    let by_file = desk.run(&["check", "own.toml", "--json"]);
    assert_eq!((by_flag.code, by_file.code), (1, 1), "{}{}", by_flag.err, by_file.err);
    assert_eq!(by_flag.json()["contacts"], by_file.json()["contacts"]);
    assert_eq!(by_file.json()["pairs_examined"], 32);
    assert_eq!(by_flag.json()["pairs_examined"], 48, "the cup is compared with itself as well");
    // Alone in a scene, it is its own partner.
    desk.put("alone.toml", "fps = 30\n[[character]]\nfile = 'ann.glb'\nself = true\n");
    assert_eq!(desk.run(&["check", "alone.toml"]).code, 1);
}

#[test]
fn one_incident_for_two_parts_whichever_way_round() {
    let desk = Desk::new();
    desk.put("ann.glb", glb(vec![body(), shirt(), hat()]));
    let run =
        desk.run(&["check", "ann.glb", "--self", "--where", "--depth", "--gap", "99", "--json"]);
    let report = run.json();
    let incidents = report["incidents"].as_array().expect("a list");
    let mut seen = BTreeMap::new();
    for incident in incidents {
        assert_eq!(
            (&incident["a"], incident["parts"].as_array().map(Vec::len)),
            (&incident["b"], Some(1))
        );
        let mut names =
            ["a", "b"].map(|side| incident["parts"][0][side].as_str().expect("a name").to_owned());
        names.sort();
        assert!(seen.insert(names, incident["frames"].as_u64()).is_none(), "twice: {incident}");
        assert!(incident["point"].is_array() && incident["length"].is_number(), "{incident}");
    }
    let of_meshes = |a: &str, b: &str| {
        seen.keys().filter(|[x, y]| x.starts_with(a) && y.starts_with(b)).count()
    };
    assert!(of_meshes("body", "shirt") >= 2 && of_meshes("body", "hat") >= 1, "{seen:?}");
    let deep = incidents.iter().filter(|i| i["depth"].as_f64() > Some(0.0));
    let (deep, estimates): (Vec<_>, Vec<_>) =
        (deep.clone().collect(), deep.filter(|i| i["depth_certainty"] == "estimate").collect());
    // The shirt and the hips are cut where the joints change, the hat is not.
    assert!(
        deep.len() >= 3 && !estimates.is_empty() && estimates.len() <= deep.len(),
        "{}",
        run.out
    );
    let all: u64 = incidents.iter().filter_map(|i| i["frames"].as_u64()).sum();
    assert_eq!(report["contacts_found"], json!(all));
    let table = desk.run(&["check", "ann.glb", "--self", "--top", "0"]);
    assert!(
        table.out.contains("body/chest–shirt/chest") && table.out.contains("at rest too"),
        "{}",
        table.out
    );
}

/// What meets at rest is told apart, or left out and counted. The first frame of the clip is the
/// rest pose.
#[test]
fn the_rest_pose_is_known() {
    let desk = Desk::new();
    desk.put("ann.glb", glb(vec![body(), shirt(), hat()]));
    let count = desk.run(&["check", "ann.glb", "--self", "--json"]).json();
    let run = desk.run(&["check", "ann.glb", "--self", "--rest", "ignore", "--json"]);
    let ignore = run.json();
    assert_eq!((&count["rest"], &ignore["rest"], run.code), (&json!("count"), &json!("ignore"), 1));
    let sum = |report: &Value, field: &str| {
        let contacts = report["contacts"].as_array().expect("a list").iter();
        contacts.filter_map(|contact| contact[field].as_u64()).sum::<u64>()
    };
    let left_out = ignore["rest_pairs_left_out"].as_u64().expect("a number");
    assert!(left_out > 100 && sum(&ignore, "triangle_pairs") > 100);
    assert_eq!(sum(&count, "rest_pairs"), left_out);
    assert_eq!(sum(&count, "triangle_pairs"), sum(&ignore, "triangle_pairs") + left_out);
    assert_eq!((sum(&ignore, "rest_pairs"), &count["rest_pairs_left_out"]), (0, &json!(0)));
    let first = |report: &Value| of_pair(report).get(&0).copied();
    assert_eq!(first(&ignore), None);
    assert!(first(&count).is_some_and(|(all, _)| all > 20));
    // A pair of parts that does not meet at rest is as it was.
    let fresh = |report: &Value| {
        let contacts = report["contacts"].as_array().expect("a list").iter().cloned();
        contacts
            .filter(|c| {
                c["parts"][0]["a"].as_str().is_some_and(|a| a.starts_with("hat"))
                    || c["parts"][0]["b"].as_str().is_some_and(|b| b.starts_with("hat"))
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(fresh(&count), fresh(&ignore));
    assert!(fresh(&count).len() >= 3, "the hat comes down on the body");
    let table = desk.run(&["check", "ann.glb", "--self", "--rest", "ignore"]);
    assert!(table.out.contains("left out that meet at rest, too (--rest count)"), "{}", table.out);
    for (arguments, words) in [
        (vec!["ann.glb", "body.obj", "--rest", "ignore"], "there are none"),
        (vec!["body.obj", "body.obj", "--rest", "count"], "there are none"),
        (vec!["body.obj", "--self", "--rest", "ignore"], "ever leaves this pose"),
        (vec!["ann.glb", "--self", "--rest", "ignore", "--continuous"], "--continuous"),
    ] {
        desk.put_obj("body.obj", &body().mesh);
        let run = desk.run(&[&["check"], &arguments[..]].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {run:?}");
        assert!(run.err.contains("--rest") && run.err.contains(words), "{}", run.err);
    }
}

/// Somebody of one mesh, with a ball in the chest and a sleeve beside the hip, each a shell.
fn one_mesh() -> Part {
    let (inner, sleeve) = (ball(0.1, DVec3::Y * 1.75), ball(0.1, DVec3::new(0.0, 0.6, 0.62)));
    skinned(
        "skin",
        elbowroom_make::join(&[
            ball(0.5, DVec3::Y * 0.6),
            ball(0.5, DVec3::Y * 1.7),
            inner,
            sleeve,
        ]),
    )
}

/// Parts of one skin: how far apart they are, what is inside, how deep; in every output.
#[test]
fn parts_of_one_skin_are_measured() {
    let desk = Desk::new();
    desk.put("ann.glb", glb(vec![one_mesh()]));
    let first = ["check", "ann.glb", "--self", "--frames", "0"];
    let report = |more: &[&str]| {
        let run = desk.run(&[&first[..], more, &["--json"]].concat());
        assert_eq!(run.code, 1, "{run:?}");
        let report = run.json();
        assert_eq!(report["warnings"], json!([]));
        report
    };
    let kinds = |report: &Value| {
        let contacts = report["contacts"].as_array().expect("a list").iter();
        let kind = |contact: &Value| contact["kind"].as_str().expect("a kind").to_owned();
        contacts.map(|contact| (kind(contact), contact.clone())).collect::<BTreeMap<_, _>>()
    };
    // The hips and the chest are 0.1 apart, the sleeve and the hip 0.02.
    let near = report(&["--clearance", "0.05"]);
    let found = kinds(&near);
    let gap = &found["clearance"];
    let distance = gap["distance"].as_f64().expect("a number");
    assert!((0.0199..0.03).contains(&distance), "{gap}");
    assert_eq!((&gap["parts"][0]["a"], &gap["rest_pairs"]), (&json!("hip"), &json!(1)), "{gap}");
    assert!(gap["point"].is_array() && gap["certainty"].is_null(), "{gap}");
    // As it is at rest, it may be left out; and in no frame is it nearer.
    let ignored = desk.run(&[&first[..], &["--clearance", "0.05", "--rest", "ignore"]].concat());
    assert_eq!(ignored.code, 0, "{ignored:?}");
    assert!(
        ignored.out.contains("1 triangle pair left out that meet or are as near at rest"),
        "{}",
        ignored.out
    );
    // The ball is inside the chest; as surfaces they are clear.
    let surface = desk.run(&[&first[..], &["--json"]].concat());
    assert_eq!(surface.json()["contacts_found"], 0, "{surface:?}");
    let solid = report(&["--solid"]);
    let inside = &kinds(&solid)["crossing"];
    assert_eq!(
        inside["parts"][0],
        json!({"a": "chest", "b": "chest", "triangle_pairs": 0}),
        "{inside}"
    );
    let deep = report(&["--depth"]);
    let deep = &kinds(&deep)["crossing"];
    let volume = deep["volume"].as_f64().expect("a number");
    assert!((0.0035..0.0043).contains(&volume), "{deep}");
    assert!(deep["depth"].as_f64() > Some(0.3), "{deep}");
    // It is all of its shell, so that nothing had to be closed.
    assert_eq!(deep["depth_certainty"], "exact", "{deep}");
}

/// A resumed check knows incidents by their parts, too.
#[test]
fn self_contacts_go_to_every_output_alike() {
    let desk = Desk::new();
    desk.put("ann.glb", glb(vec![body(), shirt()]));
    let outputs = ["-o", "x.ndjson", "-o", "x.csv"];
    let run =
        desk.run(&[&["check", "ann.glb", "--self", "-q", "--threads", "1"][..], &outputs].concat());
    assert_eq!(run.code, 1, "{}", run.err);
    let text = |name: &str| std::fs::read_to_string(desk.path().join(name)).expect("a file");
    let json = desk.run(&["check", "ann.glb", "--self", "--json"]).json();
    let lines = |kind: &str| {
        text("x.ndjson").lines().filter(|l| l.contains(&format!("\"type\":\"{kind}\""))).count()
            as u64
    };
    assert_eq!(json["contacts_found"], lines("contact"));
    assert_eq!(json["incidents_found"], lines("incident"));
    assert_eq!(text("x.csv").lines().count() as u64, lines("contact") + 1);
    assert_eq!(text("x.incidents.csv").lines().count() as u64, lines("incident") + 1);
}

/// Every way to a check that looks at nothing.
#[test]
fn an_examination_of_nothing_is_not_clean() {
    let desk = Desk::new();
    desk.put("ann.glb", glb(vec![body(), shirt()]));
    // Two parts on one shell, which are neighbours.
    desk.put("egg.glb", glb(vec![skinned("egg", ball(0.5, DVec3::Y))]));
    desk.put_obj("cup.obj", &ball(0.1, DVec3::X * 9.0));
    desk.put_obj("mug.obj", &ball(0.1, DVec3::X * 8.0));
    let two =
        "[[model]]\nname = 'cup'\nfile = 'cup.obj'\n[[model]]\nname = 'mug'\nfile = 'mug.obj'\n";
    desk.put("all.toml", format!("allow = [['*', '*']]\n{two}"));
    desk.put("pair.toml", format!("allow = [['cup', 'm*']]\n{two}"));
    desk.put(
        "own.toml",
        "allow = [['ann', 'ann']]\n[[character]]\nfile = 'ann.glb'\nself = true\n",
    );
    desk.put(
        "parts.toml",
        "allow = [['ann/*', 'ann/*']]\n[[character]]\nfile = 'ann.glb'\nself = true\n",
    );
    desk.put("ways.csv", "id,frame,x,y\n1,0,0,0\n1,1,0,1\n1,2,0,2\n2,8,5,0\n2,9,5,1\n2,10,5,2\n");
    desk.put("crowd.toml", "fps = 10\n[[crowd]]\ntrajectories = 'ways.csv'\nfps = 10\nunits = 'm'\ncharacters = ['make:man']\n");
    let link = "<robot name='r'><link name='a'><collision><geometry><box size='1 1 1'/></geometry></collision></link>\
        <link name='b'><collision><geometry><box size='.5 .5 .5'/></geometry></collision></link>\
        <joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint></robot>";
    desk.put("weld.urdf", link);
    let cases: [(&[&str], &str); 10] = [
        (&["all.toml"], "allowed to touch"),
        (&["pair.toml"], "allowed to touch"),
        (&["own.toml"], "allowed to touch"),
        (&["parts.toml"], "allowed to touch"),
        (&["egg.glb", "--self"], "neighbours"),
        (&["weld.urdf", "--self"], "joined"),
        (&["ann.glb", "--self", "--frames", "500-600"], "the shot has frames 0 to 15"),
        (&["ann.glb", "cup.obj", "--frames", "16"], "the shot has frames 0 to 15"),
        (
            &["cup.obj", "ann.glb", "--clip", "bend", "--frames", "90-99x3"],
            "--frames asks for 90 to 99",
        ),
        (&["crowd.toml"], "no frame has two objects"),
    ];
    let mut met = 0;
    for (arguments, words) in cases {
        let run = |more: &[&str]| desk.run(&[&["check"], arguments, more].concat());
        let table = run(&[]);
        assert_eq!(table.code, 3, "{arguments:?}: {table:?}");
        assert!(
            table.out.contains("nothing examined: ") && table.out.contains(words),
            "{arguments:?}: {}",
            table.out
        );
        assert!(
            table.err.contains("error: nothing was examined: "),
            "{arguments:?}: {}",
            table.err
        );
        assert!(!table.out.contains("no contact"), "{arguments:?}: {}", table.out);
        let json = run(&["--json", "--exit-zero"]);
        let report = json.json();
        assert_eq!(
            (json.code, &report["complete"], &report["pairs_examined"]),
            (3, &json!(false), &json!(0)),
            "{arguments:?}"
        );
        assert!(
            report["nothing_examined"].as_str().is_some_and(|why| why.contains(words)),
            "{report}"
        );
        assert_eq!(run(&["-q"]).code, 3);
        let page = run(&["-q", "-o", "r.html", "-o", "r.ndjson"]);
        assert_eq!(page.code, 3);
        let text = std::fs::read_to_string(desk.path().join("r.html")).expect("a page");
        assert!(text.contains("nothing was examined"), "{arguments:?}");
        let text = std::fs::read_to_string(desk.path().join("r.ndjson")).expect("lines");
        assert!(
            text.lines().last().is_some_and(|line| line.contains("\"complete\":false")),
            "{text}"
        );
        met += 1;
    }
    assert_eq!(met, 10);
    // Frames beyond the end are examined where some are within, and where something goes on for
    // ever.
    assert_eq!(desk.run(&["check", "ann.glb", "cup.obj", "--frames", "10-20"]).code, 0);
    desk.put(
        "loop.toml",
        "frames = 4\n[[character]]\nfile = 'ann.glb'\nloop = true\n[[model]]\nfile = 'cup.obj'\n",
    );
    assert_eq!(desk.run(&["check", "loop.toml", "--frames", "50-52"]).code, 0);
}

/// The meshes of a real character, as files and with --self: the same pairs of meshes, the same
/// triangle pairs.
#[test]
fn a_suit_is_compared_with_its_wearer() {
    let name = "a_suit_is_compared_with_its_wearer";
    let Some(data) = shared_dir() else { return skip_note(name) };
    let suit = data.join("characters/quaternius_man_Suit.glb");
    if !suit.is_file() {
        return skipped(name, &suit);
    }
    let document = read_document(&suit, &ReadOptions::default()).expect("a good file");
    let rig = &document.rigs[0];
    let desk = Desk::new();
    let (mut poser, mut points, mut files) = (Poser::new(), Vec::new(), Vec::new());
    poser.set(rig, &rig.rest_pose());
    for (index, part) in rig.parts.iter().enumerate() {
        poser.part(rig, index, &mut points);
        let name = format!("{}.obj", part.name.replace(|c: char| !c.is_alphanumeric(), "_"));
        desk.put_obj(&name, &part.mesh.with_vertices(points.clone()).expect("posed"));
        files.push(name);
    }
    let arguments: Vec<&str> =
        ["check"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let two = desk.run(&[&arguments[..], &["--json", "--touching", "ignore"]].concat()).json();
    desk.put(
        "still.toml",
        format!(
            "[[character]]\nname = 'man'\nfile = {:?}\nclip = ''\nself = true\n",
            suit.to_str().expect("a path")
        ),
    );
    let own =
        desk.run(&["check", "still.toml", "--allow-outside", "--json", "--touching", "ignore"]);
    let mut expected: BTreeMap<[String; 2], u64> = BTreeMap::new();
    let plain = |name: &str| {
        let name = name.split('/').next().unwrap_or(name).trim_end_matches(".obj");
        name.replace(|c: char| !c.is_alphanumeric(), "_")
    };
    let add = |sums: &mut BTreeMap<[String; 2], u64>, a: &Value, b: &Value, pairs: &Value| {
        let mut key = [a, b].map(|name| plain(name.as_str().expect("a name")));
        key.sort();
        if key[0] != key[1] {
            *sums.entry(key).or_default() += pairs.as_u64().expect("a number");
        }
    };
    for contact in two["contacts"].as_array().expect("a list") {
        add(&mut expected, &contact["a"], &contact["b"], &contact["crossing_pairs"]);
    }
    let mut found = BTreeMap::new();
    for contact in own.json()["contacts"].as_array().expect("a list") {
        let parts = &contact["parts"][0];
        add(&mut found, &parts["a"], &parts["b"], &contact["crossing_pairs"]);
    }
    assert_eq!(own.code, 1, "{}", own.err);
    assert!(expected.len() >= 3 && expected.values().all(|&pairs| pairs > 50), "{expected:?}");
    assert_eq!(found, expected);
}
