//! Every option of `check` with every kind of input: it has the effect that it should, or it is
//! refused with exit code 2.

use elbowroom_io::glb_out;
use glam::DVec3;
use serde_json::{Value, json};

use crate::desk::{Desk, Run, obj, shift};

/// What an option does to a kind of input.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    /// Refused: exit code 2, what and what to do, nothing on stdout.
    Refused,
    /// A value of the JSON is another than without the option.
    Changes(&'static str),
    /// The field of the JSON is there, and without the option it is not; or one in its first
    /// contact.
    Adds(&'static str),
    /// The result is the same: the option is about how it is shown, or there is nothing that it
    /// could change here.
    Same,
}

use Cell::{Adds, Changes, Refused, Same};

/// The inputs: a name, the arguments, and whether they make a contact.
pub(crate) const INPUTS: [(&str, &[&str]); 9] = [
    ("plain", &["cube.obj", "ball.obj"]),
    ("posed", &["cube.obj", "ball.obj", "--poses", "way.json"]),
    ("one", &["folded.obj", "--self"]),
    ("shot", &["man.glb", "cube.obj"]),
    ("scene", &["scene.toml"]),
    ("robot", &["robot.urdf", "cube.obj"]),
    ("model", &["robot.xml", "cube.obj"]),
    ("sequence", &["cloth.##.obj", "cube.obj"]),
    ("crowd", &["crowd.toml"]),
];

/// An option, and what it does to each of the inputs, in their order.
type Row = (&'static [&'static str], [Cell; 9]);

#[rustfmt::skip]
const ROWS: [Row; 22] = [
    // option                    plain            posed            one              shot             scene            robot            model            sequence         crowd
    (&["--poses", "way.json"],   [Changes("frames_asked"), Refused, Refused,         Refused,         Refused,         Refused,         Refused,         Refused,         Refused]),
    (&["--clip", "idle"],        [Refused,         Refused,         Refused,         Changes("frames_asked"), Refused,  Refused,         Refused,         Refused,         Refused]),
    (&["--fps", "7"],            [Refused,         Refused,         Changes("fps"),  Changes("fps"),  Refused,         Changes("fps"),  Changes("fps"),  Changes("fps"),  Refused]),
    (&["--frames", "0-1"],       [Refused,         Refused,         Changes("frames_asked"), Changes("frames_asked"), Changes("frames_asked"), Changes("frames_asked"), Changes("frames_asked"), Changes("frames_asked"), Changes("frames_asked")]),
    (&["--self"],                [Changes("pairs_examined"), Refused, Refused,       Changes("pairs_examined"), Changes("pairs_examined"), Changes("pairs_examined"), Changes("pairs_examined"), Changes("pairs_examined"), Changes("pairs_examined")]),
    (&["--self", "--rest", "count"],  [Adds("rest"), Refused,       Refused,         Adds("rest"),    Adds("rest"),    Adds("rest"),    Adds("rest"),    Adds("rest"),    Adds("rest")]),
    (&["--self", "--rest", "ignore"], [Refused,    Refused,         Refused,         Adds("rest"),    Refused,         Refused,         Refused,         Refused,         Adds("rest")]),
    (&["--rest", "count"],       [Refused,         Refused,         Same,            Refused,         Refused,         Refused,         Refused,         Refused,         Refused]),
    (&["--solid"],               [Changes("mode"), Changes("mode"), Changes("mode"), Changes("mode"), Changes("mode"), Changes("mode"), Changes("mode"), Changes("mode"), Changes("mode")]),
    (&["--clearance", "0.1"],    [Adds("clearance"), Adds("clearance"), Adds("clearance"), Adds("clearance"), Adds("clearance"), Adds("clearance"), Adds("clearance"), Adds("clearance"), Adds("clearance")]),
    (&["--where"],               [Adds("point"),   Adds("point"),   Adds("point"),   Adds("point"),   Adds("point"),   Adds("point"),   Adds("point"),   Adds("point"),   Adds("point")]),
    (&["--depth"],               [Adds("depth_means"), Adds("depth_means"), Adds("depth_means"), Adds("depth_means"), Adds("depth_means"), Adds("depth_means"), Adds("depth_means"), Adds("depth_means"), Adds("depth_means")]),
    (&["--continuous"],          [Refused,         Adds("between"), Refused,         Adds("between"), Adds("between"), Refused,         Refused,         Adds("between"), Adds("between")]),
    (&["--refit", "cab"],        [Refused,         Refused,         Refused,         Refused,         Refused,         Same,            Same,            Refused,         Refused]),
    (&["--counts"],              [Adds("work"),    Adds("work"),    Adds("work"),    Adds("work"),    Adds("work"),    Adds("work"),    Adds("work"),    Adds("work"),    Adds("work")]),
    (&["--touching", "ignore"],  [Changes("touching"); 9]),
    (&["--triangles"],           [Adds("triangles"); 9]),
    (&["--gap", "7"],            [Changes("gap"); 9]),
    (&["--top", "1"],            [Same; 9]),
    (&["--threads", "1"],        [Same; 9]),
    (&["--exit-zero"],           [Same; 9]),
    (&["--allow-left-out"],      [Same; 9]),
];

const SCENE: &str = "\
fps = 10
frames = 4
[[model]]
name = 'box'
file = 'cube.obj'
[[model]]
name = 'lift'
file = 'make:cube'
poses = 'way.json'
";

pub(crate) fn desk() -> Desk {
    let desk = Desk::new();
    let cube = elbowroom_make::cuboid(DVec3::splat(0.5));
    desk.put("cube.obj", obj(&cube));
    let ball = elbowroom_make::icosphere(4);
    let moved = ball.vertices().iter().map(|&v| 0.5 * v + DVec3::new(0.6, 0.1, 0.2)).collect();
    desk.put_obj("ball.obj", &ball.with_vertices(moved).expect("a ball"));
    desk.put("way.json", format!("[{}]", [0.4, 0.25, 0.1].map(|y| shift(0.25, y, 0.1)).join(",")));
    desk.put("scene.toml", SCENE);
    // A strip that is folded back through itself.
    desk.put(
        "folded.obj",
        "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv .5 -.1 .2\nv .5 .9 -.2\nf 1 3 4 2\nf 3 5 6 4\n",
    );
    let man = elbowroom_make::body::male();
    desk.put("man.glb", glb_out::to_bytes(&[man]).expect("a GLB"));
    for frame in 0..3 {
        let z = 0.1 * f64::from(frame);
        let cloth = format!("v -2 -2 {z}\nv 2 -2 {z}\nv 0 2 {z}\nf 1 2 3\n");
        desk.put(&format!("cloth.{frame:02}.obj"), cloth);
    }
    let link = |name: &str, size: &str, at: &str| {
        format!(
            "<link name='{name}'><collision><origin xyz='{at}'/><geometry><box size='{size}'/></geometry></collision></link>"
        )
    };
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            "<joint name='{name}' type='revolute'><axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='1'/><parent link='{parent}'/><child link='{child}'/></joint>"
        )
    };
    desk.put(
        "robot.urdf",
        format!(
            "<robot name='r'>{}{}{}{}{}</robot>",
            link("a", ".4 .4 .4", "0.4 0.1 0.2"),
            link("b", ".3 .3 .3", "0.6 0.3 0.2"),
            link("c", ".2 .25 .3", "0.5 0.2 0.3"),
            joint("j", "a", "b"),
            joint("k", "b", "c")
        ),
    );
    let geom = |size: &str| format!("<joint axis='0 0 1'/><geom type='box' size='{size}'/>");
    desk.put(
        "robot.xml",
        format!(
            "<mujoco><worldbody><body name='a' pos='.4 .1 .2'>{}<body name='b' pos='.1 0 0'>{}<body name='c' pos='-.1 0.1 0'>{}</body></body></body></worldbody></mujoco>",
            geom(".3 .3 .3"),
            geom(".2 .2 .2"),
            geom(".31 .1 .2")
        ),
    );
    desk.put(
        "ways.csv",
        "id,frame,x,y\n1,0,0,0\n1,1,0.1,0\n1,2,0.2,0\n2,0,0.2,0\n2,1,0.1,0\n2,2,0,0\n",
    );
    desk.put("crowd.toml", "fps = 10\n[[crowd]]\ntrajectories = 'ways.csv'\nfps = 10\nunits = 'm'\ncharacters = ['make:man']\n");
    desk
}

/// Whether a field is there, in the report or in its first contact.
fn has(report: &Value, field: &str) -> bool {
    report.get(field).is_some() || report["contacts"][0].get(field).is_some()
}

/// How a cell fails, if it does.
fn judge(cell: Cell, before: &Value, run: &Run) -> Result<(), String> {
    if cell == Refused {
        let is_refused = run.code == 2 && run.out.is_empty() && run.err.contains("error: ");
        return if is_refused { Ok(()) } else { Err(format!("is not refused: {run:?}")) };
    }
    if !(run.code == 1 || run.code == 0) {
        return Err(format!("fails: {run:?}"));
    }
    let report: Value =
        serde_json::from_str(&run.out).map_err(|error| format!("{error}: {run:?}"))?;
    let is_right = match cell {
        Changes(field) => report[field] != before[field],
        Adds(field) => has(&report, field) && !has(before, field),
        Same | Refused => report == *before,
    };
    if is_right { Ok(()) } else { Err(format!("{cell:?} is not seen in {report}")) }
}

#[test]
fn every_option_of_a_check_with_every_kind_of_input() {
    let desk = desk();
    let (mut met, mut failed) = (0, Vec::new());
    for (column, (name, input)) in INPUTS.iter().enumerate() {
        // A few frames are enough of what has many.
        let few: &[&str] = if *name == "shot" { &["--frames", "0-2"] } else { &[] };
        let run = |option: &[&str]| {
            let few =
                if option.contains(&"--frames") || option.contains(&"--clip") { &[] } else { few };
            desk.run(&[&["check"], *input, few, option, &["--json"]].concat())
        };
        let before = run(&[]);
        assert_eq!(before.code, 1, "{name} has contacts: {before:?}");
        let before = before.json();
        for (option, cells) in ROWS {
            if let Err(problem) = judge(cells[column], &before, &run(option)) {
                failed.push(format!("{name} {option:?} {problem}"));
            }
            met += 1;
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(met, ROWS.len() * INPUTS.len());
}

/// With no files, there is a scene of its own.
#[test]
fn options_of_a_check_of_nothing_that_is_named() {
    let desk = Desk::new();
    let run =
        |option: &[&str]| desk.run(&[&["check", "--frames", "60-61", "--json"], option].concat());
    let before = run(&[]).json();
    let rows: [(&[&str], Cell); 15] = [
        (&["--poses", "p.json"], Refused),
        (&["--clip", "walk"], Refused),
        (&["--units", "cm"], Refused),
        (&["--up", "z"], Refused),
        (&["--allow-outside"], Refused),
        (&["--packages", "."], Refused),
        (&["--rest", "ignore"], Refused),
        (&["--refit", "obb"], Refused),
        (&["--counts"], Adds("work")),
        (&["--fps", "15"], Changes("fps")),
        (&["--self"], Changes("pairs_examined")),
        (&["--self", "--rest", "ignore"], Adds("rest")),
        (&["--solid"], Changes("mode")),
        (&["--continuous"], Adds("between")),
        (&["--clearance", "2cm"], Adds("clearance")),
    ];
    let failed: Vec<String> = rows
        .iter()
        .filter_map(|(option, cell)| {
            let problem = judge(*cell, &before, &run(option)).err()?;
            Some(format!("{option:?} {problem}"))
        })
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A report is shown as it is: options of a check would be passed over.
#[test]
fn options_of_a_check_do_not_go_with_a_report() {
    let desk = desk();
    assert_eq!(desk.run(&["check", "cube.obj", "ball.obj", "-q", "-o", "r.html"]).code, 1);
    let options: [&[&str]; 10] = [
        &["--depth"],
        &["--self"],
        &["--solid"],
        &["--refit", "cab"],
        &["--counts"],
        &["--clearance", "2cm"],
        &["--frames", "0-3"],
        &["--json"],
        &["--units", "mm"],
        &["-o", "x.html"],
    ];
    for option in options {
        let run = desk.run(&[&["view", "r.html", "--no-open"], option].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{option:?}: {run:?}");
        assert!(run.err.contains("report"), "{option:?}: {}", run.err);
    }
}

/// Keys of a scene file that have no say over what they stand beside.
#[test]
fn keys_of_a_scene_file_are_honoured_or_refused() {
    let desk = desk();
    let check = |key: &str| {
        desk.put(
            "one.toml",
            format!(
                "frames = 2\n[[model]]\nfile = 'cube.obj'\n{key}\n[[model]]\nfile = 'ball.obj'\n"
            ),
        );
        desk.run(&["check", "one.toml", "--json"])
    };
    for key in ["fps = 24", "start = 1", "speed = 2", "loop = true"] {
        let run = check(key);
        assert_eq!(run.code, 2, "{key}: {run:?}");
        assert!(run.err.contains("vertices over time"), "{}", run.err);
    }
    let own = check("self = true").json();
    assert_eq!(
        (&own["pairs_examined"], &check("").json()["pairs_examined"]),
        (&json!(4), &json!(2))
    );
    desk.put("still.toml", "[[model]]\nfile = 'man.glb'\n[[model]]\nfile = 'cube.obj'\n");
    let still = desk.run(&["check", "still.toml"]);
    assert!(still.err.contains("[[model]] plays no clip"), "{}", still.err);
}

#[test]
fn options_of_pose_are_honoured_or_refused() {
    let desk = desk();
    let run = desk.run(&["pose", "robot.urdf", "--rig", "r", "-o", "x.obj"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("--rig"), "{}", run.err);
}
