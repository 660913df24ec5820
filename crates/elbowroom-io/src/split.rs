//! What one file is: one object, its named groups, or its shells.
//!
//! A CAD program writes an assembly into one file: named objects of an OBJ, or nothing but
//! triangles in an STL. Taken as one object, its bodies are never compared with each other. A shell
//! is a set of triangles that hang together by vertices with equal coordinates, bit for bit but for
//! the sign of zero; it needs no names, and no tolerance.

use std::collections::HashMap;

use elbowroom::Mesh;
use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton};

use crate::limits::PIECES;
use crate::mesh_file::{self, MeshFile};
use crate::text::{counted, grouped};

/// How files are split into objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Split {
    /// A mesh is one object.
    #[default]
    None,
    /// One object, and a note says so if an OBJ has several named objects.
    Whole,
    /// The named objects (`o`) of an OBJ, where it has more than one; any other mesh is one object.
    /// A note says so.
    Objects,
    /// The named objects (`o`) of an OBJ, its groups (`g`) if it has no objects, the solids of a
    /// text STL.
    Groups,
    /// The shells of every mesh that is not skinned and no part of a robot.
    Shells,
}

/// A mesh of a file, under a name.
#[derive(Debug, Clone)]
pub struct Piece {
    /// `file`, `file/group` or `file#3`, counted from 1.
    pub name: String,
    /// The triangles, in the order of the file.
    pub mesh: Mesh,
}

/// The pieces of a split file.
#[derive(Debug)]
pub struct Pieces {
    /// The pieces, at least one.
    pub pieces: Vec<Piece>,
    /// A sentence for people, where the default took the file apart or left it whole although it
    /// has several shells.
    pub note: Option<String>,
}

/// Splits a mesh that was read.
///
/// # Errors
/// If there are more pieces than [`PIECES`]: the mesh is a soup of loose triangles.
pub fn pieces(file: MeshFile, stem: &str, split: Split) -> Result<Pieces, String> {
    let runs = match split {
        Split::None | Split::Whole | Split::Shells => &[][..],
        Split::Groups if file.objects.is_empty() => &file.parts[..],
        Split::Objects | Split::Groups => &file.objects[..],
    };
    let (labels, names) = match split {
        Split::Shells => {
            let labels = shells(&file.mesh);
            let names = (1..=count(&labels)).map(|shell| format!("{stem}#{shell}")).collect();
            (labels, names)
        }
        _ => by_name(&file, runs, stem),
    };
    check_count(names.len())?;
    let whole = |mesh| vec![Piece { name: stem.to_owned(), mesh }];
    if names.len() < 2 {
        let note = match split {
            Split::None => None,
            Split::Whole => objects_note(&file),
            Split::Objects => shells_note(&file.mesh),
            Split::Groups => {
                Some("has no two named groups, so that it stays one object".to_owned())
            }
            Split::Shells => Some("is one shell, so that it stays one object".to_owned()),
        };
        return Ok(Pieces { pieces: whole(file.mesh), note });
    }
    let note = (split == Split::Objects).then(|| {
        let objects = grouped(names.len() as u64);
        format!(
            "its {objects} objects are checked against each other; --split none takes it as one"
        )
    });
    let meshes = cut(&file.mesh, &labels, names.len());
    let pieces = names.into_iter().zip(meshes).map(|(name, mesh)| Piece { name, mesh }).collect();
    Ok(Pieces { pieces, note })
}

fn check_count(pieces: usize) -> Result<(), String> {
    if pieces <= PIECES {
        return Ok(());
    }
    let (pieces, most) = (grouped(pieces as u64), grouped(PIECES as u64));
    Err(format!(
        "splits into {pieces} pieces, more than the {most} that are compared; leave out --split, or weld its vertices first"
    ))
}

/// A sentence about named objects that are not compared with each other.
fn objects_note(file: &MeshFile) -> Option<String> {
    let objects = file.objects.len();
    (objects > 1).then(|| {
        format!(
            "its {objects} objects are one object here, and are not compared with each other; \
             `split = \"groups\"` makes each an object, \"none\" takes this as meant"
        )
    })
}

/// A sentence about shells that are not compared with each other.
fn shells_note(mesh: &Mesh) -> Option<String> {
    let shells = count(&shells(mesh));
    (shells > 1).then(|| {
        let shells = counted(shells, "shell", "shells");
        format!("has {shells} and is one object; --split shells checks them against each other")
    })
}

/// The number of shells of a mesh.
pub fn shell_count(mesh: &Mesh) -> usize {
    count(&shells(mesh))
}

/// How many labels there are, counted from 0.
fn count(labels: &[u32]) -> usize {
    labels.iter().max().map_or(0, |&last| last as usize + 1)
}

/// The shell of each triangle, numbered by their first triangles.
fn shells(mesh: &Mesh) -> Vec<u32> {
    let welded = mesh.welded();
    let mut sets = Sets::new(welded.vertices().len());
    for &[a, b, c] in welded.triangles() {
        sets.join(a, b);
        sets.join(a, c);
    }
    let mut numbers = vec![u32::MAX; welded.vertices().len()];
    let mut next = 0;
    let mut number = |&[a, ..]: &[u32; 3]| {
        let number = &mut numbers[sets.find(a) as usize];
        if *number == u32::MAX {
            *number = next;
            next += 1;
        }
        *number
    };
    welded.triangles().iter().map(&mut number).collect()
}

/// Disjoint sets of vertices, by path halving and the smaller number as the head.
struct Sets(Vec<u32>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    fn find(&mut self, mut vertex: u32) -> u32 {
        while self.0[vertex as usize] != vertex {
            let above = self.0[self.0[vertex as usize] as usize];
            self.0[vertex as usize] = above;
            vertex = above;
        }
        vertex
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

/// The run of faces that each triangle is in, those of one name together; what is in none comes
/// last, as the file itself.
fn by_name(file: &MeshFile, runs: &[mesh_file::Part], stem: &str) -> (Vec<u32>, Vec<String>) {
    let mut names: Vec<String> = Vec::new();
    let mut known: HashMap<&str, u32> = HashMap::new();
    let mut of_face = vec![u32::MAX; file.faces];
    for run in runs {
        let label = *known.entry(&run.name).or_insert_with(|| {
            let name = if run.name.is_empty() { "unnamed" } else { &run.name };
            names.push(format!("{stem}/{name}"));
            names.len() as u32 - 1
        });
        of_face[run.first_face..run.first_face + run.faces].fill(label);
    }
    let rest = names.len() as u32;
    let label = |triangle: usize| of_face[file.mesh.face_of(triangle)].min(rest);
    let labels: Vec<u32> = (0..file.mesh.triangles().len()).map(label).collect();
    if labels.contains(&rest) {
        names.push(stem.to_owned());
    }
    (labels, names)
}

/// The meshes of the labels, each with the vertices that it uses, in order.
fn cut(mesh: &Mesh, labels: &[u32], count: usize) -> Vec<Mesh> {
    let mut triangles: Vec<Vec<[u32; 3]>> = vec![Vec::new(); count];
    for (&label, &triangle) in labels.iter().zip(mesh.triangles()) {
        triangles[label as usize].push(triangle);
    }
    let mut new_index = vec![u32::MAX; mesh.vertices().len()];
    let mut meshes = Vec::with_capacity(count);
    for mut own in triangles {
        let mut used: Vec<u32> = own.as_flattened().to_vec();
        used.sort_unstable();
        used.dedup();
        for (new, &old) in (0..).zip(&used) {
            new_index[old as usize] = new;
        }
        own.iter_mut().flatten().for_each(|corner| *corner = new_index[*corner as usize]);
        let vertices = used.iter().map(|&old| mesh.vertices()[old as usize]).collect();
        // They were checked as parts of the whole.
        meshes.extend(Mesh::new(vertices, own));
    }
    meshes
}

/// The pieces of a file as one rig that does not move, a joint for each.
pub(crate) fn rig(name: &str, pieces: Vec<Piece>) -> Result<Rig, String> {
    let root = Joint { name: name.to_owned(), parent: None, rest: Local::IDENTITY };
    let below = |piece: &Piece| Joint {
        name: piece.name.clone(),
        parent: Some(JointId(0)),
        rest: Local::IDENTITY,
    };
    let joints = match &pieces[..] {
        [_] => vec![root],
        pieces => std::iter::once(root).chain(pieces.iter().map(below)).collect(),
    };
    let first = u32::from(joints.len() > 1);
    let mut rig = Rig::new(name, Skeleton::new(joints).map_err(|error| error.to_string())?);
    for (piece, joint) in pieces.into_iter().zip(first..) {
        rig.parts.push(Part::new(piece.name, piece.mesh, Hold::Rigid(JointId(joint))));
    }
    Ok(rig)
}

/// Splits what a document holds into shells: a joint and a part for each, below the joint that held
/// it. Skinned meshes and robots stay whole, as does a mesh of one shell.
pub(crate) fn split_rig(rig: Rig) -> Result<Rig, String> {
    if !rig.freedoms.is_empty() || !rig.allowed.is_empty() {
        return Ok(rig);
    }
    let mut joints = rig.skeleton.joints().to_vec();
    let (mut parts, mut total, mut moved) = (Vec::new(), 0, HashMap::new());
    for (index, part) in rig.parts.into_iter().enumerate() {
        let labels = match part.hold {
            Hold::Rigid(_) if part.morphs.is_empty() => shells(&part.mesh),
            _ => Vec::new(),
        };
        let shells = count(&labels);
        total += shells.max(1);
        check_count(total)?;
        moved.insert(index as u32, parts.len() as u32);
        let (Hold::Rigid(holder), 2..) = (&part.hold, shells) else {
            parts.push(part);
            continue;
        };
        for (mesh, shell) in cut(&part.mesh, &labels, shells).into_iter().zip(1..) {
            let name = format!("{}#{shell}", part.name);
            let joint = JointId(joints.len() as u32);
            joints.push(Joint { name: name.clone(), parent: Some(*holder), rest: Local::IDENTITY });
            parts.push(Part::new(name, mesh, Hold::Rigid(joint)));
        }
    }
    let skeleton = Skeleton::new(joints).map_err(|error| error.to_string())?;
    let clips =
        rig.clips.into_iter().map(|clip| renumbered(clip, &moved)).collect::<Result<_, _>>()?;
    let mut split = Rig::new(rig.name, skeleton);
    (split.parts, split.clips) = (parts, clips);
    Ok(split)
}

/// A clip that speaks of the parts by their new numbers.
fn renumbered(
    clip: elbowroom_motion::body::Clip,
    moved: &HashMap<u32, u32>,
) -> Result<elbowroom_motion::body::Clip, String> {
    use elbowroom_motion::body::{Clip, Target};
    let names_parts = clip.tracks().iter().any(|track| matches!(track.target, Target::Weights(_)));
    if !names_parts {
        return Ok(clip);
    }
    let mut tracks = clip.tracks().to_vec();
    for track in &mut tracks {
        if let Target::Weights(part) = &mut track.target {
            *part = moved.get(part).copied().unwrap_or(*part);
        }
    }
    Clip::new(clip.name().to_owned(), tracks).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use glam::DVec3;

    fn cubes(count: u32) -> String {
        let mut text = String::new();
        for cube in 0..count {
            let mesh = elbowroom_make::cuboid(DVec3::splat(0.4));
            writeln!(text, "o cube{cube}").unwrap();
            for v in mesh.vertices() {
                writeln!(text, "v {} {} {}", v.x + f64::from(cube), v.y, v.z).unwrap();
            }
            let base = mesh.vertices().len() as u32 * cube + 1;
            for t in mesh.triangles() {
                let [a, b, c] = t.map(|corner| corner + base);
                writeln!(text, "f {a} {b} {c}").unwrap();
            }
        }
        text
    }

    #[test]
    fn objects_and_shells_of_cubes_are_the_cubes() {
        let read = || crate::obj::parse(cubes(5).as_bytes()).unwrap();
        let named = pieces(read(), "s", Split::Objects).unwrap();
        assert!(named.note.is_some_and(|note| note.contains("its 5 objects")));
        let shells = pieces(read(), "s", Split::Shells).unwrap();
        assert!(shells.note.is_none());
        for (index, (a, b)) in named.pieces.iter().zip(&shells.pieces).enumerate() {
            assert_eq!(
                [&*a.name, &*b.name],
                [format!("s/cube{index}"), format!("s#{}", index + 1)]
            );
            assert_eq!(a.mesh.triangles().len(), 12);
            assert_eq!(
                (a.mesh.vertices(), a.mesh.triangles()),
                (b.mesh.vertices(), b.mesh.triangles())
            );
        }
        let whole = pieces(read(), "s", Split::None).unwrap();
        assert_eq!((whole.pieces.len(), whole.pieces[0].mesh.triangles().len()), (1, 60));
    }

    #[test]
    fn faces_without_a_name_and_names_that_come_again() {
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\no a\nf 1 2 3 4\no b\nf 1 2 4\no a\nf 2 3 4\n";
        let found =
            pieces(crate::obj::parse(text.as_bytes()).unwrap(), "s", Split::Objects).unwrap();
        let sizes: Vec<_> =
            found.pieces.iter().map(|p| (&*p.name, p.mesh.triangles().len())).collect();
        assert_eq!(sizes, [("s/a", 3), ("s/b", 1), ("s", 1)]);
        // All of it hangs together.
        assert_eq!(shell_count(&crate::obj::parse(text.as_bytes()).unwrap().mesh), 1);
    }
}
