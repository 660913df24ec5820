//! A model before it is built: its elements, its settings, its meshes and the models that it
//! attaches.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use glam::{DQuat, DVec3};

use super::defaults::Defaults;
use super::height_field::{self, HeightField};
use super::orient;
use super::tree::{Element, Files, Place};
use crate::bytes::read_bytes;
use crate::document::ReadOptions;
use crate::error::Fault;
use crate::limits::{MODEL_NESTING, MODELS};
use crate::robot::beside;

pub(super) struct Model {
    pub(super) root: Element,
    pub(super) folder: Option<PathBuf>,
    pub(super) compiler: Compiler,
    pub(super) defaults: Defaults,
    pub(super) meshes: HashMap<String, MeshAsset>,
    pub(super) height_fields: HashMap<String, HeightField>,
    pub(super) models: HashMap<String, Model>,
    /// Geoms that a `<pair>` names: these touch each other whatever their masks.
    pub(super) paired: HashSet<String>,
}

/// What stands in a model, in its assets and in its contacts. What is spelled otherwise is refused,
/// as the simulator does, because its meaning is unknown.
const SECTIONS: [(&str, &[&str]); 4] = [
    (
        "mujoco",
        &[
            "compiler",
            "option",
            "size",
            "visual",
            "statistic",
            "default",
            "custom",
            "extension",
            "asset",
            "worldbody",
            "contact",
            "deformable",
            "equality",
            "tendon",
            "actuator",
            "sensor",
            "keyframe",
        ],
    ),
    ("asset", &["mesh", "hfield", "skin", "texture", "material", "model"]),
    ("contact", &["pair", "exclude"]),
    ("deformable", &["flex", "skin"]),
];

/// Refuses an element that is not known where it stands.
pub(super) fn check_known(
    inside: &str,
    element: &Element,
    known: &[&str],
    files: &Files,
) -> Result<(), Fault> {
    if known.contains(&element.tag.as_str()) {
        return Ok(());
    }
    let tag = &element.tag;
    Err(files
        .fault(element.place, format!("<{tag}> is not known in <{inside}>; check its spelling")))
}

fn check_sections(root: &Element, files: &Files) -> Result<(), Fault> {
    let [(_, sections), inner @ ..] = SECTIONS;
    root.children.iter().try_for_each(|child| check_known("mujoco", child, sections, files))?;
    for (name, known) in inner {
        let mut children = root.children(name).flat_map(|section| &section.children);
        children.try_for_each(|child| check_known(name, child, known, files))?;
    }
    Ok(())
}

fn paired(root: &Element) -> HashSet<String> {
    let pairs = root.children("contact").flat_map(|contact| contact.children("pair"));
    let names = pairs.flat_map(|pair| ["geom1", "geom2"].map(|geom| pair.attribute(geom)));
    names.flatten().map(str::to_owned).collect()
}

/// What `<compiler>` says about the numbers of the file.
pub(super) struct Compiler {
    degrees: bool,
    pub(super) euler_sequence: [u8; 3],
    pub(super) auto_limits: bool,
    mesh_folder: String,
    /// Whether the folders before the name of a mesh file are dropped.
    strips_folders: bool,
}

/// A mesh that shapes may name.
pub(super) struct MeshAsset {
    /// The file, from the folder of the model; `None` where the vertices are written into the
    /// model.
    pub(super) file: Option<String>,
    pub(super) scale: DVec3,
    pub(super) ref_position: DVec3,
    pub(super) ref_turn: DQuat,
    pub(super) place: Place,
}

impl Compiler {
    fn read(root: &Element, files: &Files) -> Result<Self, Fault> {
        let mut compiler = Self {
            degrees: true,
            euler_sequence: *b"xyz",
            auto_limits: true,
            mesh_folder: String::new(),
            strips_folders: false,
        };
        for element in root.children("compiler") {
            for (name, value) in element.attributes() {
                match (name, value) {
                    ("angle", "degree") => compiler.degrees = true,
                    ("angle", "radian") => compiler.degrees = false,
                    ("autolimits", _) => compiler.auto_limits = value == "true",
                    ("strippath", _) => compiler.strips_folders = value == "true",
                    ("meshdir", _) => value.clone_into(&mut compiler.mesh_folder),
                    ("assetdir", _) if element.attribute("meshdir").is_none() => {
                        value.clone_into(&mut compiler.mesh_folder);
                    }
                    ("eulerseq", _) => {
                        compiler.euler_sequence = value
                            .as_bytes()
                            .try_into()
                            .ok()
                            .filter(|axes: &[u8; 3]| {
                                axes.iter().all(|axis| b"xyzXYZ".contains(axis))
                            })
                            .ok_or_else(|| {
                                files.fault(
                                    element.place,
                                    format!("eulerseq {value:?} is not three of x, y, z, X, Y, Z"),
                                )
                            })?;
                    }
                    ("coordinate", "global") => {
                        return Err(files.fault(
                            element.place,
                            "coordinate=\"global\" is not read; load and save the model with MuJoCo 2.3.3 or before, which writes local ones",
                        ));
                    }
                    ("angle", _) => {
                        return Err(files.fault(
                            element.place,
                            format!("angle {value:?} is neither degree nor radian"),
                        ));
                    }
                    _ => {}
                }
            }
        }
        Ok(compiler)
    }

    /// An angle as the file writes it, in radians.
    pub(super) fn radians(&self, angle: f64) -> f64 {
        if self.degrees { angle.to_radians() } else { angle }
    }

    fn mesh_file(&self, file: &str) -> String {
        let file = if self.strips_folders { base_name(file) } else { file };
        match self.mesh_folder.trim_end_matches('/') {
            "" => file.to_owned(),
            folder => format!("{folder}/{file}"),
        }
    }
}

impl Model {
    /// The model of a file's bytes.
    pub(super) fn root(
        bytes: &[u8],
        folder: Option<&Path>,
        options: &ReadOptions,
        files: &mut Files,
    ) -> Result<Self, Fault> {
        let root = files.load("the model", bytes, folder, options)?;
        Self::of(root, folder, options, files, &mut 0, 0)
    }

    fn of(
        root: Element,
        folder: Option<&Path>,
        options: &ReadOptions,
        files: &mut Files,
        models_read: &mut usize,
        depth: usize,
    ) -> Result<Self, Fault> {
        if root.tag != "mujoco" {
            let message = format!("<mujoco> should stand here, not <{}>", root.tag);
            return Err(files.fault(root.place, message));
        }
        check_sections(&root, files)?;
        let mut models = HashMap::new();
        let assets = root.children("asset").flat_map(|asset| asset.children("model"));
        for element in assets {
            *models_read += 1;
            if depth >= MODEL_NESTING || *models_read > MODELS {
                let message = format!(
                    "models attach models deeper than {MODEL_NESTING}, or more than {MODELS} of them; does one attach itself?"
                );
                return Err(files.fault(element.place, message));
            }
            let file = element.attribute("file").ok_or_else(|| {
                files.fault(element.place, "<model> without the attribute \"file\"")
            })?;
            let path = beside::find(folder, file, options.allow_outside)
                .map_err(|problem| files.fault(element.place, format!("<model> {problem}")))?;
            let bytes = read_bytes(&path, options).map_err(|error| {
                files.fault(
                    element.place,
                    format!("<model> names a file that cannot be read: {error}"),
                )
            })?;
            let own_root = files.load(file, &bytes, path.parent(), options)?;
            let named = element
                .attribute("name")
                .or(own_root.attribute("model"))
                .unwrap_or(file)
                .to_owned();
            let model = Self::of(own_root, path.parent(), options, files, models_read, depth + 1)?;
            models.insert(named, model);
        }
        let compiler = Compiler::read(&root, files)?;
        let defaults = Defaults::read(&root, files)?;
        let meshes = meshes(&root, &compiler, &defaults, files)?;
        let file = |name: &str| compiler.mesh_file(name);
        let height_fields = height_field::assets(&root, &file, files)?;
        let folder = folder.map(Path::to_owned);
        let paired = paired(&root);
        Ok(Self { root, folder, compiler, defaults, meshes, height_fields, models, paired })
    }

    /// Whether an option of the simulator is switched off.
    pub(super) fn has_off(&self, flag: &str) -> bool {
        let flags = self.root.children("option").flat_map(|option| option.children("flag"));
        flags.filter_map(|flags| flags.attribute(flag)).last() == Some("disable")
    }

    pub(super) fn name(&self) -> &str {
        self.root.attribute("model").unwrap_or("model")
    }
}

/// What stands behind the folders in the name of a file.
pub(super) fn base_name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

fn meshes(
    root: &Element,
    compiler: &Compiler,
    defaults: &Defaults,
    files: &Files,
) -> Result<HashMap<String, MeshAsset>, Fault> {
    let mut meshes = HashMap::new();
    for element in root.children("asset").flat_map(|asset| asset.children("mesh")) {
        let class = defaults.class_of(element, None, files)?;
        let lookup = |name: &str| defaults.value(element, class, name);
        let file = element.attribute("file");
        let stem = file.map(|file| {
            let base = base_name(file);
            base.rsplit_once('.').map_or(base, |(stem, _)| stem)
        });
        let name = element
            .attribute("name")
            .or(stem)
            .ok_or_else(|| files.fault(element.place, "<mesh> with neither a name nor a file"))?;
        let ref_turn = orient::exactly::<4>(&lookup, "refquat", files)?
            .map_or(DQuat::IDENTITY, |[w, x, y, z]| DQuat::from_xyzw(x, y, z, w));
        let asset = MeshAsset {
            file: file.map(|file| compiler.mesh_file(file)),
            scale: orient::vector(&lookup, "scale", files)?.unwrap_or(DVec3::ONE),
            ref_position: orient::vector(&lookup, "refpos", files)?.unwrap_or(DVec3::ZERO),
            ref_turn: if ref_turn.length() > 0.0 { ref_turn.normalize() } else { DQuat::IDENTITY },
            place: element.place,
        };
        if meshes.insert(name.to_owned(), asset).is_some() {
            return Err(files.fault(element.place, format!("a second mesh {name:?}")));
        }
    }
    Ok(meshes)
}
