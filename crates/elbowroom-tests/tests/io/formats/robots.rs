//! Robots pose as their files say: against `MuJoCo` and yourdfpy, whose numbers are in tables
//! beside this file.

use elbowroom::Aabb;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use elbowroom_io::{Axis, Document, ReadOptions, Source, read_document};
use elbowroom_motion::body::{FreedomKind, Hold, JointId, Primitive, Rig, SkeletonPose};
use elbowroom_testkit::folder::Folder;
use glam::DVec3;
use serde::Deserialize;

use super::common::{data, table};
use super::moments::{Moments, OFF};

/// Where `MuJoCo` puts things in one pose. The tables are made by `reference_values.py`.
#[derive(Deserialize)]
struct Values {
    model: String,
    file: String,
    pose: String,
    /// Bodies without the world, solids and meshes that can touch, joints, excluded pairs.
    counts: [usize; 5],
    /// Sums of p, p·p and p.xyz·p.yzx, over two points fixed to each.
    bodies: [f64; 9],
    solids: [f64; 9],
    meshes: [f64; 9],
}

/// Where yourdfpy puts a link of the Panda, by the same script: its origin, and the point off the
/// axes.
#[derive(Deserialize)]
struct Placed {
    values: Vec<f64>,
    link: String,
    origin: [f64; 3],
    off: [f64; 3],
}

/// The values of all freedoms in the pose that the script calls wave.
fn wave(rig: &Rig, first: usize) -> Vec<f64> {
    let mut values = Vec::new();
    for (number, freedom) in rig.freedoms.iter().enumerate() {
        match freedom.kind {
            FreedomKind::Free => {
                let rest = rig.skeleton.joints()[freedom.joint.0 as usize].rest.translation;
                values.extend((rest + DVec3::new(0.1, 0.2, 0.3)).to_array());
                values.extend([0.1, -0.2, 0.3, 0.9]);
            }
            FreedomKind::Ball => values.extend([0.3, -0.1, 0.2, 0.8]),
            _ => values.push(0.3 * (1.7 * (first + number) as f64 + 0.4).sin()),
        }
    }
    values
}

fn pose(rig: &Rig, name: &str, first: usize) -> SkeletonPose {
    match name {
        "rest" => rig.rest_pose(),
        "wave" => rig.pose_of(&wave(rig, first)).unwrap(),
        key => {
            let mut pose = rig.rest_pose();
            if let Some(clip) = rig.clips.iter().find(|clip| clip.name() == key) {
                clip.sample(0.0, &mut pose);
            }
            pose
        }
    }
}

/// A folder like the data folder, but with the humanoid under the name that the crowds of it ask
/// for.
fn with_humanoid(data: &Path) -> Folder {
    let folder = Folder::new("humanoids");
    let characters = data.join("characters");
    for file in ["mujoco_humanoid.xml", "mujoco_22_humanoids.xml", "mujoco_100_humanoids.xml"] {
        folder.file(&format!("characters/{file}"), std::fs::read(characters.join(file)).unwrap());
    }
    folder.file(
        "characters/humanoid.xml",
        std::fs::read(characters.join("mujoco_humanoid.xml")).unwrap(),
    );
    folder
}

fn compare(document: &Document, values: &Values) {
    let (mut bodies, mut solids, mut meshes) =
        (Moments::default(), Moments::default(), Moments::default());
    let (mut first, mut points, mut poser) = (0, Vec::new(), elbowroom_motion::body::Poser::new());
    for rig in &document.rigs {
        let pose = pose(rig, &values.pose, first);
        first += rig.freedoms.len();
        let mut world = Vec::new();
        rig.skeleton.world(&pose, &mut world);
        for (joint, frame) in rig.skeleton.joints().iter().zip(&world) {
            if joint.name != "world" {
                bodies.add_frame(*frame);
            }
        }
        for (index, part) in rig.parts.iter().enumerate() {
            let Hold::Rigid(JointId(joint)) = part.hold else { panic!("robots are rigid") };
            if let Some((_, Primitive::HalfSpace)) = &part.primitive {
                continue;
            }
            if let Some((local, _)) = &part.primitive {
                solids.add_frame(world[joint as usize] * local.affine());
            } else {
                rig.posed(&pose, index, &mut poser, &mut points);
                meshes.add(points.iter().copied().fold(DVec3::INFINITY, DVec3::min));
                meshes.add(points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max));
            }
        }
    }
    let found = [bodies.count / 2, solids.count / 2, meshes.count / 2, first];
    assert_eq!(found, values.counts[..4], "{} {}", values.model, values.pose);
    let off = [bodies.off(&values.bodies), solids.off(&values.solids), meshes.off(&values.meshes)];
    // The meshes are of f32.
    assert!(
        off[0] < 1e-9 && off[1] < 1e-9 && off[2] < 1e-6,
        "{} {}: {off:?}",
        values.model,
        values.pose
    );
}

#[test]
fn models_pose_as_mujoco_poses_them() {
    let Some(data) = data("models_pose_as_mujoco_poses_them") else { return };
    let folder = with_humanoid(&data);
    let table: Vec<Values> = table(include_str!("mujoco_values.json"));
    let mut documents: HashMap<&str, Document> = HashMap::new();
    for values in &table {
        let root = if values.file.starts_with("characters") { folder.path() } else { &data };
        let document = documents.entry(&values.model).or_insert_with(|| {
            read_document(&root.join(&values.file), &ReadOptions::default())
                .unwrap_or_else(|error| panic!("{error}"))
        });
        assert_eq!((document.up.axis, document.up.source), (Axis::Z, Source::File));
        compare(document, values);
    }
    assert_eq!((documents.len(), table.len()), (11, 26));
    let humanoids = &documents["100 humanoids"];
    // The floor, and a rig for each that floats freely.
    assert_eq!(humanoids.rigs.len(), 101);
    assert!(humanoids.rigs.iter().any(|rig| rig.name == "_torso-09-09"));
    assert_eq!(documents["humanoid"].rigs[1].clips.len(), 4);
}

#[test]
fn crooked_models_pose_as_mujoco_poses_them() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/io/formats");
    let table: Vec<Values> = table(include_str!("crooked_values.json"));
    for values in &table {
        let document = read_document(&here.join(&values.file), &ReadOptions::default());
        compare(&document.unwrap_or_else(|error| panic!("{error}")), values);
    }
    assert_eq!(table.len(), 4);
}

/// Who may touch whom: what `MuJoCo` filters, from its rules for welded bodies, parents and
/// excluded pairs.
#[test]
fn pairs_of_the_humanoid_that_may_touch() {
    let Some(data) = data("pairs_of_the_humanoid_that_may_touch") else { return };
    let document =
        read_document(&data.join("characters/mujoco_humanoid.xml"), &ReadOptions::default())
            .unwrap();
    let rig = &document.rigs[1];
    let allowed = |a: &str, b: &str| {
        let (a, b) = (rig.skeleton.find(a).unwrap().0, rig.skeleton.find(b).unwrap().0);
        rig.allowed.contains(&(a.min(b), a.max(b)))
    };
    let may = [
        ("torso", "head"),
        ("torso", "waist_lower"),
        ("head", "waist_lower"),
        ("waist_lower", "thigh_left"),
        ("waist_lower", "thigh_right"),
        ("pelvis", "thigh_left"),
        ("hand_left", "lower_arm_left"),
        ("hand_left", "upper_arm_left"),
    ];
    let may_not = [
        ("torso", "pelvis"),
        ("hand_left", "hand_right"),
        ("thigh_left", "thigh_right"),
        ("torso", "lower_arm_left"),
    ];
    assert!(may.iter().all(|(a, b)| allowed(a, b)));
    assert!(may_not.iter().all(|(a, b)| !allowed(a, b)));
    let [knee] = [rig.freedoms.iter().find(|freedom| freedom.name == "knee_right").unwrap()];
    assert_eq!(knee.anchor, DVec3::new(0.0, 0.0, 0.02));
    let (low, high) = knee.range.unwrap();
    assert!((low.to_degrees() + 160.0).abs() < 1e-9 && (high.to_degrees() - 2.0).abs() < 1e-9);
}

#[test]
fn the_crowds_of_humanoids_name_a_file_that_is_not_there() {
    let Some(data) = data("the_crowds_of_humanoids_name_a_file_that_is_not_there") else { return };
    for file in ["mujoco_22_humanoids.xml", "mujoco_100_humanoids.xml"] {
        let error = read_document(&data.join("characters").join(file), &ReadOptions::default())
            .unwrap_err();
        assert_eq!(error.line(), Some(25), "{error}");
        assert!(error.message().contains("humanoid.xml, which is not there"), "{error}");
    }
}

#[test]
fn the_panda_stands_as_its_file_says() {
    let Some(data) = data("the_panda_stands_as_its_file_says") else { return };
    let path = data.join("meshes/robots/panda/urdf/panda.urdf");
    let document =
        read_document(&path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let rig = &document.rigs[0];
    // The second finger follows the first.
    assert_eq!((rig.freedoms.len(), rig.values_len(), rig.parts.len()), (9, 8, 11));
    let triangles: usize = rig.parts.iter().map(|part| part.mesh.triangles().len()).sum();
    assert_eq!(triangles, 200 + 5 * 300 + 2 * 200 + 200 + 2 * 32);
    let mut compared = 0;
    let table: Vec<Placed> = table(include_str!("panda_values.json"));
    for Placed { values, link, origin, off } in &table {
        let mut world = Vec::new();
        rig.skeleton.world(&rig.pose_of(values).unwrap(), &mut world);
        let frame = world[rig.skeleton.find(link).unwrap().0 as usize];
        let differences = [
            frame.translation - DVec3::from_array(*origin),
            frame.transform_point3(OFF) - DVec3::from_array(*off),
        ];
        assert!(differences.iter().all(|d| d.length() < 1e-12), "{link} {differences:?}");
        compared += 1;
    }
    assert_eq!(compared, 3 * rig.skeleton.len());
}

#[test]
fn packages_are_found_above_a_robot() {
    let folder = Folder::new("packages");
    let stl = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";
    folder.file("bot/meshes/a.stl", stl.as_bytes());
    let robot = |name: &str| {
        format!(
            "<robot name=\"r\"><link name=\"l\"><collision><origin xyz=\"1 2 3\"/><geometry><mesh filename=\"{name}\" scale=\"2 1 -1\"/></geometry></collision></link></robot>"
        )
    };
    let cases = [
        ("bot/urdf/a.urdf", "package://bot/meshes/a.stl"),
        ("bot/urdf/b.urdf", "package://other_name/meshes/a.stl"),
        ("x/y/c.urdf", "package://bot/meshes/a.stl"),
        ("bot/d.urdf", "meshes/a.stl"),
    ];
    for (file, name) in cases {
        let path: PathBuf = folder.file(file, robot(name).as_bytes());
        let document =
            read_document(&path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let mesh = &document.rigs[0].parts[0].mesh;
        assert_eq!(mesh.vertices()[1], DVec3::new(3.0, 2.0, 3.0));
        assert_eq!(mesh.triangles(), [[0, 2, 1]], "mirrored, so turned about");
    }
}

#[test]
fn a_semantic_file_beside_a_robot_is_read() {
    let folder = Folder::new("semantic");
    let link = |name: &str| {
        format!(
            "<link name=\"{name}\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link>"
        )
    };
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>"
        )
    };
    // A child that is listed before its parent.
    let text = format!(
        "<robot name=\"bot\">{}{}{}{}{}</robot>",
        link("hand"),
        link("arm"),
        link("base"),
        joint("b", "arm", "hand"),
        joint("a", "base", "arm")
    );
    let path = folder.file("bot.urdf", text.as_bytes());
    let pairs =
        |path: &Path| read_document(path, &ReadOptions::default()).unwrap().rigs[0].allowed.clone();
    assert_eq!(pairs(&path), [(0, 1), (1, 2)]);
    folder.file(
        "bot.srdf",
        b"<robot name=\"bot\"><disable_collisions link1=\"base\" link2=\"hand\" reason=\"Never\"/><disable_collisions link1=\"x\" link2=\"arm\"/></robot>",
    );
    assert_eq!(pairs(&path), [(0, 1), (0, 2), (1, 2)]);
    let document = read_document(&path, &ReadOptions::default()).unwrap();
    assert_eq!(
        document.notes,
        ["1 pair of links may touch by bot.srdf; 1 more name links that are not there"]
    );
}

#[test]
fn every_way_to_say_where_a_body_is() {
    // Each turns x to y: a quarter about z.
    let ways = [
        "quat=\"1 0 0 1\"",
        "axisangle=\"0 0 2 90\"",
        "euler=\"0 0 90\"",
        "xyaxes=\"0 1 0 -1 5 0\"",
    ];
    let half = std::f64::consts::FRAC_1_SQRT_2;
    for way in ways {
        let text = format!(
            "<mujoco><worldbody><body pos=\"1 2 3\" {way}><geom size=\"0.1\"/></body></worldbody></mujoco>"
        );
        let document =
            elbowroom_io::mjcf::parse(text.as_bytes(), None, &ReadOptions::default()).unwrap();
        let rest = document.rigs[0].skeleton.joints()[1].rest;
        assert_eq!(rest.translation, DVec3::new(1.0, 2.0, 3.0));
        assert!(
            rest.rotation.abs_diff_eq(glam::DQuat::from_xyzw(0.0, 0.0, half, half), 1e-15),
            "{way} {rest:?}"
        );
    }
    // Axes that turn along, and axes that stand still, in radians.
    let turn = |sequence: &str, angles: &str| {
        let text = format!(
            "<mujoco><compiler angle=\"radian\" eulerseq=\"{sequence}\"/><worldbody><body euler=\"{angles}\"/></worldbody></mujoco>"
        );
        let document =
            elbowroom_io::mjcf::parse(text.as_bytes(), None, &ReadOptions::default()).unwrap();
        document.rigs[0].skeleton.joints()[1].rest.rotation
    };
    assert!(turn("xyz", "0.1 0.2 0.3").abs_diff_eq(turn("ZYX", "0.3 0.2 0.1"), 1e-15));
    assert!(!turn("xyz", "0.1 0.2 0.3").abs_diff_eq(turn("XYZ", "0.1 0.2 0.3"), 1e-3));
    assert!(
        turn("XYZ", "0.1 0.2 0.3")
            .abs_diff_eq(glam::DQuat::from_euler(glam::EulerRot::ZYX, 0.3, 0.2, 0.1), 1e-15)
    );
}

#[test]
fn solids_classes_frames_and_references() {
    let text = r#"<mujoco model="m">
      <default><geom size="0.1 0.2 0.3"/>
        <default class="thin"><geom type="box" size="0.01"/></default></default>
      <worldbody>
        <frame pos="1 0 0" euler="0 0 90">
          <geom name="plate" class="thin" pos="1 0 0"/>
          <geom name="floor" type="plane" size="0 2 1"/>
          <body name="arm" pos="0 1 0">
            <joint name="slide" type="slide" axis="1 0 0" ref="0.5" range="0 2"/>
            <joint name="ball" type="ball" pos="0 0 1"/>
            <geom name="egg" type="ellipsoid"/>
            <geom name="rod" type="cylinder" fromto="0 0 0 0 0 -2"/>
            <geom name="looks" contype="0" conaffinity="0"/>
          </body>
        </frame>
      </worldbody>
      <keyframe><key name="out" qpos="1.5 0 0 0 1"/><key/></keyframe>
    </mujoco>"#;
    let document =
        elbowroom_io::mjcf::parse(text.as_bytes(), None, &ReadOptions::default()).unwrap();
    let rig = &document.rigs[0];
    let part = |name: &str| rig.parts.iter().find(|part| part.name == name).unwrap();
    let Some((local, Primitive::Cuboid { half })) = part("plate").primitive else { panic!() };
    // The class says the first measure alone; the others stay as they were.
    assert_eq!(half, DVec3::new(0.01, 0.2, 0.3));
    assert!((local.translation - DVec3::new(1.0, 1.0, 0.0)).length() < 1e-15);
    let Some((local, Primitive::Cylinder { radius, half_length })) = part("rod").primitive else {
        panic!()
    };
    assert_eq!((radius, half_length, local.translation), (0.1, 1.0, DVec3::NEG_Z));
    assert!(matches!(part("egg").primitive, Some((_, Primitive::Ellipsoid { .. }))));
    assert!(matches!(part("floor").primitive, Some((_, Primitive::HalfSpace))));
    let Aabb { min: low, max: high } = part("floor").mesh.bounds();
    assert!(
        (low - DVec3::new(-1.0, -100.0, -10.0)).length() < 1e-9
            && (high - DVec3::new(3.0, 100.0, 0.0)).length() < 1e-9
    );
    assert_eq!(document.notes.len(), 1, "{:?}", document.notes);
    assert_eq!(rig.freedoms[0].range, Some((-0.5, 1.5)), "from the reference on");
    assert_eq!((rig.clips.len(), rig.clips[0].name()), (1, "out"));
    // Slid by 1 from the reference along the turned x, then half a turn about z through a point on
    // it.
    let mut keyed = rig.rest_pose();
    rig.clips[0].sample(0.0, &mut keyed);
    let arm = keyed.locals[1];
    assert!((arm.translation - DVec3::new(0.0, 1.0, 0.0)).length() < 1e-12, "{arm:?}");
    assert_eq!(rig.name, "m");
}

#[test]
fn packages_are_found_where_the_caller_says() {
    let folder = Folder::new("packages");
    let sheet = |y: u32| format!("v 0 {y} 0\nv 1 {y} 0\nv 0 {y} 1\nf 1 2 3\n");
    folder.file("ws/arm/meshes/a.obj", sheet(1));
    folder.file("meshes/a.obj", sheet(2));
    let text = r#"<robot name="r"><link name="l"><collision><geometry>
        <mesh filename="package://arm/meshes/a.obj"/></geometry></collision></link></robot>"#;
    let robot = folder.file("urdf/r.urdf", text);
    let height = |packages: &[&str]| {
        let packages = packages.iter().map(|name| folder.path().join(name)).collect();
        let document = read_document(&robot, &ReadOptions { packages, ..ReadOptions::default() });
        document.map(|document| document.rigs[0].parts[0].mesh.vertices()[0].y)
    };
    // Those that are named come before the folders above the file; a package may be named itself.
    for (packages, expected) in
        [(&[][..], 2.0), (&["ws"], 1.0), (&["ws/arm"], 1.0), (&["none", "ws"], 1.0)]
    {
        assert_eq!(height(packages).unwrap(), expected, "{packages:?}");
    }
    std::fs::remove_file(folder.path().join("meshes/a.obj")).unwrap();
    let error = height(&["none"]).unwrap_err().to_string();
    assert!(error.contains("give the folder of its packages with --packages"), "{error}");
    folder.file("urdf/r.urdf", text.replace("arm/", "arm/../../"));
    let error = height(&["ws"]).unwrap_err().to_string();
    assert!(error.contains("leads out of its package"), "{error}");
}
