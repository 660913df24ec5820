//! Which folder stands on which floor, and which crate may use which. Change it here, and nowhere
//! else.

/// The floors of one crate.
pub(crate) struct House {
    /// The crate's folder.
    pub(crate) package: &'static str,
    /// The module whose children are the rooms; empty if they are children of the crate's root.
    pub(crate) below: &'static str,
    /// From the ground up. A room uses itself and rooms of lower floors, not its neighbours.
    pub(crate) floors: &'static [&'static [&'static str]],
    /// Rooms that are children of the crate's root although `below` names a module.
    pub(crate) outside: &'static [&'static str],
    /// Rooms that are no module: macros, which are named as children of the crate's root.
    pub(crate) without_files: &'static [&'static str],
    /// What a look has to meet, so that it cannot pass by reading nothing.
    pub(crate) least: Least,
}

/// The least that a check has to meet.
pub(crate) struct Least {
    /// Source files.
    pub(crate) files: usize,
    /// Paths from one room to another.
    pub(crate) doors: usize,
}

/// The crates that have floors.
pub(crate) const HOUSES: &[House] = &[
    House {
        package: "elbowroom",
        below: "internal",
        floors: &[
            &["declare_error", "interrupt"],
            &["arch", "math"],
            &["exact"],
            &["geom"],
            &["volume", "convex"],
            &["bvh"],
            &["traverse", "broad_phase"],
            &["model"],
            &["query"],
        ],
        outside: &["declare_error", "interrupt"],
        without_files: &["declare_error"],
        least: Least { files: 150, doors: 300 },
    },
    House {
        package: "elbowroom-motion",
        below: "",
        floors: &[&["footprint", "body"], &["space_time"], &["crowd"], &["scene"], &["metrics"]],
        outside: &[],
        without_files: &[],
        least: Least { files: 60, doors: 20 },
    },
    // Papers do not use each other: what two of them share is grammar.
    House {
        package: "elbowroom-papers",
        below: "",
        floors: &[&["grammar"], &["obbtree", "cab", "sbbk", "bch", "mobb"]],
        outside: &[],
        without_files: &[],
        least: Least { files: 50, doors: 3 },
    },
    // Bytes and text, what a mesh file holds, plain meshes, documents, formats with motion, any
    // file, files over time, scenes.
    House {
        package: "elbowroom-io",
        below: "",
        floors: &[
            &["error", "memory", "opened", "units", "winding", "rate"],
            &["text"],
            &["limits", "clip_choice", "retarget", "poses"],
            &["odd", "xml"],
            &["mesh_file"],
            &["obj", "ply", "stl", "off", "split"],
            &["document"],
            &["bytes", "mesh_out"],
            &["formats", "npz", "threemf", "trajectory", "robot", "ply_out"],
            &["mesh_in", "biovision", "fbx", "no_fbx", "gltf", "made", "trajectory_out"],
            &[
                "body_array",
                "mjcf",
                "urdf",
                "sequence",
                "glb_out",
                "npz_out",
                "obj_out",
                "off_out",
                "stl_out",
            ],
            &["read", "names"],
            &["shot"],
            &["scene_file"],
        ],
        outside: &[],
        without_files: &[],
        least: Least { files: 90, doors: 200 },
    },
    // What a command talks to, files and units, options, a check's result, what is written of it,
    // and a folder a command.
    House {
        package: "elbowroom-cli",
        below: "",
        floors: &[
            &["outcome", "frames", "stop"],
            &["terminal"],
            &["messages", "progress"],
            &["save", "split", "time_limit", "units", "warnings"],
            &["args", "load", "time_arg"],
            &["actors", "bake", "measure", "retarget"],
            &["result"],
            &["output"],
            &["check", "cite", "clips", "convert", "info", "lab", "no_lab", "manual", "no_tree"],
            &["diff", "make", "pose", "score", "tree", "view"],
            &["crowd"],
            &["command"],
            &["host"],
        ],
        outside: &[],
        without_files: &[],
        least: Least { files: 100, doors: 200 },
    },
];

/// Which of our crates a crate may depend on, dev-dependencies apart. Every crate has a row.
pub(crate) const CRATES: &[(&str, &[&str])] = &[
    // The judge of all others, so that it depends on none of them, not even in its tests.
    ("elbowroom-testkit", &[]),
    ("elbowroom", &[]),
    ("elbowroom-motion", &["elbowroom"]),
    ("elbowroom-papers", &["elbowroom", "elbowroom-motion"]),
    ("elbowroom-make", &["elbowroom", "elbowroom-motion"]),
    ("elbowroom-io", &["elbowroom", "elbowroom-motion", "elbowroom-make"]),
    (
        "elbowroom-lab",
        &[
            "elbowroom",
            "elbowroom-motion",
            "elbowroom-papers",
            "elbowroom-make",
            "elbowroom-testkit",
        ],
    ),
    (
        "elbowroom-cli",
        &[
            "elbowroom",
            "elbowroom-motion",
            "elbowroom-papers",
            "elbowroom-make",
            "elbowroom-io",
            "elbowroom-lab",
        ],
    ),
    (
        "elbowroom-py",
        &["elbowroom", "elbowroom-motion", "elbowroom-papers", "elbowroom-io", "elbowroom-cli"],
    ),
    (
        "elbowroom-tests",
        &[
            "elbowroom",
            "elbowroom-motion",
            "elbowroom-papers",
            "elbowroom-make",
            "elbowroom-testkit",
        ],
    ),
];

/// What not even a dev-dependency may lead from: its tests would then judge themselves.
pub(crate) const ALONE: &[&str] = &["elbowroom-testkit"];

impl House {
    /// The room of a path from the crate's root; `None` for what is above all floors.
    pub(crate) fn room<'a>(&self, path: &'a [String]) -> Option<&'a str> {
        let first = path.first()?.as_str();
        if self.outside.contains(&first) || self.below.is_empty() {
            return Some(first);
        }
        if first == self.below { Some(path.get(1)?) } else { None }
    }

    /// The number of a room's floor.
    pub(crate) fn floor(&self, room: &str) -> Option<usize> {
        self.floors.iter().position(|rooms| rooms.contains(&room))
    }

    /// The rooms that have files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &'static str> {
        let rooms = self.floors.iter().flat_map(|rooms| rooms.iter().copied());
        rooms.filter(|room| !self.without_files.contains(room))
    }
}
