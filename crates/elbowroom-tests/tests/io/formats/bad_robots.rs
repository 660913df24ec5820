//! Every way a robot file can be bad: missing meshes, cycles, bombs, paths that lead out.

use elbowroom_io::{ReadOptions, mjcf, read_document, urdf};
use elbowroom_testkit::folder::Folder;

fn mjcf_message(body: &str) -> String {
    let text = format!("<mujoco>\n{body}\n</mujoco>");
    mjcf::parse(text.as_bytes(), None, &ReadOptions::default()).expect_err(body).to_string()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn bad_mjcf() {
    let world = |inside: &str| format!("<worldbody>\n{inside}\n</worldbody>");
    let cases = [
        (
            world("<body><joint/><geom size=\"x\"/></body>"),
            "line 3: \"x\" in \"size\" is not a finite number",
        ),
        (world("<geom size=\"1 2 3 4\"/>"), "line 3: \"size\" has 4 numbers; it takes 3 at most"),
        (world("<geom/>"), "line 3: a sphere of size 0 0 0; its measures must be above 0"),
        (
            world("<geom type=\"box\" size=\"1 -1 1\"/>"),
            "line 3: a box of size 1 -1 1; its measures must be above 0",
        ),
        (world("<geom type=\"blob\" size=\"1\"/>"), "line 3: geom type \"blob\" is not known"),
        (
            world("<geom type=\"capsule\" size=\"1\" fromto=\"1 2 3 1 2 3\"/>"),
            "line 3: \"fromto\" names the same point twice; a shape has a length",
        ),
        (
            world("<geom type=\"mesh\" mesh=\"m\"/>"),
            "line 3: the mesh \"m\" is not among the assets",
        ),
        (world("<body pos=\"1 2\"/>"), "line 3: \"pos\" has 2 numbers; it needs 3"),
        (world("<body pos=\"1 2 inf\"/>"), "line 3: \"inf\" in \"pos\" is not a finite number"),
        (
            world("<body quat=\"0 0 0 0\"/>"),
            "line 3: \"quat\" has no direction: its numbers are 0 or parallel",
        ),
        (
            world("<body xyaxes=\"1 0 0 2 0 0\"/>"),
            "line 3: \"xyaxes\" has no direction: its numbers are 0 or parallel",
        ),
        (world("<body childclass=\"c\"/>"), "line 3: the default class \"c\" does not exist"),
        (
            world("<joint/>"),
            "line 3: a joint of the world, which does not move; put it into a body",
        ),
        (
            world("<body><joint type=\"screw\"/></body>"),
            "line 3: joint type \"screw\" is none of hinge, slide, ball and free",
        ),
        (
            world("<body><joint axis=\"0 0 0\"/></body>"),
            "line 3: the axis of this joint has no direction",
        ),
        (
            world("<body><joint range=\"2 1\"/></body>"),
            "line 3: the range of this joint ends before it begins",
        ),
        (
            world("<body><body><freejoint/></body></body>"),
            "line 3: a free joint below another body; only bodies of the world float freely",
        ),
        (
            world("<replicate count=\"many\"/>"),
            "line 3: <replicate> \"many\" times; the count should be from 1 to 200000",
        ),
        (
            world("<attach model=\"m\" body=\"b\"/>"),
            "line 3: <attach> names the model \"m\", which is not among the assets",
        ),
        (
            "<contact><exclude body1=\"world\" body2=\"b\"/></contact>".to_owned(),
            "line 2: <exclude> names the body \"b\", which does not exist",
        ),
        (
            "<compiler angle=\"grad\"/>".to_owned(),
            "line 2: angle \"grad\" is neither degree nor radian",
        ),
        (
            "<compiler eulerseq=\"xyw\"/>".to_owned(),
            "line 2: eulerseq \"xyw\" is not three of x, y, z, X, Y, Z",
        ),
        (
            "<default>\n<default/></default>".to_owned(),
            "line 3: <default> within another needs the attribute \"class\"",
        ),
        (
            "<default><default class=\"a\"/>\n<default class=\"a\"/></default>".to_owned(),
            "line 3: a second default class \"a\"",
        ),
        (
            "<asset><mesh file=\"a/m.stl\"/>\n<mesh name=\"m\" file=\"b.stl\"/></asset>".to_owned(),
            "line 3: a second mesh \"m\"",
        ),
        (
            "<keyframe><key qpos=\"1\"/></keyframe>".to_owned(),
            "line 2: this key sets joints, and the model has none; read the model that includes this file",
        ),
        (
            "<include file=\"a.xml\"/>".to_owned(),
            "line 2: <include> names the file \"a.xml\", which bytes without a folder cannot have beside them",
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(mjcf_message(&body), expected);
    }
    let whole = |text: &str| {
        mjcf::parse(text.as_bytes(), None, &ReadOptions::default()).unwrap_err().to_string()
    };
    assert_eq!(whole(""), "the file is empty; export it again");
    assert_eq!(whole("<robot/>"), "line 1: <mujoco> should stand here, not <robot>");
    assert!(whole("<mujoco>\n<worldbody>").starts_with("line 2: not well-formed XML"));
}

#[test]
fn files_of_a_model() {
    let folder = Folder::new("model-files");
    let message = |text: &str| {
        let path = folder.file("a.xml", text.as_bytes());
        folder.plain(&read_document(&path, &ReadOptions::default()).expect_err(text).to_string())
    };
    let with_mesh = |file: &str| {
        format!(
            "<mujoco>\n<asset>\n<mesh name=\"m\" file=\"{file}\"/>\n</asset><worldbody><geom type=\"mesh\" mesh=\"m\"/></worldbody></mujoco>"
        )
    };
    assert_eq!(
        message(&with_mesh("gone.stl")),
        "a.xml:3: the mesh \"m\" names the file gone.stl, which is not there"
    );
    assert_eq!(
        message(&with_mesh("../up.stl")),
        "a.xml:3: the mesh \"m\" names the file \"../up.stl\", which leads out of its folder; move it inside, or allow files outside"
    );
    assert_eq!(
        message(&with_mesh("/etc/passwd")),
        "a.xml:3: the mesh \"m\" names the file \"/etc/passwd\", which leads out of its folder; move it inside, or allow files outside"
    );
    folder.file("bad.stl", b"solid s\n");
    assert_eq!(
        message(&with_mesh("bad.stl")),
        "a.xml:3: the mesh \"m\" cannot be read: bad.stl:2: the file ends where endsolid should follow, after 0 triangles; it is truncated"
    );
    // Itself, and one that leads back.
    assert!(
        message("<mujoco><include file=\"a.xml\"/></mujoco>")
            .contains("\"a.xml\" is included twice, or includes itself")
    );
    folder.file("b.xml", b"<mujoco>\n<include file=\"c.xml\"/></mujoco>");
    folder.file("c.xml", b"<mujoco>\n\n<include file=\"b.xml\"/></mujoco>");
    assert_eq!(
        message("<mujoco><include file=\"b.xml\"/></mujoco>"),
        "a.xml: c.xml:3: \"b.xml\" is included twice, or includes itself; each file may be included once"
    );
    folder.file("b.xml", b"<mujoco>\n<worldbody>\n<geom/></worldbody></mujoco>");
    assert_eq!(
        message("<mujoco><include file=\"b.xml\"/></mujoco>"),
        "a.xml: b.xml:3: a sphere of size 0 0 0; its measures must be above 0"
    );
    folder.file("b.xml", b"<mujoco>\n<oops></mujoco>");
    assert!(
        message("<mujoco><include file=\"b.xml\"/></mujoco>")
            .starts_with("a.xml: b.xml:2: not well-formed XML")
    );
    // A model that attaches itself.
    let selfish = "<mujoco><asset><model name=\"me\" file=\"a.xml\"/></asset><worldbody><attach model=\"me\"/></worldbody></mujoco>";
    assert!(message(selfish).contains("does one attach itself?"));
    assert!(message("<html/>").contains("an XML file of <html>, which is no robot"));

    // Outside, where it is allowed.
    let stl = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";
    folder.file("up.stl", stl.as_bytes());
    let path = folder.file("deep/a.xml", with_mesh("../up.stl").as_bytes());
    assert!(read_document(&path, &ReadOptions::default()).is_err());
    let options = ReadOptions { allow_outside: true, ..ReadOptions::default() };
    assert_eq!(read_document(&path, &options).unwrap().rigs[0].parts.len(), 1);
}

#[test]
fn bombs_of_xml() {
    let laughs = "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>\n<mujoco model=\"&b;\"/>";
    for message in [
        mjcf::parse(laughs.as_bytes(), None, &ReadOptions::default()).unwrap_err().to_string(),
        urdf::parse(laughs.as_bytes(), None, &ReadOptions::default()).unwrap_err().to_string(),
    ] {
        assert_eq!(
            message,
            "line 1: a <!DOCTYPE …> is refused, since entities in it can grow without end; remove it"
        );
    }
    // Nested far too deep for a stack.
    let deep = format!(
        "<mujoco><worldbody>{}{}</worldbody></mujoco>",
        "<body>".repeat(100_000),
        "</body>".repeat(100_000)
    );
    assert!(
        mjcf::parse(deep.as_bytes(), None, &ReadOptions::default())
            .unwrap_err()
            .message()
            .contains("nest deeper than 200")
    );
    // A thousand of a thousand of a thousand.
    let mut many = "<body><geom size=\"1\"/></body>".to_owned();
    for _ in 0..3 {
        many = format!("<replicate count=\"1000\">{many}</replicate>");
    }
    let text = format!("<mujoco><worldbody>{many}</worldbody></mujoco>");
    let options = ReadOptions { max_decoded_bytes: 64 << 20, ..ReadOptions::default() };
    let message = mjcf::parse(text.as_bytes(), None, &options).unwrap_err().to_string();
    assert!(
        message.contains("this shape brings the decoded meshes to more than 64 MiB"),
        "{message}"
    );
    let bodies = text.replace("<geom size=\"1\"/>", "");
    assert!(
        mjcf::parse(bodies.as_bytes(), None, &options)
            .unwrap_err()
            .message()
            .contains("more than 200000 bodies")
    );
    // Copies of nothing.
    let nothing = text.replace("<body><geom size=\"1\"/></body>", "").replace("1000", "200000");
    let started = mjcf::parse(nothing.as_bytes(), None, &options);
    assert!(started.unwrap_err().message().contains("shapes and copies"));
    // Attributes that would each be compared with all others.
    let wide: Vec<String> = (0..20_000).map(|i| format!(" a{i}=\"\"")).collect();
    let wide = format!("<mujoco{}/>", wide.concat());
    assert!(
        mjcf::parse(wide.as_bytes(), None, &options)
            .unwrap_err()
            .message()
            .contains("more than 256 attributes in one element")
    );
}

#[test]
fn bad_urdf() {
    let link = |name: &str, inside: &str| format!("<link name=\"{name}\">{inside}</link>\n");
    let shape = |inside: &str| format!("<collision><geometry>{inside}</geometry></collision>");
    let joint = |inside: &str| format!("<joint name=\"j\" type=\"revolute\">{inside}</joint>\n");
    let ends = "<parent link=\"a\"/><child link=\"b\"/>";
    let two = format!("{}{}", link("a", ""), link("b", ""));
    let cases = [
        (String::new(), "line 1: a robot without links"),
        (
            "<xacro:macro xmlns:xacro=\"http://www.ros.org/wiki/xacro\" name=\"m\"/>".to_owned(),
            "line 2: <xacro:macro> is a macro; expand the file first: xacro FILE > robot.urdf",
        ),
        ("<link/>".to_owned(), "line 2: <link> without the attribute \"name\""),
        (link("a", "") + &link("a", ""), "line 3: a second link \"a\""),
        (link("a", "<collision/>"), "line 2: a shape without <geometry>"),
        (link("a", &shape("")), "line 2: <geometry> with nothing in it"),
        (
            link("a", &shape("<cone/>")),
            "line 2: shape <cone> is none of mesh, box, sphere, cylinder and capsule",
        ),
        (link("a", &shape("<sphere/>")), "line 2: <sphere> without the attribute \"radius\""),
        (
            link("a", &shape("<sphere radius=\"-1\"/>")),
            "line 2: a <sphere> whose measures are not all above 0",
        ),
        (
            link("a", &shape("<sphere radius=\"1e999\"/>")),
            "line 2: \"1e999\" in \"radius\" of <sphere> is not a finite number",
        ),
        (
            link("a", &shape("<box size=\"1 2\"/>")),
            "line 2: \"size\" of <box> has 2 numbers; it needs 3",
        ),
        (
            link("a", &shape("<mesh filename=\"m.stl\"/>")),
            "line 2: <mesh> names the file \"m.stl\", which bytes without a folder cannot have beside them",
        ),
        (two.clone() + &joint(""), "line 4: joint \"j\" has no <parent>"),
        (
            two.clone() + &joint("<parent link=\"a\"/><child link=\"c\"/>"),
            "line 4: joint \"j\" names the link \"c\", which does not exist",
        ),
        (
            two.clone() + &joint(ends).replace("revolute", "bendy"),
            "line 4: joint type \"bendy\" is none of fixed, revolute, continuous, prismatic, floating and planar",
        ),
        (
            two.clone() + &joint(&format!("{ends}<axis xyz=\"0 0 0\"/>")),
            "line 4: the axis of joint \"j\" has no direction",
        ),
        (
            two.clone() + &joint(&format!("{ends}<limit lower=\"1\" upper=\"0\"/>")),
            "line 4: the range of joint \"j\" ends before it begins",
        ),
        (
            two.clone() + &joint(&format!("{ends}<mimic joint=\"k\"/>")),
            "line 4: joint \"j\" follows the joint \"k\", which does not exist or does not move",
        ),
        (
            two.clone() + &joint(ends) + &joint(ends),
            "line 5: the child of joint \"j\" is the child of \"j\" already; a link hangs on one joint",
        ),
    ];
    for (body, expected) in cases {
        let text = format!("<robot name=\"r\">\n{body}</robot>");
        let error =
            urdf::parse(text.as_bytes(), None, &ReadOptions::default()).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    }
    // A circle of links, and joints that follow each other.
    let circle = two.clone() + &joint(ends) + &joint("<parent link=\"b\"/><child link=\"a\"/>");
    let text = format!("<robot name=\"r\">{circle}</robot>");
    assert!(
        urdf::parse(text.as_bytes(), None, &ReadOptions::default())
            .unwrap_err()
            .message()
            .contains("is its own ancestor")
    );
    let follows = two + &joint(&format!("{ends}<mimic joint=\"j\"/>"));
    let text = format!("<robot name=\"r\">{follows}</robot>");
    assert!(
        urdf::parse(text.as_bytes(), None, &ReadOptions::default())
            .unwrap_err()
            .message()
            .contains("follows itself")
    );
}

#[test]
fn meshes_of_a_robot() {
    let folder = Folder::new("robot-meshes");
    let message = |name: &str| {
        let text = format!(
            "<robot name=\"r\">\n<link name=\"l\"><collision><geometry><mesh filename=\"{name}\"/></geometry></collision></link></robot>"
        );
        let path = folder.file("deep/a.urdf", text.as_bytes());
        folder.plain(&read_document(&path, &ReadOptions::default()).expect_err(name).to_string())
    };
    assert_eq!(
        message("gone.stl"),
        "deep/a.urdf:2: <mesh> names the file deep/gone.stl, which is not there"
    );
    assert!(message("../gone.stl").contains("which leads out of its folder"));
    assert!(message("file:///etc/passwd").contains("which leads out of its folder"));
    assert!(message("package://p/../../gone.stl").contains("which leads out of its package"));
    assert!(
        message("package://p/gone.stl").contains("neither \"gone.stl\" nor \"p/gone.stl\" is in")
    );
    folder.file("deep/a.dae", b"<COLLADA/>");
    assert!(
        message("a.dae")
            .contains("COLLADA is not read; export as GLB, or a mesh of a robot as STL")
    );
}
