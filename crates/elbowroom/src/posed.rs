//! A model at a pose, and all that can be asked of two of them.

mod batch;
mod points;

use std::ops::ControlFlow;

use glam::DVec3;

use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::query::{
    self, ClosestPoints, CollisionRequest, ContactPoint, Contacts, MinimumTranslation, NearPair,
    Overlap, Penetration, QueryOptions, Separation, TrianglePair, Want, Witness,
};
use crate::internal::volume::Aabb;
use crate::scratch;

pub use batch::{contacts_batch, intersects_batch};

/// A model at a pose: the argument of all queries. Made by [`Model::at`]; a `&Model` counts as a
/// model at the origin.
///
/// Queries need no scratch memory from the caller: each thread keeps its own between calls, so a
/// query allocates only what it returns. All of them are exact and symmetric, as the [crate's front
/// page](crate#what-an-answer-means) says.
///
/// ```
/// use elbowroom::{Mesh, Model, Pose};
/// use glam::DVec3;
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let model = Model::new(Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?);
/// let beside = Pose::from_translation(DVec3::X * 1.5)?;
/// assert!(!model.at(beside).intersects(&model));
/// assert_eq!(model.at(beside).distance(&model), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Posed<'a> {
    pub(crate) model: &'a Model,
    pub(crate) pose: Pose,
}

impl<'a> From<&'a Model> for Posed<'a> {
    fn from(model: &'a Model) -> Self {
        Self { model, pose: Pose::IDENTITY }
    }
}

impl<'a> From<&Posed<'a>> for Posed<'a> {
    fn from(posed: &Posed<'a>) -> Self {
        *posed
    }
}

fn asking(want: Want) -> CollisionRequest {
    CollisionRequest { want, ..CollisionRequest::default() }
}

impl<'a> Posed<'a> {
    /// The model.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let model = Model::new(mesh);
    /// assert_eq!(model.at(Pose::IDENTITY).model().mesh().triangles().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The pose.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let model = Model::new(mesh);
    /// assert_eq!(model.at(Pose::IDENTITY).pose(), &Pose::IDENTITY);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Whether two models have a point in common. Touching counts. Surfaces are compared: a model
    /// wholly inside another one does not intersect it; ask [`query`](Self::query) about solids.
    ///
    /// The fastest query: it ends with the first pair of triangles that meet.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// let corner_to_corner = Pose::from_translation(DVec3::X)?;
    /// assert!(model.at(corner_to_corner).intersects(&model));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn intersects<'b>(self, other: impl Into<Posed<'b>>) -> bool {
        self.answer(&other.into(), Want::Any).is_contact()
    }

    /// Whether two models have a point in common, for pairs that are tested again and again while
    /// they move: the two triangles that met last time (the witness) are tested first. The answer
    /// does not depend on the witness, and a witness of another pair is harmless.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, Witness};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// let mut witness = Witness::default();
    /// for step in 0..10 {
    ///     let pose = Pose::from_translation(DVec3::X * (0.05 * f64::from(step)))?;
    ///     assert!(model.at(pose).intersects_again(&model, &mut witness));
    /// }
    /// assert_eq!(witness.reused, 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn intersects_again<'b>(self, other: impl Into<Posed<'b>>, witness: &mut Witness) -> bool {
        let other = other.into();
        scratch::workspace(|workspace| {
            let (a, b) = (self.model, other.model);
            query::intersects_again(a, &self.pose, b, &other.pose, witness, workspace)
        })
    }

    /// Every pair of triangles that meet, and the kind of contact of the two surfaces.
    ///
    /// ```
    /// use elbowroom::{ContactKind, Mesh, Model, Pose};
    /// use glam::{DQuat, DVec3};
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// let upright = Pose::from_quat(DQuat::from_rotation_x(1.5), DVec3::new(0.1, 0.3, -0.5))?;
    /// let contacts = model.at(upright).contacts(&model);
    /// assert_eq!(contacts.kind, Some(ContactKind::Crossing));
    /// assert_eq!((contacts.pairs[0].a, contacts.pairs[0].b), (0, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts<'b>(self, other: impl Into<Posed<'b>>) -> Contacts {
        self.query(other, &QueryOptions::KIND.pairs())
    }

    /// The number of pairs of triangles that meet, without a list of them.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// assert_eq!(model.posed().contact_count(&model), 1);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn contact_count<'b>(self, other: impl Into<Posed<'b>>) -> u64 {
        self.answer(&other.into(), Want::Count).count()
    }

    /// One pair of triangles that meet: the first that is found, and the same one every time.
    /// `None` if the models do not intersect.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// assert!(model.posed().first_contact(&model).is_some());
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn first_contact<'b>(self, other: impl Into<Posed<'b>>) -> Option<TrianglePair> {
        self.answer(&other.into(), Want::First).pairs.first().copied()
    }

    /// Calls a visitor with each pair of triangles that meet, as it is found, until the visitor
    /// breaks. The order is not sorted, but the same every time. Returns what the visitor returned
    /// last.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// let mut seen = 0;
    /// let flow = model.posed().visit_contacts(&model, |_| {
    ///     seen += 1;
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!((seen, flow), (1, ControlFlow::Continue(())));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn visit_contacts<'b>(
        self,
        other: impl Into<Posed<'b>>,
        visitor: impl FnMut(TrianglePair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let other = other.into();
        scratch::workspace(|workspace| {
            query::visit(self.model, &self.pose, other.model, &other.pose, workspace, visitor)
        })
    }

    /// The point where two triangles meet, and the direction that separates them.
    ///
    /// # Panics
    /// If a model has no such triangle.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let floor = Mesh::new(vec![DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0], vec![[0, 1, 2]])?;
    /// let pin = [[1.0, 1.0, -0.25], [0.5, 1.0, 1.0], [1.5, 1.0, 1.0]].map(DVec3::from_array);
    /// let (floor, pin) = (Model::new(floor), Model::new(Mesh::new(pin.to_vec(), vec![[0, 1, 2]])?));
    /// let pair = floor.posed().first_contact(&pin).expect("they cross");
    /// let contact = floor.posed().contact_point(&pin, pair);
    /// assert!(contact.point.abs_diff_eq(DVec3::new(1.0, 1.0, 0.0), 1e-12));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn contact_point<'b>(
        self,
        other: impl Into<Posed<'b>>,
        pair: TrianglePair,
    ) -> ContactPoint {
        let other = other.into();
        query::contact(self.model, &self.pose, other.model, &other.pose, pair)
    }

    /// Everything that [`QueryOptions`] can ask for, in one call: surfaces or solids, the kind of
    /// contact, clearance, regions with their curves, distance, penetration depth, overlap volume.
    ///
    /// ```
    /// use elbowroom::{ContactKind, Inside, Mesh, Model, Pose, QueryOptions};
    /// use glam::DVec3;
    ///
    /// let tetrahedron = |size: f64| {
    ///     let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p * size);
    ///     Mesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    /// };
    /// let (cup, crate_) = (Model::new(tetrahedron(0.1)?), Model::new(tetrahedron(4.0)?));
    /// let cup = cup.at(Pose::from_translation(DVec3::splat(0.5))?);
    /// assert_eq!(cup.query(&crate_, &QueryOptions::KIND).kind, Some(ContactKind::Clear));
    /// let solids = cup.query(&crate_, &QueryOptions::KIND.solid());
    /// assert_eq!(solids.kind, Some(ContactKind::Containment));
    /// assert_eq!(solids.inside, Some(Inside::First));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn query<'b>(self, other: impl Into<Posed<'b>>, options: &QueryOptions) -> Contacts {
        let other = other.into();
        scratch::workspace(|workspace| {
            query::query(self.model, &self.pose, other.model, &other.pose, options, workspace)
        })
    }

    /// The distance of the surfaces, to within 2⁻³⁰ of itself; zero exactly if they intersect.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// assert_eq!(model.at(Pose::from_translation(DVec3::Z * 0.25)?).distance(&model), 0.25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn distance<'b>(self, other: impl Into<Posed<'b>>) -> f64 {
        self.closest_points(other).distance
    }

    /// The two points that are nearest to each other, and their triangles. The distance is infinite
    /// if it is beyond f64.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let floor = Mesh::new(vec![DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0], vec![[0, 1, 2]])?;
    /// let point = Mesh::new(vec![DVec3::ONE], vec![[0, 0, 0]])?;
    /// let closest = Model::new(floor).posed().closest_points(&Model::new(point));
    /// assert_eq!(closest.point_a, DVec3::new(1.0, 1.0, 0.0));
    /// assert_eq!(closest.point_b, DVec3::ONE);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn closest_points<'b>(self, other: impl Into<Posed<'b>>) -> ClosestPoints {
        let none = ClosestPoints {
            distance: f64::INFINITY,
            a: 0,
            b: 0,
            point_a: self.pose.translation(),
            point_b: self.pose.translation(),
        };
        // Every mesh has a triangle: only a distance beyond f64 is not found.
        self.closest_points_within(other, f64::INFINITY).unwrap_or(none)
    }

    /// The two points that are nearest to each other. `None` if they are farther apart than a
    /// limit; the smaller the limit, the sooner that is known.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// let above = model.at(Pose::from_translation(DVec3::Z)?);
    /// assert!(above.closest_points_within(&model, 0.9).is_none());
    /// assert!(above.closest_points_within(&model, 1.0).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn closest_points_within<'b>(
        self,
        other: impl Into<Posed<'b>>,
        limit: f64,
    ) -> Option<ClosestPoints> {
        let other = other.into();
        scratch::workspace(|workspace| {
            query::distance(self.model, &self.pose, other.model, &other.pose, limit, workspace)
        })
    }

    /// Whether the distance of two models is at most a clearance.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// let above = model.at(Pose::from_translation(DVec3::Z * 0.5)?);
    /// assert!(above.is_within(&model, 0.5) && !above.is_within(&model, 0.49));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_within<'b>(self, other: impl Into<Posed<'b>>, clearance: f64) -> bool {
        let other = other.into();
        scratch::workspace(|workspace| {
            let (a, b) = (self.model, other.model);
            query::is_nearer(a, &self.pose, b, &other.pose, clearance, workspace)
        })
    }

    /// Every pair of triangles whose distance is at most a clearance, with that distance.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// let above = model.at(Pose::from_translation(DVec3::Z * 0.5)?);
    /// assert_eq!(above.pairs_within(&model, 1.0)[0].distance, 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pairs_within<'b>(self, other: impl Into<Posed<'b>>, clearance: f64) -> Vec<NearPair> {
        let other = other.into();
        scratch::workspace(|workspace| {
            let (a, b) = (self.model, other.model);
            query::all_nearer(a, &self.pose, b, &other.pose, clearance, workspace)
        })
    }

    /// The penetration depth of two solids: how deep the deepest point of either boundary is inside
    /// the other solid, between proved bounds.
    ///
    /// If a mesh is not closed, the depth is an estimate, and `certainty` says so.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let model = Model::new(Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?);
    /// let deep = model.at(Pose::from_translation(DVec3::X * 0.8)?).penetration(&model);
    /// assert!(deep.lower > 0.0 && deep.upper - deep.lower < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn penetration<'b>(self, other: impl Into<Posed<'b>>) -> Penetration {
        let other = other.into();
        scratch::workspace(|workspace| {
            query::penetration(self.model, &self.pose, other.model, &other.pose, None, workspace)
        })
    }

    /// The overlap of two solids: the volume that they have in common, and the areas of their
    /// boundaries in each other.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let model = Model::new(Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?);
    /// let overlap = model.posed().overlap(&model);
    /// assert!((overlap.volume - 1.0 / 6.0).abs() < 1e-12);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn overlap<'b>(self, other: impl Into<Posed<'b>>) -> Overlap {
        let other = other.into();
        scratch::workspace(|workspace| {
            query::overlap(self.model, &self.pose, other.model, &other.pose, workspace)
        })
    }

    /// The smallest translation of this solid that frees it of the other one, between bounds: exact
    /// for convex solids, bounded for others.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let model = Model::new(Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?);
    /// let moved = model.at(Pose::from_translation(DVec3::X * 0.9)?);
    /// let out = moved.minimum_translation(&model);
    /// assert!(out.is_convex && out.lower <= out.upper);
    /// let free = Pose::from_translation(DVec3::X * 0.9 + out.direction * (out.upper + 1e-9))?;
    /// assert!(!model.at(free).intersects(&model));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn minimum_translation<'b>(self, other: impl Into<Posed<'b>>) -> MinimumTranslation {
        let other = other.into();
        scratch::workspace(|workspace| {
            query::minimum_translation(self.model, &self.pose, other.model, &other.pose, workspace)
        })
    }

    /// The shortest move of this solid along a direction that frees it from the other one. `None`
    /// if the direction is zero or not finite.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let model = Model::new(Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?);
    /// let along = model.posed().separation(&model, DVec3::X).expect("a direction");
    /// assert!((along.upper - 1.0).abs() < 1e-8);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn separation<'b>(
        self,
        other: impl Into<Posed<'b>>,
        direction: DVec3,
    ) -> Option<Separation> {
        let other = other.into();
        scratch::workspace(|workspace| {
            let (a, b) = (self.model, other.model);
            query::separation(a, &self.pose, b, &other.pose, direction, workspace)
        })
    }

    /// A box along the world's axes that holds the model; a little larger than the smallest one
    /// where the pose rotates.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// assert_eq!(model.posed().bounds().max, DVec3::new(1.0, 1.0, 0.0));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let Aabb { min, max } = self.model.bounds();
        let corners = [min, max];
        let at = |i: usize| {
            let of = |axis: usize| corners[(i >> axis) & 1][axis];
            DVec3::new(of(0), of(1), of(2))
        };
        let corner = |half: usize| [0, 1, 2].map(|i| at(4 * half + i));
        let rest = [at(3), at(7), at(7)];
        let mut bounds = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
        for three in [corner(0), corner(1), rest] {
            let lost = self.pose.rounding(&three);
            for point in three.map(|point| self.pose.apply(point)) {
                bounds.min = bounds.min.min(point - lost);
                bounds.max = bounds.max.max(point + lost);
            }
        }
        bounds
    }

    fn answer(&self, other: &Posed<'_>, want: Want) -> query::CollisionResult {
        scratch::workspace(|workspace| {
            let (a, b) = (self.model, other.model);
            query::collide(a, &self.pose, b, &other.pose, &asking(want), workspace)
        })
    }
}
