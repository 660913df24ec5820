//! Answers as the named tuples of `elbowroom.results`. Those to a batch have arrays as fields, with the
//! axis of the poses first.

use elbowroom::{ClosestPoints, ContactKind, Inside, MinimumTranslation, Overlap, Penetration};
use elbowroom::{Region, Relation, Through, TimeOfImpact, TrianglePair, Winding};
use glam::DVec3;
use numpy::{Element, PyArray1, PyArray2};
use pyo3::IntoPyObjectExt;
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arrays;
use crate::work::Answers;

/// Makes a named tuple of `elbowroom.results`.
pub(crate) fn record<'py>(
    py: Python<'py>,
    class: &str,
    fields: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("elbowroom.results")?.getattr(class)?.call1(fields)
}

/// Fields of a named tuple, one after the other: a scalar of one answer, an array of many.
struct Fields<'a, 'py, T> {
    py: Python<'py>,
    answers: &'a Answers<T>,
    made: Vec<Bound<'py, PyAny>>,
}

impl<'a, 'py, T> Fields<'a, 'py, T> {
    fn new(py: Python<'py>, answers: &'a Answers<T>) -> Self {
        Self { py, answers, made: Vec::new() }
    }

    fn value<V>(mut self, of: impl Fn(&T) -> V) -> PyResult<Self>
    where
        V: Element + IntoPyObject<'py>,
    {
        let field = match self.answers {
            Answers::One(answer) => of(answer).into_bound_py_any(self.py)?,
            Answers::Many(answers) => {
                PyArray1::from_vec(self.py, answers.iter().map(of).collect()).into_any()
            }
        };
        self.made.push(field);
        Ok(self)
    }

    fn vector(mut self, of: impl Fn(&T) -> DVec3) -> PyResult<Self> {
        let field = match self.answers {
            Answers::One(answer) => arrays::vector(self.py, of(answer)).into_any(),
            Answers::Many(answers) => arrays::vectors(self.py, answers.iter().map(of))?.into_any(),
        };
        self.made.push(field);
        Ok(self)
    }

    fn made(self, class: &str) -> PyResult<Bound<'py, PyAny>> {
        let fields = pyo3::types::PyTuple::new(self.py, self.made)?;
        record(self.py, class, fields)
    }
}

/// A scalar, or an array of them.
pub(crate) fn values<'py, T>(py: Python<'py>, answers: Answers<T>) -> PyResult<Bound<'py, PyAny>>
where
    T: Element + IntoPyObject<'py>,
{
    match answers {
        Answers::One(value) => value.into_bound_py_any(py),
        Answers::Many(values) => Ok(PyArray1::from_vec(py, values).into_any()),
    }
}

pub(crate) fn closest_points<'py>(
    py: Python<'py>,
    answers: &Answers<ClosestPoints>,
) -> PyResult<Bound<'py, PyAny>> {
    Fields::new(py, answers)
        .value(|it| it.distance)?
        .vector(|it| it.point_a)?
        .vector(|it| it.point_b)?
        .value(|it| it.a)?
        .value(|it| it.b)?
        .made("ClosestPoints")
}

/// The deeper of the two sides of a penetration.
fn deepest(it: &Penetration) -> Option<(bool, elbowroom::PenetrationSite)> {
    let (a, b) = (&it.a_in_b, &it.b_in_a);
    let is_of_a = a.lower >= b.lower;
    let side = if is_of_a { a } else { b };
    side.site.map(|site| (is_of_a, site))
}

pub(crate) fn penetration<'py>(
    py: Python<'py>,
    answers: &Answers<Penetration>,
) -> PyResult<Bound<'py, PyAny>> {
    let nowhere = DVec3::NAN;
    Fields::new(py, answers)
        .value(|it| it.lower)?
        .value(|it| it.upper)?
        .vector(|it| deepest(it).map_or(nowhere, |(_, site)| site.point))?
        .vector(|it| deepest(it).map_or(nowhere, |(_, site)| site.foot))?
        .value(|it| deepest(it).is_some_and(|(is_of_a, _)| is_of_a))?
        .value(|it| deepest(it).map_or(-1, |(_, site)| i64::from(site.triangle)))?
        .value(|it| deepest(it).map_or(-1, |(_, site)| i64::from(site.other)))?
        .value(|it| it.a_in_b.lower)?
        .value(|it| it.b_in_a.lower)?
        .value(|it| it.is_overlap)?
        .value(|it| it.certainty.is_exact())?
        .made("Penetration")
}

pub(crate) fn overlap<'py>(
    py: Python<'py>,
    answers: &Answers<Overlap>,
) -> PyResult<Bound<'py, PyAny>> {
    Fields::new(py, answers)
        .value(|it| it.volume)?
        .value(|it| it.volume_error)?
        .value(|it| it.a.inside)?
        .value(|it| it.b.inside)?
        .value(|it| it.a.shared)?
        .value(|it| it.a.against)?
        .value(|it| it.a.error.max(it.b.error))?
        .value(|it| it.certainty.is_exact())?
        .made("Overlap")
}

pub(crate) fn minimum_translation<'py>(
    py: Python<'py>,
    answers: &Answers<MinimumTranslation>,
) -> PyResult<Bound<'py, PyAny>> {
    Fields::new(py, answers)
        .vector(|it| it.direction * it.upper)?
        .value(|it| it.lower)?
        .value(|it| it.upper)?
        .value(|it| it.is_convex)?
        .value(|it| it.certainty.is_exact())?
        .made("MinimumTranslation")
}

pub(crate) fn through<'py>(
    py: Python<'py>,
    answers: &Answers<Through>,
) -> PyResult<Bound<'py, PyAny>> {
    Fields::new(py, answers)
        .value(|it| it.a_through_b)?
        .value(|it| it.b_through_a)?
        .value(|it| it.certainty.is_exact())?
        .made("Through")
}

/// What `contacts` returns.
pub(crate) struct Found {
    pub(crate) pairs: Vec<TrianglePair>,
    pub(crate) kind: ContactKind,
    pub(crate) inside: Option<Inside>,
    pub(crate) is_exact: bool,
}

/// A place in a list, as NumPy counts.
#[expect(clippy::cast_possible_wrap, reason = "no list has 2^63 entries")]
pub(crate) fn offset(place: usize) -> i64 {
    place as i64
}

pub(crate) fn contacts<'py>(
    py: Python<'py>,
    answers: &Answers<Found>,
) -> PyResult<Bound<'py, PyAny>> {
    match answers {
        Answers::One(found) => record(py, "Contacts", one_contacts(py, found)?),
        Answers::Many(all) => {
            let mut offsets = vec![0_i64];
            offsets.extend(all.iter().scan(0, |sum, found| {
                *sum += offset(found.pairs.len());
                Some(*sum)
            }));
            let listed: Vec<_> = all.iter().flat_map(|found| &found.pairs).collect();
            let fields = (
                arrays::pairs(py, listed.iter().map(|pair| [pair.a, pair.b]))?,
                PyArray1::from_vec(py, listed.iter().map(|pair| crosses(pair)).collect()),
                PyArray1::from_vec(py, offsets),
                PyArray1::from_vec(py, all.iter().map(|found| found.kind as u8).collect()),
                PyArray1::from_vec(py, all.iter().map(|found| inside_code(found.inside)).collect()),
                PyArray1::from_vec(py, all.iter().map(|found| found.is_exact).collect()),
            );
            record(py, "BatchContacts", fields)
        }
    }
}

type ContactFields<'py> = (
    Bound<'py, PyArray2<u32>>,
    Bound<'py, PyArray1<bool>>,
    &'static str,
    Option<&'static str>,
    bool,
);

fn one_contacts<'py>(py: Python<'py>, found: &Found) -> PyResult<ContactFields<'py>> {
    Ok((
        arrays::pairs(py, found.pairs.iter().map(|pair| [pair.a, pair.b]))?,
        PyArray1::from_vec(py, found.pairs.iter().map(crosses).collect()),
        found.kind.name(),
        inside_name(found.inside),
        found.is_exact,
    ))
}

/// Pairs of triangles, and which of them cross.
pub(crate) type PairFields<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray1<bool>>);

pub(crate) fn pairs<'py>(py: Python<'py>, pairs: &[TrianglePair]) -> PyResult<PairFields<'py>> {
    let crossing = PyArray1::from_vec(py, pairs.iter().map(crosses).collect());
    Ok((arrays::pairs(py, pairs.iter().map(|pair| [pair.a, pair.b]))?, crossing))
}

fn crosses(pair: &TrianglePair) -> bool {
    pair.relation == Relation::Crossing
}

fn inside_name(inside: Option<Inside>) -> Option<&'static str> {
    inside.map(|inside| match inside {
        Inside::First => "a",
        Inside::Second => "b",
        Inside::Each => "both",
    })
}

fn inside_code(inside: Option<Inside>) -> u8 {
    match inside {
        None => 0,
        Some(Inside::First) => 1,
        Some(Inside::Second) => 2,
        Some(Inside::Each) => 3,
    }
}

pub(crate) fn regions<'py>(
    py: Python<'py>,
    answers: &Answers<Vec<Region>>,
) -> PyResult<Bound<'py, PyAny>> {
    let list = |regions: &Vec<Region>| -> PyResult<Bound<'py, PyList>> {
        let regions = regions.iter().map(|it| region(py, it)).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, regions)
    };
    match answers {
        Answers::One(regions) => Ok(list(regions)?.into_any()),
        Answers::Many(all) => {
            let all = all.iter().map(list).collect::<PyResult<Vec<_>>>()?;
            Ok(PyList::new(py, all)?.into_any())
        }
    }
}

fn region<'py>(py: Python<'py>, it: &Region) -> PyResult<Bound<'py, PyAny>> {
    let curves = it.curves.iter().map(|curve| {
        // A closed curve ends where it begins.
        let end = curve.points.first().filter(|_| curve.is_closed);
        let points: Vec<_> = curve.points.iter().chain(end).copied().collect();
        arrays::vectors(py, points.into_iter())
    });
    let curves = PyList::new(py, curves.collect::<PyResult<Vec<_>>>()?)?;
    let fields = (
        arrays::vector(py, it.point),
        arrays::vector(py, it.normal),
        it.length,
        it.area,
        arrays::vector(py, it.low),
        arrays::vector(py, it.high),
        PyArray1::from_slice(py, &it.triangles_a),
        PyArray1::from_slice(py, &it.triangles_b),
        it.touching,
        it.crossing,
        curves,
    );
    record(py, "Region", fields)
}

pub(crate) fn impacts<'py>(
    py: Python<'py>,
    answers: &Answers<Option<TimeOfImpact>>,
) -> PyResult<Bound<'py, PyAny>> {
    let point = |it: &Option<TimeOfImpact>, side: usize| {
        it.map_or(DVec3::NAN, |impact| impact.points[side])
    };
    let triangle = |triangle: Option<u32>| triangle.map_or(-1, i64::from);
    Fields::new(py, answers)
        .value(|it| it.map_or(f64::INFINITY, |impact| impact.time))?
        .value(|it| it.map_or(f64::NAN, |impact| impact.separation))?
        .vector(|it| point(it, 0))?
        .vector(|it| point(it, 1))?
        .value(|it| triangle(it.map(|impact| impact.a)))?
        .value(|it| triangle(it.map(|impact| impact.b)))?
        .made("TimeOfImpact")
}

pub(crate) fn windings<'py>(py: Python<'py>, all: &[Winding]) -> PyResult<Bound<'py, PyAny>> {
    let fields = (
        PyArray1::from_vec(py, all.iter().map(|it| it.number).collect()),
        PyArray1::from_vec(py, all.iter().map(|it| it.on_surface).collect()),
        PyArray1::from_vec(py, all.iter().map(|it| it.on_surface || it.is_inside()).collect()),
        all.iter().all(|it| it.certainty.is_exact()),
    );
    record(py, "Windings", fields)
}
