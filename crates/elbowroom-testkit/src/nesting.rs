//! Files in which something nests: as deep as asked for, of every kind that a reader of meshes,
//! robots and scenes meets.

use std::fmt::Write as _;

/// Files that nest, the first of them to be given to the reader.
pub struct Nested {
    /// What nests in them.
    pub kind: &'static str,
    /// Names and contents.
    pub files: Vec<(String, Vec<u8>)>,
}

/// A kind of nesting, and what makes it.
pub type Kind = (&'static str, fn(usize) -> Nested);

/// All kinds.
pub const KINDS: &[Kind] = &[
    ("MJCF includes", mjcf_includes),
    ("MJCF bodies", mjcf_bodies),
    ("MJCF bodies over includes", mjcf_bodies_over_includes),
    ("MJCF default classes", mjcf_defaults),
    ("MJCF models", mjcf_models),
    ("URDF elements", urdf_elements),
    ("URDF links", urdf_links),
    ("URDF mimics", urdf_mimics),
    ("3MF assemblies", threemf_assemblies),
    ("3MF elements", threemf_elements),
    ("glTF JSON", gltf_json),
    ("glTF nodes", gltf_nodes),
    ("FBX records", fbx_records),
    ("FBX nodes", fbx_nodes),
    ("BVH joints", bvh_joints),
    ("OBJ groups", obj_groups),
    ("TOML lists", toml_lists),
    ("TOML tables", toml_tables),
    ("TOML keys", toml_keys),
    ("TOML headers", toml_headers),
    ("JSON poses", json_poses),
];

fn one(kind: &'static str, name: &str, text: impl Into<Vec<u8>>) -> Nested {
    Nested { kind, files: vec![(name.to_owned(), text.into())] }
}

const GEOM: &str = "<geom type=\"box\" size=\"1 1 1\"/>";

fn mjcf_includes(levels: usize) -> Nested {
    let text = |inside: &str| format!("<mujoco>{inside}</mujoco>").into_bytes();
    let file = |level: usize| {
        let inside = if level == levels {
            format!("<worldbody>{GEOM}</worldbody>")
        } else {
            format!("<include file=\"a{}.xml\"/>", level + 1)
        };
        (format!("a{level}.xml"), text(&inside))
    };
    Nested { kind: "MJCF includes", files: (0..=levels).map(file).collect() }
}

fn mjcf_bodies(levels: usize) -> Nested {
    let (open, close) = ("<body>".repeat(levels), "</body>".repeat(levels));
    let text = format!("<mujoco><worldbody>{open}{GEOM}{close}</worldbody></mujoco>");
    one("MJCF bodies", "a.xml", text)
}

/// A body in each of the files, so that they nest although no file has two of them.
fn mjcf_bodies_over_includes(levels: usize) -> Nested {
    let file = |level: usize| {
        let inside = if level == levels {
            GEOM.to_owned()
        } else {
            format!("<body><include file=\"a{}.xml\"/></body>", level + 1)
        };
        let tag = if level == 0 { "worldbody" } else { "body" };
        let text = format!("<mujoco><{tag}>{inside}</{tag}></mujoco>");
        (format!("a{level}.xml"), text.into_bytes())
    };
    Nested { kind: "MJCF bodies over includes", files: (0..=levels).map(file).collect() }
}

fn mjcf_defaults(levels: usize) -> Nested {
    let mut open = String::new();
    for level in 0..levels {
        write!(open, "<default class=\"c{level}\">").expect("strings take what is written");
    }
    let close = "</default>".repeat(levels);
    let text = format!("<mujoco>{open}{close}<worldbody>{GEOM}</worldbody></mujoco>");
    one("MJCF default classes", "a.xml", text)
}

fn mjcf_models(levels: usize) -> Nested {
    let file = |level: usize| {
        let asset = if level == levels {
            String::new()
        } else {
            format!("<asset><model name=\"m\" file=\"a{}.xml\"/></asset>", level + 1)
        };
        let text = format!("<mujoco>{asset}<worldbody>{GEOM}</worldbody></mujoco>");
        (format!("a{level}.xml"), text.into_bytes())
    };
    Nested { kind: "MJCF models", files: (0..=levels).map(file).collect() }
}

const SHAPE: &str = "<collision><geometry><box size=\"1 1 1\"/></geometry></collision>";

fn urdf_elements(levels: usize) -> Nested {
    let (open, close) = ("<a>".repeat(levels), "</a>".repeat(levels));
    let text = format!("<robot name=\"r\"><link name=\"l\">{SHAPE}</link>{open}{close}</robot>");
    one("URDF elements", "a.urdf", text)
}

fn urdf_chain(kind: &'static str, levels: usize, mimic: &dyn Fn(usize) -> String) -> Nested {
    let mut text = format!("<robot name=\"r\"><link name=\"l0\">{SHAPE}</link>\n");
    for level in 1..=levels {
        let (above, mimic) = (level - 1, mimic(level));
        writeln!(
            text,
            "<link name=\"l{level}\"/><joint name=\"j{level}\" type=\"continuous\">\
             <parent link=\"l{above}\"/><child link=\"l{level}\"/>{mimic}</joint>"
        )
        .expect("strings take what is written");
    }
    one(kind, "a.urdf", text + "</robot>")
}

fn urdf_links(levels: usize) -> Nested {
    urdf_chain("URDF links", levels, &|_| String::new())
}

fn urdf_mimics(levels: usize) -> Nested {
    let mimic = |level: usize| match level {
        1 => String::new(),
        _ => format!("<mimic joint=\"j{}\"/>", level - 1),
    };
    urdf_chain("URDF mimics", levels + 1, &mimic)
}

const MODEL: &str = "<model xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\">";

const MESH: &str = "<mesh><vertices><vertex x=\"0\" y=\"0\" z=\"0\"/><vertex x=\"1\" y=\"0\" z=\"0\"/>\
    <vertex x=\"0\" y=\"1\" z=\"0\"/></vertices><triangles><triangle v1=\"0\" v2=\"1\" v3=\"2\"/></triangles></mesh>";

fn threemf(kind: &'static str, resources: &str, item: usize) -> Nested {
    let text = format!(
        "{MODEL}<resources>{resources}</resources><build><item objectid=\"{item}\"/></build></model>"
    );
    one(kind, "a.3mf", zip(&[("3D/3dmodel.model", text.as_bytes())]))
}

fn threemf_assemblies(levels: usize) -> Nested {
    let mut resources = format!("<object id=\"0\">{MESH}</object>");
    for level in 1..=levels {
        let below = level - 1;
        write!(
            resources,
            "<object id=\"{level}\"><components><component objectid=\"{below}\"/></components></object>"
        )
        .expect("strings take what is written");
    }
    threemf("3MF assemblies", &resources, levels)
}

fn threemf_elements(levels: usize) -> Nested {
    let (open, close) = ("<a>".repeat(levels), "</a>".repeat(levels));
    threemf("3MF elements", &format!("{open}{close}<object id=\"0\">{MESH}</object>"), 0)
}

/// Numbers of one triangle, as a data URI of three points.
const POINTS: &str = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";

fn gltf(kind: &'static str, nodes: &str, more: &str) -> Nested {
    let text = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{nodes}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}}}]{more}}}],\
         \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":36}}],\
         \"buffers\":[{{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,{POINTS}\"}}]}}"
    );
    one(kind, "a.gltf", text)
}

fn gltf_json(levels: usize) -> Nested {
    let (open, close) = ("[".repeat(levels), "]".repeat(levels));
    gltf("glTF JSON", "{\"mesh\":0}", &format!(",\"extras\":{open}{close}"))
}

fn gltf_nodes(levels: usize) -> Nested {
    let mut nodes = String::new();
    for level in 0..levels {
        write!(nodes, "{{\"children\":[{}]}},", level + 1).expect("strings take what is written");
    }
    gltf("glTF nodes", &(nodes + "{\"mesh\":0}"), "")
}

const FBX: &str = "; FBX 7.4.0 project file\nFBXHeaderExtension: { FBXVersion: 7400 }\n";

fn fbx_mesh(id: usize) -> String {
    format!(
        "Geometry: {id}, \"Geometry::g\", \"Mesh\" {{\nVertices: *9 {{ a: 0,0,0,1,0,0,0,1,0 }}\n\
         PolygonVertexIndex: *3 {{ a: 0,1,-3 }}\n}}\n"
    )
}

fn fbx_records(levels: usize) -> Nested {
    let (open, close) = ("A: {\n".repeat(levels), "}\n".repeat(levels));
    let text = format!(
        "{FBX}{open}{close}Objects: {{\n{}Model: 2, \"Model::m\", \"Mesh\" {{ Version: 232 }}\n}}\n\
         Connections: {{\nC: \"OO\",1,2\nC: \"OO\",2,0\n}}\n",
        fbx_mesh(1)
    );
    one("FBX records", "a.fbx", text)
}

fn fbx_nodes(levels: usize) -> Nested {
    let (mut objects, mut connections) = (fbx_mesh(1), String::from("C: \"OO\",1,2\n"));
    for level in 0..=levels {
        let (id, above) = (level + 2, if level == levels { 0 } else { level + 3 });
        let kind = if level == 0 { "Mesh" } else { "Null" };
        writeln!(objects, "Model: {id}, \"Model::m{level}\", \"{kind}\" {{ Version: 232 }}")
            .expect("strings take what is written");
        writeln!(connections, "C: \"OO\",{id},{above}").expect("strings take what is written");
    }
    let text = format!("{FBX}Objects: {{\n{objects}}}\nConnections: {{\n{connections}}}\n");
    one("FBX nodes", "a.fbx", text)
}

fn bvh_joints(levels: usize) -> Nested {
    let mut text = String::from("HIERARCHY\nROOT r {\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n");
    for level in 0..levels {
        writeln!(text, "JOINT j{level} {{\nOFFSET 0 1 0").expect("strings take what is written");
    }
    text.push_str("End Site {\nOFFSET 0 1 0\n}\n");
    text.push_str(&"}\n".repeat(levels + 1));
    text.push_str("MOTION\nFrames: 1\nFrame Time: 0.1\n0\n");
    one("BVH joints", "a.bvh", text)
}

fn obj_groups(levels: usize) -> Nested {
    let mut text = String::from("v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for level in 0..=levels {
        writeln!(text, "g g{level}\nf 1 2 3").expect("strings take what is written");
    }
    one("OBJ groups", "a.obj", text)
}

fn toml(kind: &'static str, text: String) -> Nested {
    let cube = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_vec();
    let files = vec![("a.toml".to_owned(), text.into_bytes()), ("a.obj".to_owned(), cube)];
    Nested { kind, files }
}

fn toml_lists(levels: usize) -> Nested {
    let (open, close) = ("[".repeat(levels), "]".repeat(levels));
    toml("TOML lists", format!("allow = {open}{close}\n[[model]]\nfile = \"a.obj\"\n"))
}

fn toml_tables(levels: usize) -> Nested {
    let (open, close) = ("{ a = ".repeat(levels), "}".repeat(levels));
    toml("TOML tables", format!("fps = {open}1{close}\n[[model]]\nfile = \"a.obj\"\n"))
}

fn toml_keys(levels: usize) -> Nested {
    let keys = ".a".repeat(levels);
    toml("TOML keys", format!("fps{keys} = 1\n[[model]]\nfile = \"a.obj\"\n"))
}

fn toml_headers(levels: usize) -> Nested {
    let keys = ".a".repeat(levels);
    toml("TOML headers", format!("[fps{keys}]\n[[model]]\nfile = \"a.obj\"\n"))
}

/// A list of poses, for the option `--poses`.
fn json_poses(levels: usize) -> Nested {
    let (open, close) = ("[".repeat(levels), "]".repeat(levels));
    one("JSON poses", "a.json", format!("{open}{close}"))
}

/// A zip of files that are stored as they are.
///
/// # Panics
/// If it has more bytes or files than a zip can count in its oldest form.
pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let start = u32::try_from(out.len()).expect("a small zip");
        let size = u32::try_from(bytes.len()).expect("a small file").to_le_bytes();
        let name_size = u16::try_from(name.len()).expect("a short name").to_le_bytes();
        // Version, flags, method, time and date; checksum, sizes, length of the name, nothing
        // extra.
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        common.extend(crc.sum().to_le_bytes());
        common.extend([size, size].concat());
        common.extend(name_size);
        common.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(*bytes);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = u32::try_from(out.len()).expect("a small zip").to_le_bytes();
    let size = u32::try_from(directory.len()).expect("a small zip").to_le_bytes();
    let count = u16::try_from(files.len()).expect("a few files").to_le_bytes();
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count, count].concat());
    out.extend([size, start].concat());
    out.extend([0, 0]);
    out
}
