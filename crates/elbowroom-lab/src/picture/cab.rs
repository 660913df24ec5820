//! Scenes of CAB (Schmidl, Walker and Lin, 2004): articulated bodies under boxes that are refitted
//! every frame.

use std::sync::Arc;

use elbowroom::Mesh;
use elbowroom_make::{Chains, HandAndBall, Link, Play, chains, hand_and_ball, robot_and_ball};
use elbowroom_motion::body::Rig;
use elbowroom_papers::cab::RefitMethod;
use elbowroom_papers::cab::{ArticulatedBody, CabAxis, CabHierarchy};
use glam::{DAffine3, DVec3};

use super::canvas::{Canvas, Color};
use super::lens::{Camera, Lens};
use super::pick::{Drawn as _, nodes, tinted};
use super::stage::{Shape, Stage, Tint};
use super::text::{STRIP, above};
use super::{WHOLE, ink};
use crate::Context;
use crate::data::SHADOW_HAND;

/// The rows: boxes by the paper's rule, and fitted again.
const WAYS: [(RefitMethod, &str, Color); 2] = [
    (RefitMethod::Cab(CabAxis::Longest), "CAB", ink::CAB),
    (RefitMethod::Covariance, "OBB", ink::OBB),
];

/// Something that moves, and what is around it.
struct Scene {
    body: Arc<ArticulatedBody>,
    joints: Vec<DAffine3>,
    /// Placed, with its colour.
    around: Vec<(Mesh, Color)>,
}

impl Scene {
    fn new(rig: &Rig, joints: Vec<DAffine3>) -> Option<Self> {
        let body = Arc::new(ArticulatedBody::of_rig(rig).ok()?);
        Some(Self { body, joints, around: Vec::new() })
    }

    fn hierarchy(&self, keep: RefitMethod) -> CabHierarchy {
        let mut hierarchy = CabHierarchy::new(Arc::clone(&self.body), keep);
        hierarchy.update(&self.joints).expect("the joints of this body");
        hierarchy
    }

    /// Where its corners are.
    fn points(&self) -> Vec<DVec3> {
        let hierarchy = self.hierarchy(RefitMethod::Brute);
        let links = self.body.links().iter().zip(hierarchy.placements());
        links
            .flat_map(|(link, place)| link.model.mesh().vertices().iter().map(|&p| place.apply(p)))
            .collect()
    }

    /// The boxes of a level.
    fn boxes(&self, hierarchy: &CabHierarchy, level: u32) -> Vec<Shape> {
        let in_world = |node| {
            let mut b = hierarchy.oriented(node)?;
            b.center += hierarchy.origin();
            Some(b.shape())
        };
        nodes(self.body.tree(), level).filter_map(in_world).collect()
    }

    fn draw(&self, stage: &mut Stage, hierarchy: &CabHierarchy) {
        for (mesh, color) in &self.around {
            stage.solid(mesh, *color);
        }
        for (link, place) in self.body.links().iter().zip(hierarchy.placements()) {
            let mesh = link.model.mesh();
            let points: Vec<DVec3> = mesh.vertices().iter().map(|&p| place.apply(p)).collect();
            stage.surface(&points, mesh.triangles(), |_| ink::STONE);
        }
    }

    /// Both ways, level by level.
    fn draw_all(&self, canvas: &mut Canvas, camera: &Camera, levels: &[u32], margin: f64) {
        let kept = WAYS.map(|(keep, ..)| self.hierarchy(keep));
        let mut room = self.points();
        for hierarchy in &kept {
            let shapes = levels.iter().flat_map(|&level| self.boxes(hierarchy, level));
            room.extend(shapes.flat_map(|shape| shape.points()));
        }
        for (place, cell) in WHOLE.grid(levels.len(), 2).into_iter().enumerate() {
            let (way, level) = (place / levels.len(), levels[place % levels.len()]);
            let (_, name, color) = WAYS[way];
            let lens = Lens::fitted(camera, room.iter().copied(), cell.below(STRIP), margin);
            let mut stage = Stage::new(canvas, lens);
            self.draw(&mut stage, &kept[way]);
            let tint = Tint::new(color, 0.2, 1.2);
            stage.volumes(&tinted(self.boxes(&kept[way], level), tint));
            canvas.clip(cell);
            above(canvas, cell, &format!("{name} {level}"));
        }
    }
}

fn moved(mesh: &Mesh, at: &DAffine3) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&point| at.transform_point3(point)).collect();
    mesh.with_vertices(vertices).expect("a moved mesh is a mesh")
}

/// Tables 1 to 4: one of two chains.
pub(super) fn chain(_: &Context, canvas: &mut Canvas) -> String {
    let what = Chains { link: Link::Convex, aspect: 3.0, play: Play::Loose, seed: 1 };
    let (rig, mut frames) = chains(&what);
    let frame = frames.nth(260).map(|both| both.map(Vec::from));
    let Some([first, second]) = frame else { return String::new() };
    let Some(mut scene) = Scene::new(&rig, first) else { return String::new() };
    if let Some(other) = Scene::new(&rig, second) {
        let hierarchy = other.hierarchy(RefitMethod::Brute);
        for (link, place) in other.body.links().iter().zip(hierarchy.placements()) {
            let mesh = link.model.mesh();
            let points = mesh.vertices().iter().map(|&p| place.apply(p)).collect();
            scene.around.push((mesh.with_vertices(points).expect("moved"), ink::SECOND));
        }
    }
    scene.draw_all(canvas, &Camera::y_up(15.0, 12.0), &[0, 1, 2, 3], 4.0);
    "One of two chains of eight rods in one frame, levels 0 to 3 of its tree. Above, boxes of CAB, whose axes follow from the longest ones of the two boxes below; underneath, along \
     the covariance of the corners of the two boxes below. Here they hardly differ, and the rods' own boxes are the same. Made with body::CabHierarchy, RefitMethod::Cab and RefitMethod::Covariance."
        .to_owned()
}

/// Table 5: the hand that plays with a ball.
pub(super) fn hand(context: &Context, canvas: &mut Canvas) -> String {
    let Some((scene, whose)) = real_hand(context).or_else(generated_hand) else {
        return String::new();
    };
    scene.draw_all(canvas, &Camera::y_up(-38.0, 34.0), &[1, 2, 3, 4], 4.0);
    format!(
        "{whose} of {} links and the ball that it plays with, levels 1 to 4 of the hand's tree: boxes of CAB above, fitted by covariance below. \
         Made with body::CabHierarchy, RefitMethod::Cab and RefitMethod::Covariance.",
        scene.body.links().len()
    )
}

fn generated_hand() -> Option<(Scene, &'static str)> {
    let (HandAndBall { arm, things }, mut frames) = hand_and_ball(1);
    let frame = frames.nth(150)?;
    let mut scene = Scene::new(&arm, frame.joints.to_vec())?;
    scene.add(&things, &frame.things);
    Some((scene, "A generated hand"))
}

fn real_hand(context: &Context) -> Option<(Scene, &'static str)> {
    let rig = context.data.rig(SHADOW_HAND).ok()?;
    let (things, mut frames) = robot_and_ball(&rig, 1)?;
    let frame = frames.nth(150)?;
    let mut scene = Scene::new(&rig, frame.joints)?;
    scene.add(&things, &frame.things);
    Some((scene, "The Shadow hand"))
}

impl Scene {
    /// The ball; table, wall and post would hide the hand.
    fn add(&mut self, things: &[(&'static str, Mesh)], places: &[DAffine3]) {
        for ((name, mesh), place) in things.iter().zip(places) {
            if *name == "ball" {
                self.around.push((moved(mesh, place), ink::SECOND));
            }
        }
    }
}
