//! What the page plays.
//!
//! People and robots are stored as (clip, time, place), things that move as one piece by their
//! places ([`troupe`](super::troupe)); what has no such form, or no room as such, as vertices
//! around its incidents ([`cache`](super::cache)). The worst incidents come first wherever there is
//! not room for all.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ptr;

use elbowroom::internal::model::Model;
use elbowroom_motion::scene::{Content, Incident, Whereabouts};
use glam::{DAffine3, DVec3};
use serde::Serialize;

use super::actor::{Actor, STEP_BYTES};
use super::cache::{self, Cache};
use super::mark::{self, Mark};
use super::stock::{Body, Clip, Stock};
use super::troupe::Troupe;
use super::up_axis;
use crate::result::plan::Plan;

/// The most bytes but for vertices by frame, before they are packed: with those, a file stays below
/// 20 MB.
const ROOM: usize = 20 << 20;

#[derive(Serialize)]
struct Directory {
    version: u32,
    arrays: BTreeMap<String, super::container::Array>,
    bodies: Vec<Body>,
    clips: Vec<Clip>,
    caches: Vec<Cache>,
    actors: Vec<Actor>,
    marks: Vec<Mark>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ground: Option<f64>,
}

impl Directory {
    /// The container; `None` if there is nothing to show.
    fn packed(
        stock: Stock,
        caches: Vec<Cache>,
        mut actors: Vec<Actor>,
        marks: Vec<Mark>,
        ground: Option<f64>,
    ) -> Option<Vec<u8>> {
        if actors.is_empty() {
            return None;
        }
        actors.sort_by_key(|actor| actor.object);
        let Stock { arrays, bodies, clips, .. } = stock;
        let (arrays, data) = arrays.done();
        let directory = Self { version: 1, arrays, bodies, clips, caches, actors, marks, ground };
        Some(super::container::packed(&directory, &data))
    }
}

/// The container of a check; `None` if there is nothing to show.
pub(crate) fn container(plan: &Plan, incidents: &[Incident]) -> Option<Vec<u8>> {
    let mut stock = Stock::new(ROOM);
    let (_, up) = up_axis(plan.cast.up);
    let mut troupe = Troupe::new(&plan.scene, up, plan.frames);
    let mut things = Things::new(up);
    let (mut actors, mut rest) = (Vec::new(), BTreeSet::new());
    for object in worst_first(incidents, plan.scene.objects().len()) {
        let entry = &plan.scene.objects()[object];
        let line = match &entry.content {
            Content::Actor(actor) => troupe.add(&mut stock, object, actor),
            Content::Still { model, place } => {
                let place = [affine(place)];
                things.add(&mut stock, (object, &entry.name), model, &place)
            }
            Content::Moving { model, path } => {
                let at = |index: usize| {
                    let frame = plan.frames.get(index).unwrap_or_default();
                    affine(&path[plan.scene.timing().index(frame).min(path.len() - 1)])
                };
                let places: Vec<DAffine3> = (0..plan.frames.len()).map(at).collect();
                things.add(&mut stock, (object, &entry.name), model, &places)
            }
            Content::Vertices(_) => None,
        };
        match line {
            Some(line) => actors.push(line),
            // Plain meshes for which there is no room are left out.
            None if plan.is_plain() => {}
            None => drop(rest.insert(object)),
        }
    }
    let (caches, filmed) = cache::film(&mut stock, plan, &rest, incidents);
    actors.extend(filmed);
    let marks = mark::of(&mut stock, plan, incidents);
    Directory::packed(stock, caches, actors, marks, ground(plan, up))
}

/// All objects, those of the worst incidents first.
fn worst_first(incidents: &[Incident], objects: usize) -> Vec<usize> {
    let mut seen = vec![false; objects];
    let met = incidents.iter().flat_map(|incident| [incident.a.index(), incident.b.index()]);
    met.chain(0..objects).filter(|&object| !std::mem::replace(&mut seen[object], true)).collect()
}

fn affine(place: &elbowroom::Pose) -> DAffine3 {
    DAffine3 { matrix3: place.rotation(), translation: place.translation() }
}

/// The height of the floor that people walk on, if there are any and nothing else is there that
/// could be one.
fn ground(plan: &Plan, up: DVec3) -> Option<f64> {
    let objects = plan.scene.objects().iter();
    let heights = objects.map(|object| match &object.content {
        Content::Actor(actor) => match &actor.whereabouts {
            Whereabouts::Walk { path, .. } => {
                let moment = actor.at(path.span().0);
                Some(
                    moment
                        .map_or(f64::INFINITY, |moment| moment.world_from_rig.translation.dot(up)),
                )
            }
            Whereabouts::Fixed(_) => Some(f64::INFINITY),
        },
        _ => None,
    });
    let lowest = heights.collect::<Option<Vec<f64>>>()?.into_iter().fold(f64::INFINITY, f64::min);
    lowest.is_finite().then_some(lowest)
}

/// Things that move as one piece; those of one model share a body.
struct Things {
    up: DVec3,
    bodies: HashMap<*const Model, usize>,
}

impl Things {
    fn new(up: DVec3) -> Self {
        Self { up, bodies: HashMap::new() }
    }

    /// A line; `None` if there is no room.
    fn add(
        &mut self,
        stock: &mut Stock,
        (object, name): (usize, &str),
        model: &Model,
        places: &[DAffine3],
    ) -> Option<Actor> {
        let mesh = model.mesh();
        let known = self.bodies.get(&ptr::from_ref(model));
        let bytes = 6 * mesh.vertices().len() + 12 * mesh.triangles().len();
        let bytes = if known.is_some() { 0 } else { bytes };
        if mesh.triangles().is_empty() || !stock.has_room(bytes + STEP_BYTES * places.len()) {
            return None;
        }
        let body = known.copied().unwrap_or_else(|| {
            let corners: Vec<u32> = mesh.triangles().iter().flatten().copied().collect();
            stock.body(name, mesh.vertices().iter().copied(), &corners, None)
        });
        self.bodies.insert(ptr::from_ref(model), body);
        Actor { object, body, ..Actor::default() }.placed(stock, places, self.up)
    }
}
