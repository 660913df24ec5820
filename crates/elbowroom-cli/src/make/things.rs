//! What can be made, and of which numbers.
//!
//! The generators panic where nothing can be made of their arguments, so every number is checked
//! here first.

use elbowroom::Mesh;
use elbowroom_io::{Document, ReadOptions};
use elbowroom_make::body::Build;
use elbowroom_make::{self as made, Chain, Link, Pipes};
use elbowroom_motion::body::Rig;
use glam::DVec3;

use super::{Made, MakeArgs, bad, crowd};
use crate::messages::Refusal;
use crate::save::Target;

/// A kind of thing.
pub(super) struct Thing {
    pub(super) name: &'static str,
    about: &'static str,
    pub(super) options: &'static [&'static str],
    pub(super) make: fn(&MakeArgs, &Target) -> Result<Made, Refusal>,
}

const PERSON: &[&str] = &["height", "girth", "triangles"];

pub(super) const THINGS: &[Thing] = &[
    Thing {
        name: "man",
        about: "a man of 1.88 m, one closed skin on 31 joints, with nine motions as clips",
        options: PERSON,
        make: |args, _| person(args, Build::MALE),
    },
    Thing {
        name: "woman",
        about: "a woman of 1.74 m, otherwise like the man",
        options: PERSON,
        make: |args, _| person(args, Build::FEMALE),
    },
    Thing {
        name: "crowd",
        about: "people who walk across a plaza or along a corridor, with one clip; as .csv their trajectories",
        options: &["people", "seconds", "fps", "plaza", "corridor", "seed"],
        make: crowd::make,
    },
    Thing {
        name: "chain",
        about: "rigid links that swing",
        options: &["links", "link", "seed"],
        make: |args, _| chain(args),
    },
    Thing {
        name: "hand",
        about: "a robot's hand of 16 closed links that grasps",
        options: &["seed"],
        make: |args, _| Ok(rig(made::hand(seed(args)))),
    },
    Thing {
        name: "helicopter",
        about: "a helicopter whose rotors turn",
        options: &["seed"],
        make: |args, _| Ok(rig(made::helicopter(seed(args)))),
    },
    Thing {
        name: "head",
        about: "a monkey-like head of some 968 triangles",
        options: &["seed"],
        make: |args, _| mesh("head", made::monkey_head(seed(args))),
    },
    Thing {
        name: "pipes",
        about: "a tangle of closed pipes",
        options: &["seed"],
        make: |args, _| mesh("pipes", made::pipes(&Pipes { seed: seed(args), ..Pipes::default() })),
    },
    Thing {
        name: "landscape",
        about: "hills on cells of 4 cm, open below; --cells 245,200",
        options: &["cells", "seed"],
        make: |args, _| landscape(args),
    },
    Thing {
        name: "capsule-person",
        about: "a person of 15 closed capsules, 1.75 m tall",
        options: &[],
        make: |_, _| mesh("person", made::person()),
    },
    Thing {
        name: "box",
        about: "--size x,y,z",
        options: &["size"],
        make: |args, _| {
            let [x, y, z] = size(args, [1.0; 3])?;
            mesh("box", made::cuboid(0.5 * DVec3::new(x, y, z)))
        },
    },
    Thing {
        name: "ball",
        about: "--size diameter, or x,y,z; --detail 8 gives 20 × 8² triangles",
        options: &["size", "detail"],
        make: |args, _| {
            let [x, y, z] = size(args, [1.0; 3])?;
            mesh("ball", made::ellipsoid(0.5 * DVec3::new(x, y, z), detail(args, 8, 1..=500)?))
        },
    },
    Thing {
        name: "cylinder",
        about: "upright; --size diameter,height",
        options: &["size", "detail"],
        make: |args, _| {
            let [diameter, height] = size(args, [1.0, 1.0])?;
            let top = DVec3::Y * (0.5 * height);
            let sectors = detail(args, 32, 3..=100_000)?;
            mesh("cylinder", made::cylinder(-top, top, 0.5 * diameter, sectors))
        },
    },
    Thing {
        name: "capsule",
        about: "upright; --size diameter,height, over all",
        options: &["size", "detail"],
        make: |args, _| capsule(args),
    },
    Thing {
        name: "torus",
        about: "--size diameter,tube: of the ring's middle line and of its tube",
        options: &["size", "detail"],
        make: |args, _| {
            let [ring, tube] = size(args, [1.0, 0.4])?;
            let detail = detail(args, 48, 3..=2000)?;
            mesh("torus", made::torus(0.5 * ring, 0.5 * tube, detail, detail.div_ceil(2).max(3)))
        },
    },
];

/// A line for each thing.
pub(super) fn list() -> String {
    let line = |thing: &Thing| {
        let options: Vec<String> = thing.options.iter().map(|o| format!("--{o}")).collect();
        format!("{:<15} {}\n{:<15} {}", thing.name, thing.about, "", options.join(" "))
            .trim_end()
            .to_owned()
    };
    THINGS.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn rig(rig: Rig) -> Made {
    Made { rigs: vec![rig], ways: None }
}

fn mesh(name: &str, mesh: Mesh) -> Result<Made, Refusal> {
    let document = Document::of_mesh(name, mesh, &ReadOptions::default());
    let document = document.map_err(|error| bad(&error.to_string(), "choose other numbers"))?;
    Ok(Made { rigs: document.rigs, ways: None })
}

pub(super) fn seed(args: &MakeArgs) -> u64 {
    args.seed.unwrap_or(1)
}

fn person(args: &MakeArgs, usual: Build) -> Result<Made, Refusal> {
    let build = Build {
        height: args.height.unwrap_or(usual.height),
        girth: args.girth.unwrap_or(usual.girth),
        triangles: args.triangles.unwrap_or(usual.triangles),
        ..usual
    };
    if !build.is_sound() {
        let Build { height, girth, triangles, .. } = build;
        return Err(bad(
            &format!(
                "no person is made {height} m tall with a girth of {girth} and {triangles} triangles"
            ),
            "people are 0.3 to 3 m tall, have a girth of 0.7 to 1.4 and 1500 to 20000 triangles",
        ));
    }
    Ok(rig(build.rig()))
}

fn chain(args: &MakeArgs) -> Result<Made, Refusal> {
    let link = match args.link.as_deref() {
        None | Some("convex") => Link::Convex,
        Some("hull") => Link::Hull,
        Some("braid") => Link::Braid,
        Some("ring") => Link::Ring,
        Some(other) => {
            return Err(bad(
                &format!("there is no link of the shape {other:?}"),
                "there are convex, hull, braid and ring",
            ));
        }
    };
    let links = args.links.unwrap_or(Chain::default().links);
    if !(1..=1000).contains(&links) {
        return Err(bad(&format!("a chain of {links} links is not made"), "say 1 to 1000"));
    }
    Ok(rig(made::chain(&Chain { link, links, seed: seed(args), ..Chain::default() })))
}

fn landscape(args: &MakeArgs) -> Result<Made, Refusal> {
    let cells = args.cells.clone().unwrap_or_else(|| vec![245, 200]);
    let [columns, rows] = cells[..] else {
        return Err(bad("--cells takes two numbers", "like --cells 245,200"));
    };
    let total = u64::from(columns) * u64::from(rows);
    if !(1..=4_000_000).contains(&total) {
        return Err(bad(
            &format!("a landscape of {columns} by {rows} cells is not made"),
            "give 1 to 4 million cells in all",
        ));
    }
    mesh("landscape", made::landscape(columns, rows, seed(args)))
}

fn capsule(args: &MakeArgs) -> Result<Made, Refusal> {
    let [diameter, height] = size(args, [0.5, 1.75])?;
    if height <= diameter {
        return Err(bad(
            &format!(
                "a capsule of {diameter} m across and {height} m is no longer than it is wide"
            ),
            "make it longer, or make a ball",
        ));
    }
    let end = DVec3::Y * (0.5 * (height - diameter));
    let sectors = detail(args, 24, 3..=2000)?;
    let bands = sectors.div_ceil(4);
    mesh("capsule", made::capsule(-end, end, 0.5 * diameter, bands, sectors))
}

/// As many lengths as a solid has; one alone stands for all of them.
fn size<const N: usize>(args: &MakeArgs, usual: [f64; N]) -> Result<[f64; N], Refusal> {
    let Some(given) = &args.size else { return Ok(usual) };
    let sizes: [f64; N] = match given[..] {
        [one] => [one; N],
        _ => given.clone().try_into().map_err(|_| {
            bad(
                &format!("--size has {} numbers, but a {} takes {N}", given.len(), args.what),
                "`elbowroom make list` says which",
            )
        })?,
    };
    match sizes.iter().find(|size| !(1e-6..=1e6).contains(*size)) {
        None => Ok(sizes),
        Some(size) => {
            let problem = format!("a length of {size} m is not made");
            Err(bad(&problem, "give a length from a micrometre to a thousand kilometres"))
        }
    }
}

fn detail(
    args: &MakeArgs,
    usual: u32,
    range: std::ops::RangeInclusive<u32>,
) -> Result<u32, Refusal> {
    let detail = args.detail.unwrap_or(usual);
    if range.contains(&detail) {
        return Ok(detail);
    }
    let hint = format!("say {} to {}", range.start(), range.end());
    Err(bad(&format!("a {} of detail {detail} is not made", args.what), &hint))
}
