//! Continuous collision detection: models that move from time 0 to time 1.

use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::query::{
    CcdOptions, Neighbours, RigidMotion, SweptMesh, TimeOfImpact, contacts_self, contacts_swept,
    time_of_impact_rigid, time_of_impact_self, time_of_impact_swept,
};
use crate::posed::Posed;
use crate::scratch;

/// A model in rigid motion from time 0 to time 1. Made by [`Model::moving`]; a `&Model` or a
/// [`Posed`] model counts as one that stays where it is.
///
/// For vertices that move on their own, as those of cloth or a skinned character, use
/// [`SweptMesh`].
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Moving<'a> {
    model: &'a Model,
    motion: RigidMotion,
}

impl<'a> From<&'a Model> for Moving<'a> {
    fn from(model: &'a Model) -> Self {
        Self { model, motion: RigidMotion::new(Pose::IDENTITY) }
    }
}

impl<'a> From<Posed<'a>> for Moving<'a> {
    fn from(posed: Posed<'a>) -> Self {
        Self { model: posed.model, motion: RigidMotion::new(posed.pose) }
    }
}

impl Model {
    /// This model, moving during the step from time 0 to time 1.
    ///
    /// ```
    /// use elbowroom::{CcdOptions, Mesh, Model, Pose, RigidMotion};
    /// use glam::DVec3;
    ///
    /// let wall = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::Y, DVec3::Z], vec![[0, 1, 2]])?);
    /// let start = Pose::from_translation(DVec3::new(-3.0, 0.1, 0.1))?;
    /// let bullet = wall.moving(RigidMotion::new(start).travelling(DVec3::X * 12.0)?);
    /// let impact = bullet.time_of_impact(&wall, &CcdOptions::default()).expect("it hits");
    /// assert!(impact.time <= 0.25 && impact.time > 0.25 - 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moving(&self, motion: RigidMotion) -> Moving<'_> {
        Moving { model: self, motion }
    }
}

impl<'a> Moving<'a> {
    /// The model.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, RigidMotion};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let model = Model::new(mesh);
    /// let moving = model.moving(RigidMotion::new(Pose::IDENTITY));
    /// assert_eq!(moving.model().mesh().triangles().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The motion.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, RigidMotion};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let model = Model::new(mesh);
    /// let moving = model.moving(RigidMotion::new(Pose::IDENTITY));
    /// assert_eq!(moving.motion().apply(DVec3::X, 1.0), DVec3::X);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn motion(&self) -> &RigidMotion {
        &self.motion
    }

    /// The time when two moving models first touch (continuous collision detection). `None` if they
    /// do not touch before time 1.
    ///
    /// The time is conservative: there is no contact before it, however thin a wall or fast a
    /// bullet, and at that time the gap is at most [`CcdOptions::delta`]. It is 0 if they touch
    /// at time 0. A tree of moving boxes is built for each model at each call.
    ///
    /// ```
    /// use elbowroom::{CcdOptions, Mesh, Model, Pose, RigidMotion};
    /// use glam::DVec3;
    ///
    /// // A blade of length 2 that turns by half a turn, and a post at a right angle to its start.
    /// let blade = Mesh::new(vec![DVec3::ZERO, DVec3::X * 2.0, DVec3::X * 2.0], vec![[0, 1, 2]])?;
    /// let post = [DVec3::new(0.0, 1.0, -1.0), DVec3::new(0.0, 1.0, 1.0), DVec3::new(0.0, 1.1, 0.0)];
    /// let (blade, post) = (Model::new(blade), Model::new(Mesh::new(post.to_vec(), vec![[0, 1, 2]])?));
    /// let turn = RigidMotion::new(Pose::IDENTITY).turning(DVec3::Z, std::f64::consts::PI, DVec3::ZERO)?;
    /// let impact = blade.moving(turn).time_of_impact(&post, &CcdOptions::default());
    /// assert!((impact.expect("it hits").time - 0.5).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn time_of_impact<'b>(
        self,
        other: impl Into<Moving<'b>>,
        options: &CcdOptions,
    ) -> Option<TimeOfImpact> {
        let other = other.into();
        let [mut a, mut b] =
            [self.model, other.model].map(|model| SweptMesh::new(model.mesh().clone()));
        let (motion_a, motion_b) = (&self.motion, &other.motion);
        scratch::with(|scratch| {
            time_of_impact_rigid(&mut a, motion_a, &mut b, motion_b, options, &mut scratch.steps)
        })
    }
}

impl SweptMesh {
    /// The time when two meshes first touch whose vertices move in straight lines. `None` if they
    /// do not touch before time 1. Conservative: never later than the first contact, like
    /// [`Moving::time_of_impact`].
    ///
    /// ```
    /// use elbowroom::{CcdOptions, Mesh, SweptMesh};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
    /// let mesh = Mesh::new(corners.clone(), vec![[0, 1, 2]])?;
    /// let floor = SweptMesh::new(mesh.clone());
    /// let mut falling = SweptMesh::new(mesh);
    /// let at = |z: f64| corners.iter().map(|&p| p + DVec3::Z * z).collect::<Vec<_>>();
    /// falling.set(&at(1.0), &at(-1.0))?;
    /// let impact = falling.time_of_impact(&floor, &CcdOptions::default()).expect("it lands");
    /// assert!((impact.time - 0.5).abs() < 1e-6);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn time_of_impact(&self, other: &Self, options: &CcdOptions) -> Option<TimeOfImpact> {
        scratch::with(|scratch| time_of_impact_swept(self, other, options, &mut scratch.steps))
    }

    /// Every pair of triangles that touch during the step, each with the time of its first contact.
    ///
    /// ```
    /// use elbowroom::{CcdOptions, Mesh, SweptMesh};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let (floor, mut falling) = (SweptMesh::new(mesh.clone()), SweptMesh::new(mesh));
    /// let below: Vec<DVec3> = falling.end().iter().map(|p| p - DVec3::Z).collect();
    /// falling.advance(&below)?;
    /// assert_eq!(falling.impacts(&floor, &CcdOptions::default()).len(), 1);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn impacts(&self, other: &Self, options: &CcdOptions) -> Vec<TimeOfImpact> {
        scratch::with(|scratch| contacts_swept(self, other, options, &mut scratch.steps))
    }

    /// The time when the mesh first touches itself. `None` if it does not before time 1.
    ///
    /// ```
    /// use elbowroom::{CcdOptions, Mesh, Neighbours, SweptMesh};
    /// use glam::DVec3;
    ///
    /// // Two triangles; the upper one falls through the lower one.
    /// let lower = [DVec3::ZERO, DVec3::X, DVec3::Y];
    /// let at = |z: f64| [lower.to_vec(), lower.map(|p| p + DVec3::Z * z).to_vec()].concat();
    /// let mut mesh = SweptMesh::new(Mesh::new(at(1.0), vec![[0, 1, 2], [3, 4, 5]])?);
    /// mesh.advance(&at(-1.0))?;
    /// let impact = mesh.self_time_of_impact(Neighbours::Skip, &CcdOptions::default());
    /// assert!((impact.expect("it falls through").time - 0.5).abs() < 1e-6);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn self_time_of_impact(
        &self,
        neighbours: Neighbours,
        options: &CcdOptions,
    ) -> Option<TimeOfImpact> {
        scratch::with(|scratch| time_of_impact_self(self, neighbours, options, &mut scratch.steps))
    }

    /// Every pair of the mesh's own triangles that touch during the step.
    ///
    /// ```
    /// use elbowroom::{CcdOptions, Mesh, Neighbours, SweptMesh};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mesh = SweptMesh::new(mesh);
    /// assert!(mesh.self_impacts(Neighbours::Skip, &CcdOptions::default()).is_empty());
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn self_impacts(&self, neighbours: Neighbours, options: &CcdOptions) -> Vec<TimeOfImpact> {
        scratch::with(|scratch| contacts_self(self, neighbours, options, &mut scratch.steps))
    }
}
