//! A performer as a crowd uses it: footprints that are good for an interval of its clip.
//!
//! A footprint takes milliseconds to make and a microsecond to ask. Made of all poses of an
//! interval at once, it bounds each of them, and a step of the crowd touches no mesh. Intervals are
//! made when a member is in one for the first time.

use std::sync::OnceLock;

use glam::{DVec2, DVec3};

use super::{Performer, Skinned};
use crate::body::{JointId, SkeletonPose, joints_of_triangles};
use crate::footprint::Footprint;

/// A performer with its intervals.
#[derive(Debug)]
pub(super) struct Role<'a> {
    pub(super) performer: Performer<'a>,
    /// Samples an interval.
    per: usize,
    spans: Vec<OnceLock<Span>>,
    pub(super) rest: SkeletonPose,
    prototype: OnceLock<Option<Skinned<'a>>>,
    joints: OnceLock<Vec<JointId>>,
}

/// An interval of a clip, from above.
#[derive(Debug)]
pub(super) struct Span {
    pub(super) footprint: Footprint,
    pub(super) center: DVec2,
    pub(super) radius: f64,
    /// The largest circle that is met down to each level.
    sizes: Vec<f64>,
}

impl<'a> Role<'a> {
    pub(super) fn new(performer: Performer<'a>, seconds: f64) -> Self {
        let trace = performer.tracked().trace();
        let (dt, len) = (trace.dt(), trace.len());
        // The larger of NaN and 1 is 1.
        #[expect(clippy::cast_sign_loss, reason = "at least 1")]
        let per = ((seconds / dt).round().max(1.0) as usize).min(len);
        let spans = (0..len.div_ceil(per)).map(|_| OnceLock::new()).collect();
        let rest = performer.rig().rest_pose();
        let (prototype, joints) = (OnceLock::new(), OnceLock::new());
        Self { performer, per, spans, rest, prototype, joints }
    }

    /// A character to be posed; none if it has no triangles or is not finite at rest.
    pub(super) fn prototype(&self) -> Option<&Skinned<'a>> {
        self.prototype.get_or_init(|| Skinned::new(self.performer.rig()).ok()).as_ref()
    }

    /// For each triangle of its mesh, the joint whose region it belongs to.
    pub(super) fn joints(&self) -> &[JointId] {
        let parts = || self.performer.rig().parts.iter().flat_map(joints_of_triangles).collect();
        self.joints.get_or_init(parts)
    }

    /// How far any sample reaches from the origin, seen from above.
    pub(super) fn reach(&self) -> f64 {
        let samples = self.performer.tracked().trace().samples();
        samples.map(|sample| sample.center.length() + sample.radius).fold(0.0, f64::max)
    }

    /// The interval of a sample.
    pub(super) fn span_of(&self, sample: usize) -> usize {
        sample / self.per
    }

    pub(super) fn is_made(&self, span: usize) -> bool {
        self.spans[span].get().is_some()
    }

    /// An interval, made when first asked.
    pub(super) fn span(&self, span: usize) -> &Span {
        self.spans[span].get_or_init(|| {
            let from = span * self.per;
            let to = (from + self.per).min(self.performer.tracked().trace().len());
            Span::new(&self.performer, from..to)
        })
    }
}

impl Span {
    fn new(performer: &Performer<'_>, samples: std::ops::Range<usize>) -> Self {
        let (mut points, mut triangles): (Vec<DVec3>, Vec<[u32; 3]>) = Default::default();
        for sample in samples {
            let (mesh, first) = (performer.mesh(sample), points.len() as u32);
            points.extend_from_slice(mesh.vertices());
            triangles.extend(mesh.triangles().iter().map(|t| t.map(|corner| corner + first)));
        }
        let footprint = Footprint::new(&points, &triangles, performer.footprints());
        let whole = footprint.whole();
        let (center, radius) = (whole.center, whole.radius);
        let (tree, column) = (footprint.tree(), footprint.column());
        let mut sizes: Vec<f64> = Vec::new();
        for node in tree.nodes() {
            let level = tree.level(node) as usize;
            sizes.resize(sizes.len().max(level + 1), 0.0);
            sizes[level] = sizes[level].max(column[node].radius);
        }
        // A leaf is met on all levels below its own.
        for node in tree.nodes().filter(|&node| tree.children(node).is_none()) {
            for size in &mut sizes[tree.level(node) as usize..] {
                *size = size.max(column[node].radius);
            }
        }
        Self { footprint, center, radius, sizes }
    }

    /// The first level on which no circle is larger; none if only the leaves will do.
    pub(super) fn level_below(&self, size: f64) -> Option<u32> {
        self.sizes.iter().position(|&largest| largest <= size).map(|level| level as u32)
    }
}
