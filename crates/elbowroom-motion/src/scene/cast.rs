//! What is worked out once for each object: its pieces, the names of its parts, and models that all
//! who look alike share.
//!
//! A piece that hangs on one joint is a model and a pose as long as the joint does not scale. Where
//! it does, the scale is baked into the vertices once, at what it is at rest: files in centimetres
//! and characters of another size then move as rigid pieces too.
//!
//! Invariant: whether a piece is rigid in a frame follows from the frame alone.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock, PoisonError};

use glam::{DAffine3, DVec3};

use super::actor::{Actor, Whereabouts};
use super::object::{Content, Object};
use super::primitive::{TrueKind, TrueShape};
use super::rest::RestPairs;
use super::surface::Surface;
use crate::body::labels;
use crate::body::labels::{Labels, Names, RigLabels};
use crate::body::{Hold, Rig};
use elbowroom::internal::broad_phase::Support;
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::model::{MeshTopology, Model};

/// A piece of an object.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub(super) labels: Labels,
    /// The first triangle in the numbering of the object.
    pub(super) first_triangle: u32,
    /// The part of the rig that it is, for an actor.
    pub(super) rig_part: u32,
    /// The rigid model, if the piece moves as one piece; else `None`.
    pub(super) rigid: Option<Rigid>,
    /// The triangles, if the vertices are computed in every frame.
    pub(super) triangles: Arc<[[u32; 3]]>,
    /// What models of these triangles share; made by the first.
    pub(super) pattern: Shape,
    /// Whether it never moves.
    pub(super) is_still: bool,
    /// Which of its triangles are neighbours, where it is compared with itself; nothing for a link
    /// of several.
    pub(super) surface: Option<Arc<Surface>>,
}

impl Cut {
    /// Whether it stands for a half-space.
    pub(super) fn is_plane(&self) -> bool {
        let truth = self.rigid.as_ref().and_then(|rigid| rigid.truth.as_deref());
        truth.is_some_and(|truth| matches!(truth.kind, TrueKind::HalfSpace { .. }))
    }
}

/// What all pieces of the same triangles have in common, if it has been made.
pub(super) type Shape = Arc<OnceLock<Arc<MeshTopology>>>;

/// A shape that moves as one piece.
#[derive(Clone, Debug)]
pub(super) struct Rigid {
    pub(super) model: Arc<Model>,
    pub(super) support: Arc<Support>,
    /// One over the scale that is in the model.
    pub(super) unscale: DVec3,
    /// The primitive that the model encloses, if it stands for one.
    pub(super) truth: Option<Arc<TrueShape>>,
}

/// What is worked out for an object.
#[derive(Debug)]
pub(super) struct Role {
    pub(super) parts: Vec<String>,
    /// Other names of the parts, by which several may be meant: their joints'. None where they
    /// have no other.
    pub(super) joints: Vec<String>,
    pub(super) cuts: Vec<Cut>,
    pub(super) vertices: u32,
    pub(super) triangles: u32,
    pub(super) own: Arc<Own>,
}

/// What holds for an object that is compared with itself; shared by all of one rig.
#[derive(Debug, Default)]
pub(super) struct Own {
    /// Whether its parts are links, each of which may consist of several meshes that are not
    /// compared.
    pub(super) is_robot: bool,
    /// Pairs of links that may touch, lower first.
    pub(super) joined: HashSet<(u32, u32)>,
    /// How many pairs of parts are compared.
    pub(super) pairs: u64,
    /// What already meets at rest; found by the first who asks.
    pub(super) rest: OnceLock<RestPairs>,
}

/// A part of a rig at a scale, by its bits: what models are shared by.
type Key = (*const Rig, u32, [u64; 3]);

/// The triangles of a rig's part, and what models of them share.
type Shared = (Arc<[[u32; 3]]>, Shape);

/// Labels of a rig's parts and all that goes with them.
struct RigRole {
    labels: RigLabels,
    surfaces: Vec<Option<Arc<Surface>>>,
    own: Arc<Own>,
}

/// Works out roles, and shares what can be shared.
#[derive(Default)]
pub(super) struct Casting {
    models: HashMap<Key, Rigid>,
    supports: HashMap<*const Model, Arc<Support>>,
    triangles: HashMap<(*const Rig, u32), Shared>,
    rigs: HashMap<(*const Rig, Vec<u32>), Arc<RigRole>>,
    sound: HashSet<*const Rig>,
}

impl Casting {
    /// The role of an object, or what is wrong with it.
    pub(super) fn role(&mut self, object: &Object) -> Result<Role, String> {
        match &object.content {
            Content::Still { model, .. } => Ok(self.solid(object, model, true)),
            Content::Moving { path, .. } if path.is_empty() => {
                Err("moves by a list of no places".into())
            }
            Content::Moving { model, path } => Ok(self.solid(object, model, path.len() == 1)),
            Content::Actor(actor) => self.actor(actor),
            Content::Vertices(sequence) => {
                sequence.check()?;
                let source = sequence.source.lock().unwrap_or_else(PoisonError::into_inner);
                if source.frames() == 0 {
                    return Err("is a sequence of no frames".into());
                }
                let triangles = source.mesh().triangles().into();
                let (parts, labels) = said_labels(object, source.mesh());
                let cut = Cut {
                    surface: said_surface(source.mesh(), &labels),
                    labels,
                    first_triangle: 0,
                    rig_part: 0,
                    rigid: None,
                    triangles,
                    pattern: Shape::default(),
                    is_still: source.frames() == 1,
                };
                Ok(Role::of_one(parts, cut, source.mesh()))
            }
        }
    }

    fn solid(&mut self, object: &Object, model: &Arc<Model>, is_still: bool) -> Role {
        let (parts, labels) = said_labels(object, model.mesh());
        let support = self.supports.entry(Arc::as_ptr(model));
        let support = support.or_insert_with(|| Arc::new(Support::of_mesh(model.mesh())));
        let rigid = Rigid {
            model: Arc::clone(model),
            support: Arc::clone(support),
            unscale: DVec3::ONE,
            truth: None,
        };
        let cut = Cut {
            surface: said_surface(model.mesh(), &labels),
            labels,
            first_triangle: 0,
            rig_part: 0,
            rigid: Some(rigid),
            triangles: Arc::new([]),
            pattern: Shape::default(),
            is_still,
        };
        Role::of_one(parts, cut, model.mesh())
    }

    fn actor(&mut self, actor: &Actor) -> Result<Role, String> {
        let rig = &actor.rig;
        if self.sound.insert(Arc::as_ptr(rig)) {
            rig.validate().map_err(|error| format!("has a rig that is not sound: {error}"))?;
        }
        actor.whereabouts.check()?;
        actor.motion.check(rig)?;
        let all = || (0..rig.parts.len() as u32).collect();
        let chosen: Vec<u32> = actor.parts.clone().unwrap_or_else(all);
        if let Some(absent) = chosen.iter().find(|&&part| part as usize >= rig.parts.len()) {
            return Err(format!("has no part {absent}; its rig has {}", rig.parts.len()));
        }
        let shared = self.rig_role(rig, &chosen);
        let RigRole { labels, surfaces, own } = &*shared;
        let scales = scales(actor);
        let is_still =
            actor.motion.is_still() && matches!(actor.whereabouts, Whereabouts::Fixed(_));
        let mut role = Role {
            parts: labels.names.clone(),
            joints: labels.joints.clone(),
            cuts: Vec::with_capacity(chosen.len()),
            vertices: 0,
            triangles: 0,
            own: Arc::clone(own),
        };
        for ((&rig_part, labels), surface) in chosen.iter().zip(&labels.labels).zip(surfaces) {
            let mesh = &rig.parts[rig_part as usize].mesh;
            let rigid = self.rigid(rig, rig_part, &scales);
            let triangles = self.triangles.entry((Arc::as_ptr(rig), rig_part));
            let anew = || (mesh.triangles().into(), Shape::default());
            let (triangles, pattern) = triangles.or_insert_with(anew).clone();
            let first_triangle = role.triangles;
            let labels = labels.clone();
            role.cuts.push(Cut {
                labels,
                first_triangle,
                rig_part,
                rigid,
                triangles,
                pattern,
                is_still,
                surface: surface.clone(),
            });
            let grown = |a: u32, b: usize| u32::try_from(b).ok().and_then(|b| a.checked_add(b));
            let too_many = "has more triangles than 32 bits can number";
            role.triangles = grown(role.triangles, mesh.triangles().len()).ok_or(too_many)?;
            role.vertices = grown(role.vertices, mesh.vertices().len()).ok_or(too_many)?;
        }
        Ok(role)
    }

    fn rig_role(&mut self, rig: &Arc<Rig>, chosen: &[u32]) -> Arc<RigRole> {
        let known = self.rigs.entry((Arc::as_ptr(rig), chosen.to_vec()));
        let role = known.or_insert_with(|| {
            let labels = labels::of_rig(rig, chosen);
            let surfaces: Vec<_> = chosen
                .iter()
                .zip(&labels.labels)
                .map(|(&part, labels)| {
                    let part = &rig.parts[part as usize];
                    let is_rigid = matches!(part.hold, Hold::Rigid(_)) && part.morphs.is_empty();
                    (!is_rigid).then(|| Arc::new(Surface::new(&part.mesh, labels)))
                })
                .collect();
            let own = Arc::new(Own::of_rig(rig, &labels, &surfaces));
            Arc::new(RigRole { labels, surfaces, own })
        });
        Arc::clone(role)
    }

    /// The model of a part that hangs on one joint, at the scale that the joint has at rest.
    fn rigid(&mut self, rig: &Arc<Rig>, part: u32, scales: &[Option<DVec3>]) -> Option<Rigid> {
        let Hold::Rigid(joint) = &rig.parts[part as usize].hold else { return None };
        let scale = scales[joint.index()]?;
        let key = (Arc::as_ptr(rig), part, scale.to_array().map(f64::to_bits));
        if let Some(known) = self.models.get(&key) {
            return Some(known.clone());
        }
        let rest = &rig.parts[part as usize].mesh;
        let mesh = if scale == DVec3::ONE {
            rest.clone()
        } else {
            let scaled = rest.vertices().iter().map(|&vertex| vertex * scale).collect();
            Mesh::new(scaled, rest.triangles().to_vec()).ok()?
        };
        let support = Arc::new(Support::of_mesh(&mesh));
        let truth = rig.parts[part as usize].primitive.as_ref().and_then(|(local, primitive)| {
            let mesh_from_primitive = DAffine3::from_scale(scale) * local.affine();
            TrueShape::new(primitive, &mesh_from_primitive, &mesh).map(Arc::new)
        });
        let model = Arc::new(Model::new(mesh));
        let rigid = Rigid { model, support, unscale: scale.recip(), truth };
        self.models.insert(key, rigid.clone());
        Some(rigid)
    }
}

impl Role {
    fn of_one(parts: Vec<String>, cut: Cut, mesh: &Mesh) -> Self {
        let pairs = cut.surface.as_ref().map_or(1, |surface| surface.compared);
        Self {
            parts,
            joints: Vec::new(),
            cuts: vec![cut],
            // The door of a mesh bounds both by 32 bits.
            vertices: mesh.vertices().len() as u32,
            triangles: mesh.triangles().len() as u32,
            own: Arc::new(Own { pairs, ..Own::default() }),
        }
    }
}

impl Own {
    fn of_rig(rig: &Rig, labels: &RigLabels, surfaces: &[Option<Arc<Surface>>]) -> Self {
        let ordered = |a: u32, b: u32| (a.min(b), a.max(b));
        let part = |joint: &u32| labels.of_joint.get(joint).copied();
        let joined = rig.allowed.iter().filter_map(|(a, b)| Some(ordered(part(a)?, part(b)?)));
        let joined: HashSet<(u32, u32)> = joined.filter(|(a, b)| a != b).collect();
        let is_robot = labels::is_robot(rig);
        let count = labels.names.len() as u64;
        let all = count * count.saturating_sub(1) / 2;
        let pairs = match (count, is_robot) {
            // Compared with itself, triangle by triangle.
            (1, _) => 1,
            (_, true) => all - joined.len() as u64,
            // Of one mesh, those that are no neighbours; of two meshes all.
            (_, false) => {
                let of_mesh = |labels: &Labels| match labels {
                    Labels::One(_) => 1,
                    Labels::Each(parts) => parts.iter().collect::<HashSet<_>>().len() as u64,
                };
                let within = labels.labels.iter().map(of_mesh).map(|n| n * (n - 1) / 2);
                let compared = surfaces.iter().flatten().map(|surface| surface.compared);
                all - within.sum::<u64>() + compared.sum::<u64>()
            }
        };
        Self { is_robot, joined, pairs, ..Self::default() }
    }
}

/// How the parts that were said for an object without a rig hang together; nothing for one part, of
/// which all triangles are compared.
fn said_surface(mesh: &Mesh, labels: &Labels) -> Option<Arc<Surface>> {
    matches!(labels, Labels::Each(_)).then(|| Arc::new(Surface::new(mesh, labels)))
}

/// Tells the shells apart of objects of one part that are compared with themselves.
pub(super) fn tell_shells(objects: &[Object], roles: &mut [Role]) {
    let mut known: HashMap<*const Model, Arc<Surface>> = HashMap::new();
    let own = objects.iter().zip(roles).filter(|(object, _)| object.with_itself);
    for (object, role) in own.filter(|(_, role)| role.parts.len() == 1) {
        for cut in role.cuts.iter_mut().filter(|cut| cut.surface.is_none()) {
            cut.surface = match (&cut.rigid, &object.content) {
                (Some(rigid), _) => {
                    let model = known.entry(Arc::as_ptr(&rigid.model));
                    let new = || Arc::new(Surface::new(rigid.model.mesh(), &cut.labels));
                    Some(Arc::clone(model.or_insert_with(new)))
                }
                (None, Content::Vertices(sequence)) => {
                    let source = sequence.source.lock().unwrap_or_else(PoisonError::into_inner);
                    Some(Arc::new(Surface::new(source.mesh(), &cut.labels)))
                }
                (None, _) => None,
            };
        }
    }
}

/// The parts that were said for an object without a rig.
fn said_labels(object: &Object, mesh: &Mesh) -> (Vec<String>, Labels) {
    let mut names = Names::default();
    if object.parts.is_empty() {
        names.place(&object.name);
        return (names.into_vec(), Labels::One(0));
    }
    let mut starts = object.parts.iter().peekable();
    let mut now: Option<u32> = None;
    let labels: Vec<u32> = (0..mesh.triangles().len() as u32)
        .map(|triangle| {
            while let Some((name, _)) = starts.next_if(|(_, first)| *first <= triangle) {
                now = Some(names.place(name));
            }
            now.unwrap_or_else(|| names.place(&object.name))
        })
        .collect();
    (names.into_vec(), Labels::Each(labels.into()))
}

/// Where an actor stands, with the size that it has there; of one that walks only the size.
pub(super) fn place_of(actor: &Actor) -> DAffine3 {
    match &actor.whereabouts {
        Whereabouts::Fixed(place) => *place,
        Whereabouts::Walk { scale, .. } => DAffine3::from_scale(DVec3::splat(*scale)),
    }
}

/// The scale of every joint at rest; nothing for one that is scaled to nothing.
fn scales(actor: &Actor) -> Vec<Option<DVec3>> {
    let place = place_of(actor);
    let mut world = Vec::new();
    actor.rig.skeleton.world_placed(&actor.rig.rest_pose(), &place, &mut world);
    world.iter().map(axis_scales).collect()
}

/// The scale along each axis of a matrix, mirroring as a negative x; `None` if an axis is scaled to
/// nothing or not finite.
///
/// Lengths are rounded to 36 bits, so that the same scale turned in another way is the same number;
/// a pose takes 1e-9, and this is within 1e-11.
fn axis_scales(world_from_mesh: &DAffine3) -> Option<DVec3> {
    let m = world_from_mesh.matrix3;
    let rounded = |length: f64| f64::from_bits((length.to_bits() + (1 << 15)) & !((1 << 16) - 1));
    let lengths = [m.x_axis, m.y_axis, m.z_axis].map(|axis| rounded(axis.length()));
    let mut scale = DVec3::from_array(lengths);
    if m.determinant() < 0.0 {
        scale.x = -scale.x;
    }
    let is_good = scale.is_finite() && scale.recip().is_finite() && scale.abs().min_element() > 0.0;
    is_good.then_some(scale)
}
