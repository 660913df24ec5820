//! What is asked of one model at a pose: points and rays.

use glam::DVec3;

use super::Posed;
use crate::internal::query::{self, ClosestPoint, Ray, RayHit, Winding};
use crate::scratch;

impl Posed<'_> {
    /// How often the surface winds around a point of the world, and whether the point is on it.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let model = Model::new(Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?);
    /// assert_eq!(model.posed().winding(DVec3::splat(0.25)).number, 1.0);
    /// assert!(model.posed().winding(DVec3::ZERO).on_surface);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn winding(self, point: DVec3) -> Winding {
        scratch::workspace(|workspace| query::winding(self.model, &self.pose, point, workspace))
    }

    /// Whether a point of the world is inside the solid or on its surface.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let model = Model::new(Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?);
    /// assert!(model.posed().contains(DVec3::splat(0.25)) && model.posed().contains(DVec3::ZERO));
    /// assert!(!model.posed().contains(DVec3::ONE));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn contains(self, point: DVec3) -> bool {
        let winding = self.winding(point);
        winding.on_surface || winding.is_inside()
    }

    /// The point of the surface that is nearest to a point of the world. `None` if that point is
    /// not finite.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// let closest = model.posed().closest_point(DVec3::new(0.25, 0.25, 2.0)).expect("finite");
    /// assert_eq!((closest.distance, closest.point), (2.0, DVec3::new(0.25, 0.25, 0.0)));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn closest_point(self, point: DVec3) -> Option<ClosestPoint> {
        scratch::workspace(|workspace| {
            query::nearest(self.model, &self.pose, point, f64::INFINITY, workspace)
        })
    }

    /// The first triangle that a ray hits: of several at one point, the lowest number.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Ray};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// let down = Ray::new(DVec3::new(0.25, 0.25, 3.0), DVec3::new(0.25, 0.25, -1.0))?;
    /// let hit = model.posed().ray_cast(&down).expect("a hit");
    /// assert_eq!((hit.triangle, hit.fraction), (0, 0.75));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ray_cast(self, ray: &Ray) -> Option<RayHit> {
        scratch::workspace(|workspace| {
            query::cast_nearest(self.model, &self.pose, ray, workspace).0
        })
    }

    /// All triangles that a ray hits, by fraction and then by number.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Ray};
    /// use glam::DVec3;
    ///
    /// let square = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
    /// let model = Model::new(Mesh::new(square, vec![[0, 1, 2], [0, 2, 3]])?);
    /// let through_the_edge = Ray::new(DVec3::new(0.5, 0.5, 1.0), DVec3::new(0.5, 0.5, -1.0))?;
    /// assert_eq!(model.posed().ray_cast_all(&through_the_edge).len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ray_cast_all(self, ray: &Ray) -> Vec<RayHit> {
        scratch::workspace(|workspace| query::cast_all(self.model, &self.pose, ray, workspace).0)
    }
}
