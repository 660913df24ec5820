"""What goes in: every kind of array gives the right answer, or an error that names what is wrong."""

from __future__ import annotations

import array
import warnings
from typing import Any, Callable, List

import numpy as np
import pytest
from conftest import CORNERS, FACES, python, same, shifted

import elbowroom as er
from elbowroom import errors

FLOATS = ["f2", "f4", "f8", ">f2", ">f4", ">f8", "<f8", "longdouble"]
WHOLE = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i2", ">i4", ">i8", ">u4", ">u8"]


def unaligned(values: np.ndarray) -> np.ndarray:
    memory = np.zeros(values.nbytes + 1, dtype=np.uint8)
    view = memory[1:].view(values.dtype).reshape(values.shape)
    view[...] = values
    assert not view.flags.aligned
    return view


def read_only(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values.flags.writeable = False
    return values


class Unlike:
    """Something that is an array by `__array__` alone."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.values if dtype is None else self.values.astype(dtype)


GUISES: "List[Callable[[np.ndarray], Any]]" = [
    lambda it: it,
    np.asfortranarray,
    unaligned,
    read_only,
    lambda it: it[::-1][::-1],
    lambda it: np.repeat(it, 2, axis=0)[::2],
    lambda it: np.concatenate([it, it], axis=-1)[..., : it.shape[-1]],
    lambda it: it.tolist(),
    lambda it: tuple(map(tuple, it.tolist())) if it.ndim == 2 else it.tolist(),
    lambda it: list(it),
    memoryview,
    lambda it: memoryview(np.asfortranarray(it)),
    np.ma.masked_array,
    np.asmatrix,
    Unlike,
]


def guise(make: Callable[[np.ndarray], Any], values: np.ndarray) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Matrices are deprecated in NumPy, and still about.
        return make(values) if values.ndim == 2 or make is not np.asmatrix else values


@pytest.mark.parametrize("number", range(len(GUISES)))
def test_any_guise_of_an_array_is_the_same_array(number: int, tetra: er.Model) -> None:
    make = GUISES[number]
    model = er.Model(guise(make, CORNERS), guise(make, FACES))
    assert same(model.vertices, tetra.vertices) and same(model.faces, tetra.faces)
    pose, poses = shifted(0.25, 0.5, 0), np.stack([shifted(0.25, 0, 0), shifted(3, 0, 0)])
    assert same(tetra.contacts(tetra, guise(make, pose)), tetra.contacts(tetra, pose))
    assert same(tetra.distance(tetra, None, guise(make, poses)), tetra.distance(tetra, None, poses))
    points = np.array([[0.1, 0.1, 0.1], [3, 3, 3]])
    assert tetra.inside(guise(make, points)).tolist() == [True, False]
    pairs = np.array([[0, 1], [3, 2]])
    found = tetra.contact_points(tetra, guise(make, pairs))
    assert same(found, tetra.contact_points(tetra, pairs))


@pytest.mark.parametrize("dtype", FLOATS + WHOLE)
def test_numbers_of_any_type_are_the_same_numbers(dtype: str, tetra: er.Model) -> None:
    corners = CORNERS.astype(dtype)
    assert same(er.Model(corners, FACES).vertices, tetra.vertices)
    pose = np.eye(4).astype(dtype)
    assert tetra.intersects(tetra, pose) and tetra.intersects(tetra, pose[None]).tolist() == [True]
    if np.dtype(dtype).kind in "iu":
        assert same(er.Model(CORNERS, FACES.astype(dtype)).faces, tetra.faces)
    else:
        with pytest.raises(er.ArrayError, match="faces has the type .*whole numbers"):
            er.Model(CORNERS, FACES.astype(dtype))


@pytest.mark.parametrize("dtype", ["f2", "f4", ">f4"])
def test_short_floats_are_not_rounded(dtype: str) -> None:
    corners = (CORNERS + np.array([0.1, 0.7, 1 / 3])).astype(dtype)
    model, doubles = er.Model(corners, FACES), er.Model(corners.astype("f8"), FACES)
    assert same(model.vertices, corners.astype(np.float64))
    other = er.Model(CORNERS, FACES)
    assert same(model.overlap(other), doubles.overlap(other))
    assert same(model.closest_points(other), doubles.closest_points(other))
    points = np.random.default_rng(3).uniform(0, 1, (50, 3)).astype("f4")
    assert same(model.winding(points), model.winding(points.astype("f8")))


def test_what_no_double_is_equal_to_is_refused(tetra: er.Model) -> None:
    with pytest.raises(er.ArrayError, match="vertices has numbers of type int64 that no double"):
        er.Model(np.array([[2**53 + 1, 0, 0], [0, 1, 0], [0, 0, 1]]), [[0, 1, 2]])
    er.Model(np.array([[2**53, 0, 0], [0, 1, 0], [0, 0, 1]]), [[0, 1, 2]])
    if np.finfo(np.longdouble).nmant > 52:
        third = np.full((3, 3), np.longdouble(1) / 3)
        with pytest.raises(er.ArrayError, match="points has numbers of type"):
            tetra.inside(third)


BAD_POINTS = [
    (None, "is None"),
    ("abc", "is 'abc'"),
    (b"abc", "is b'abc'"),
    (3.0, "the shape ()"),
    (np.float64(3), "the shape ()"),
    ([1, 2], "the shape (2,)"),
    ([[1, 2]], "the shape (1, 2)"),
    ([[1, 2, 3, 4]], "the shape (1, 4)"),
    ([[[1, 2, 3]]], "the shape (1, 1, 3)"),
    (np.zeros((1,) * 9 + (3,)), "the shape (1, 1, 1, 1, 1, 1, 1, 1, 1, 3)"),
    ([[1, 2, 3], [1, 2]], ""),
    ([[1, 2, "x"]], "the type <U"),
    ([[True, False, True]], "the type bool"),
    ([[1j, 2, 3]], "the type complex128"),
    (np.array([[1, 2, None]]), "array of objects"),
    (np.array([[1, 2, 3]], dtype=object), "array of objects"),
    (np.zeros((2, 3), dtype="datetime64[s]"), "the type datetime64"),
    (np.zeros((2, 3), dtype="timedelta64[s]"), "the type timedelta64"),
    (np.zeros(2, dtype=[("x", "f8"), ("y", "f8"), ("z", "f8")]), "the type [("),
    (np.zeros((2, 3), dtype="V8"), "the type |V8"),
    (np.ma.masked_array([[1.0, 2, 3]], mask=[[0, 1, 0]]), "masked"),
    (object(), "array of objects"),
    (iter([[1, 2, 3]]), "array of objects"),
    ({"x": 1}, "array of objects"),
    (array.array("d", [1, 2]), "the shape (2,)"),
]


@pytest.mark.parametrize("number", range(len(BAD_POINTS)))
def test_bad_points_are_named(number: int, tetra: er.Model, soft: er.DeformableModel) -> None:
    bad, what = BAD_POINTS[number]
    world = er.World()
    world.add("soft", soft)
    asks = {
        "points": [tetra.inside, tetra.winding, tetra.closest_point],
        "origins": [
            lambda it: tetra.ray_cast(it, [0, 0, 1]),
            lambda it: world.ray_cast(it, [1, 0, 0]),
        ],
        "directions": [lambda it: tetra.ray_cast([0, 0, 1], it)],
        "vertices": [
            lambda it: er.Model(it, FACES),
            lambda it: er.DeformableModel(it, FACES),
            soft.refit,
            lambda it: world.refit("soft", it),
        ],
    }
    for name, all_asks in asks.items():
        for ask in all_asks:
            with pytest.raises(er.ElbowroomError) as caught:
                ask(bad)
            text = str(caught.value)
            assert isinstance(caught.value, ValueError)
            assert name in text and what in text, (name, what, text)
    assert same(soft.vertices, CORNERS)


def test_a_vertex_that_is_not_finite_is_named(soft: er.DeformableModel) -> None:
    bad = CORNERS.copy()
    bad[2, 1] = np.nan
    for ask in (lambda: er.Model(bad, FACES), lambda: soft.refit(bad)):
        with pytest.raises(er.MeshError, match="vertex 2") as caught:
            ask()
        assert caught.value.vertex == 2
    with pytest.raises(er.MeshError):
        soft.refit(CORNERS[:3])
    for ask in (soft.inside, soft.winding, soft.closest_point):
        with pytest.raises(er.ArrayError, match="point 1 is .*not finite"):
            ask([[0, 0, 0], [0, np.inf, 0]])
    for rays in (([0, 0, 0], [0, np.nan, 0]), ([-np.inf, 0, 0], [0, 1, 0])):
        with pytest.raises(er.RayError, match="ray 0: .*finite") as of_a_ray:
            soft.ray_cast(*rays)
        assert of_a_ray.value.ray == 0


BAD_FACES = [
    (None, er.ArrayError, ""),
    ("abc", er.ArrayError, "faces is 'abc'"),
    (3, er.ArrayError, "faces has the shape ()"),
    (object(), er.ArrayError, "faces"),
    (np.array(None, dtype=object), er.ArrayError, "faces"),
    (iter([]), er.MeshError, "no triangles"),
    ({"a": 1}, er.ArrayError, "faces"),
    ([0, 1, 2], er.ArrayError, "faces has the shape (3,)"),
    ([[0, 1]], er.ArrayError, "faces has the shape (1, 2)"),
    ([[[0, 1, 2]]], er.ArrayError, "faces has the shape (1, 1, 3)"),
    ([[0.0, 1.0, 2.0]], er.ArrayError, "faces has the type float64"),
    ([[True, False, True]], er.ArrayError, "faces has the type bool"),
    ([[0, 1, -1]], er.MeshError, "face 0 of faces names vertex -1, which is negative"),
    ([[0, 1, 2], [0, 1, 4]], er.MeshError, "face 1"),
    ([[0, 1, 2**32]], er.MeshError, "vertex 4294967296"),
    ([[0, 1, 2**63 - 1]], er.MeshError, "vertex 9223372036854775807"),
    (np.array([[0, 1, 2**64 - 1]], dtype=np.uint64), er.MeshError, "vertex 18446744073709551615"),
    ([[0, 1, 2**32 - 1]], er.MeshError, "face 0"),
    ([[0, 1, 2**70]], er.ArrayError, "face"),
    ([], er.MeshError, ""),
    (np.zeros((0, 3), dtype=int), er.MeshError, ""),
    ([[0, 1, 2], [0, 1, 2, 3], []], er.MeshError, "face 2"),
    ([[0, 1, 2], [0, 1, 2, 9]], er.MeshError, "face 1"),
    ([[0, 1, 2], [0, 1, 2, -9]], er.MeshError, "face 1 of faces names vertex -9"),
    ([[0, 1, 2], [0, 1, 2, 0.5]], er.ArrayError, "face 1 of faces"),
    ([[0, 1, 2], "abc"], er.ArrayError, "face"),
    ([[0, 1, 2], None], er.ArrayError, "face"),
    ([[0, 1, 2], [[0, 1], [2, 3]]], er.ArrayError, "face"),
]


@pytest.mark.parametrize("number", range(1, len(BAD_FACES)))
def test_bad_faces_are_named(number: int) -> None:
    bad, error, what = BAD_FACES[number]
    for make in (er.Model, er.DeformableModel):
        with pytest.raises(error) as caught:
            make(CORNERS, bad)
        assert what in str(caught.value), str(caught.value)


def test_polygons_are_cut_into_triangles(tetra: er.Model) -> None:
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    assert er.Model(square, [[0, 1, 2, 3]]).faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert len(er.Model(square, np.array([[0, 1, 2, 3]], dtype=">u2")).faces) == 2
    assert len(er.Model(square, [[0, 1, 2, 3], [0, 1, 2]]).faces) == 3
    assert len(er.Model(square, ((0, 1, 2, 3), np.array([0, 1, 2]))).faces) == 3


def test_the_caller_may_change_an_array_afterwards() -> None:
    corners, faces = CORNERS.copy(), FACES.copy()
    model = er.Model(corners, faces)
    corners[:] = 7
    faces[:] = 0
    assert same(model.vertices, CORNERS)
    model.vertices[:] = 5
    assert same(model.vertices, CORNERS)
    assert model.inside([0.1, 0.1, 0.1]).tolist() == [True]


def test_anything_with_vertices_and_faces_is_a_mesh(tetra: er.Model) -> None:
    class Mesh:
        vertices, faces = CORNERS.astype("f4"), FACES

    class Legacy:
        vertices, triangles = CORNERS.tolist(), FACES.tolist()

    for mesh in (Mesh(), Legacy(), (CORNERS, FACES), [CORNERS, FACES], tetra):
        assert same(er.Model(mesh).vertices, tetra.vertices)
        assert same(er.DeformableModel(mesh).faces, tetra.faces)
    for bad in (None, 3, "mesh", CORNERS, (CORNERS,), object()):
        with pytest.raises(er.ArrayError):
            er.Model(bad)


BAD_POSES = [
    ("pose", er.ArrayError, "pose"),
    (3, er.ArrayError, "shape ()"),
    (np.eye(3), er.ArrayError, "shape (3, 3)"),
    (np.eye(4)[:3], er.ArrayError, "shape (3, 4)"),
    (np.zeros(16), er.ArrayError, "shape (16,)"),
    (np.zeros((2, 3, 4)), er.ArrayError, "shape (2, 3, 4)"),
    (np.zeros((2, 2, 4, 4)), er.ArrayError, "shape (2, 2, 4, 4)"),
    (np.zeros((4, 4)), er.PoseError, ""),
    (np.full((4, 4), np.nan), er.PoseError, ""),
    (np.eye(4) * 2, er.PoseError, ""),
    (np.diag([1, 1, -1, 1]), er.PoseError, ""),
    (np.diag([2.0, 1, 1, 1]), er.PoseError, "scale"),
    (shifted(np.inf, 0, 0), er.PoseError, "(0, 3)"),
    (shifted(1, 2, 3).T, er.PoseError, "transposed"),
    (np.eye(4, dtype=bool), er.ArrayError, "type bool"),
    (np.eye(4, dtype=complex), er.ArrayError, "type complex128"),
    (np.eye(4).astype(object), er.ArrayError, "array of objects"),
    (np.eye(4).astype(str), er.ArrayError, "type <U"),
]


@pytest.mark.parametrize("number", range(len(BAD_POSES)))
def test_bad_poses_are_named(number: int, tetra: er.Model) -> None:
    bad, error, what = BAD_POSES[number]
    world = er.World()
    world.add("a", tetra)
    asks: "dict[str, list[Callable[[Any], Any]]]" = {
        "pose": [
            lambda it: tetra.intersects(tetra, it),
            lambda it: tetra.contacts(tetra, it),
            lambda it: tetra.inside([0, 0, 0], it),
            lambda it: tetra.ray_cast([0, 0, 0], [1, 0, 0], it),
            lambda it: tetra.contact_points(tetra, [[0, 0]], it),
            lambda it: world.add("b", tetra, it),
            lambda it: world.set_pose("a", it),
            lambda it: world.meeting(tetra, it),
        ],
        "other_pose": [
            lambda it: tetra.distance(tetra, None, it),
            lambda it: tetra.contact_points(tetra, [[0, 0]], None, it),
        ],
        "start": [lambda it: tetra.time_of_impact(tetra, it, np.eye(4))],
        "end": [lambda it: tetra.time_of_impact(tetra, np.eye(4), it)],
        "other_start": [lambda it: tetra.time_of_impact(tetra, np.eye(4), np.eye(4), it)],
        "other_end": [lambda it: tetra.time_of_impact(tetra, np.eye(4), np.eye(4), None, it)],
    }
    for name, all_asks in asks.items():
        for ask in all_asks:
            with pytest.raises(error) as caught:
                ask(bad)
            assert what in str(caught.value)
            if error is er.ArrayError:
                assert str(caught.value).startswith(name), (name, str(caught.value))
    assert world.names == ["a"]


def test_a_bad_pose_of_a_batch_has_its_number(tetra: er.Model) -> None:
    poses = np.repeat(np.eye(4)[None], 5, axis=0)
    poses[3, 0, 3] = np.nan
    for batch in (poses, np.asfortranarray(poses), poses.tolist()):
        with pytest.raises(er.PoseError, match="pose 3: ") as caught:
            tetra.intersects(tetra, other_pose=batch)
        assert caught.value.pose == 3
    with pytest.raises(er.PoseError) as caught:
        tetra.intersects(tetra, poses[3])
    assert caught.value.pose is None


def test_batches_of_different_lengths_are_refused(tetra: er.Model) -> None:
    two, three = np.stack([np.eye(4)] * 2), np.stack([np.eye(4)] * 3)
    with pytest.raises(er.ArrayError, match="pose has 2 poses and other_pose has 3"):
        tetra.intersects(tetra, two, three)
    with pytest.raises(er.ArrayError, match="different numbers of poses"):
        tetra.time_of_impact(tetra, two, three)
    with pytest.raises(er.ArrayError, match=r"pose has the shape \(2, 4, 4\)"):
        tetra.inside([0, 0, 0], two)
    with pytest.raises(er.ArrayError, match=r"other_pose has the shape \(3, 4, 4\)"):
        tetra.contact_points(tetra, [[0, 0]], None, three)
    with pytest.raises(er.ArrayError, match="3 origins and 2 directions"):
        tetra.ray_cast(np.zeros((3, 3)), np.ones((2, 3)))


def test_empty_arrays_give_empty_answers(tetra: er.Model) -> None:
    none = np.zeros((0, 4, 4))
    assert tetra.intersects(tetra, none).shape == (0,)
    assert tetra.distance(tetra, None, none).shape == (0,)
    assert len(tetra.contacts(tetra, none)) == 0
    assert tetra.penetration(tetra, none).point.shape == (0, 3)
    assert tetra.time_of_impact(tetra, none, none).time.shape == (0,)
    for empty in ([], np.zeros((0, 3)), np.zeros((0, 3), dtype=int)):
        assert tetra.inside(empty).shape == (0,)
        assert tetra.winding(empty).number.shape == (0,)
        assert tetra.closest_point(empty).point.shape == (0, 3)
        assert tetra.ray_cast(empty, empty).triangle.shape == (0,)
    assert tetra.contact_points(tetra, []).point.shape == (0, 3)


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf, -np.inf])
def test_bad_lengths_are_named(bad: float, tetra: er.Model) -> None:
    for name, ask in {
        "clearance": lambda: tetra.contacts(tetra, clearance=bad),
        "clearance ": lambda: tetra.is_within(tetra, bad),
        "clearance  ": lambda: er.World().pairs_within(bad),
        "delta": lambda: tetra.time_of_impact(tetra, np.eye(4), np.eye(4), delta=bad),
    }.items():
        with pytest.raises(errors.ArgumentError, match=f"{name.strip()} is "):
            ask()
    with pytest.raises(errors.ArgumentError, match='neighbours is "none"'):
        tetra.self_contacts("none")


@pytest.mark.parametrize("bad", [None, 3, "model", CORNERS, er.Model])
def test_what_is_no_model_is_a_type_error(bad: Any, tetra: er.Model) -> None:
    for name in ("intersects", "contacts", "distance", "overlap", "through"):
        with pytest.raises(TypeError, match="Model"):
            getattr(tetra, name)(bad)
    with pytest.raises(TypeError):
        er.World().add("a", bad)


BAD_PAIRS = [
    ([[0, 4]], "pair 0 names triangle 4, and there are 4"),
    ([[0, 0], [-1, 0]], "pair 1 names triangle -1"),
    ([[0, 2**40]], "names triangle 1099511627776"),
    ([0, 1], "(2,)"),
    ([[0, 1, 2]], "(1, 3)"),
    ([[0.0, 1.0]], "float64"),
    ("ab", "pairs is 'ab'"),
    (None, "pairs is None"),
    (object(), "pairs"),
    ([[0, 2**70]], "pairs"),
]


@pytest.mark.parametrize("number", range(len(BAD_PAIRS)))
def test_bad_pairs_are_named(number: int, tetra: er.Model) -> None:
    bad, what = BAD_PAIRS[number]
    with pytest.raises(er.ArrayError) as caught:
        tetra.contact_points(tetra, bad)
    assert what in str(caught.value), str(caught.value)


def test_more_rows_than_memory_is_an_exception(tetra: er.Model, soft: er.DeformableModel) -> None:
    rows = 2**58
    points = np.broadcast_to(np.zeros(3), (rows, 3))
    poses = np.broadcast_to(np.eye(4), (2**55, 4, 4))
    faces = np.broadcast_to(np.arange(3, dtype=np.uint32), (rows, 3))
    for ask in (
        lambda: tetra.inside(points),
        lambda: tetra.intersects(tetra, poses),
        lambda: soft.refit(points),
        lambda: er.Model(points, FACES),
        lambda: er.Model(CORNERS, faces),
        lambda: tetra.ray_cast(points, [1, 0, 0]),
        lambda: tetra.contact_points(tetra, np.broadcast_to(np.uint32(0), (rows, 2))),
    ):
        with pytest.raises(MemoryError):
            ask()


def test_huge_coordinates_are_answered_exactly() -> None:
    model, far = er.Model(CORNERS * 1e308, FACES), er.Model(CORNERS * 1e308 + 2e307, FACES)
    assert model.intersects(far) and not model.intersects(
        er.Model(CORNERS, FACES), shifted(9, 9, 9)
    )
    assert model.distance(er.Model(-CORNERS * 1e308, FACES)) == 0.0
    for ask in ("contacts", "penetration", "overlap", "minimum_translation", "closest_points"):
        getattr(model, ask)(far)
        getattr(model, ask)(far, np.stack([np.eye(4), shifted(1e308, 0, 0)]))
    model.regions(far)
    tiny = er.Model(CORNERS * 5e-324, FACES)
    assert tiny.intersects(tiny) and len(tiny.contacts(tiny).pairs) > 0
    assert model.inside([[1e307, 1e307, 1e307], [1.7e308, 0, 0]]).tolist() == [True, False]
    with pytest.raises((er.RayError, er.ElbowroomError)):
        model.ray_cast([1.7e308, 0, 0], [1, 0, 0])


class Tensor:
    """A tensor of another library, in some memory."""

    def __init__(self, values: np.ndarray, device: int = 1, gradient: bool = False) -> None:
        self.values, self.device, self.requires_grad = values, device, gradient

    def __dlpack_device__(self) -> "tuple[int, int]":
        return self.device, 0

    def __dlpack__(self, **options: Any) -> Any:
        assert self.device in (1, 3), "it must not be asked for"
        return self.values.__dlpack__()


def test_tensors_come_by_dlpack(tetra: er.Model) -> None:
    pose = Tensor(np.eye(4)[None].repeat(3, axis=0))
    assert tetra.intersects(tetra, pose).tolist() == [True] * 3
    assert same(er.Model(Tensor(CORNERS), Tensor(FACES)).vertices, CORNERS)
    for device, name in ((2, "CUDA"), (10, "ROCm"), (8, "Metal")):
        for ask in (
            lambda it: er.Model(it, FACES),
            lambda it: er.Model(CORNERS, it),
            lambda it: tetra.intersects(tetra, it),
            lambda it: tetra.inside(it),
        ):
            with pytest.raises(er.DeviceError, match=r"\.cpu\(\)"):
                ask(Tensor(np.eye(4), device))
    with pytest.raises(er.DeviceError, match=r"\.detach\(\)"):
        tetra.inside(Tensor(CORNERS, gradient=True))


class Broken:
    """What raises whatever it is asked."""

    def __init__(self, error: BaseException, *names: str) -> None:
        self._error, self._names = error, names

    def __getattr__(self, name: str) -> Any:
        if name in self._names:

            def fail(*arguments: Any, **options: Any) -> Any:
                raise self._error

            return fail
        raise AttributeError(name)


class Gone:
    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise RuntimeError("the buffer was freed")


def test_what_breaks_when_it_is_read_is_named(tetra: er.Model) -> None:
    gone = Broken(RuntimeError("the device was lost"), "__dlpack_device__")
    for bad in (gone, Gone()):
        with pytest.raises(er.ArrayError, match="points"):
            tetra.inside(bad)
        with pytest.raises(er.ArrayError, match="faces"):
            er.Model(CORNERS, bad)


def test_tables_are_arrays(tetra: er.Model) -> None:
    points = np.array([[0.1, 0.1, 0.1], [3, 3, 3]])
    for library in ("pandas", "polars"):
        frames = pytest.importorskip(library, reason=f"needs {library}")
        frame = frames.DataFrame({name: points[:, i] for i, name in enumerate("xyz")})
        assert tetra.inside(frame).tolist() == [True, False]
        words = frames.DataFrame({name: ["a", "b"] for name in "xyz"})
        with pytest.raises(er.ArrayError, match="points"):
            tetra.inside(words)


def test_torch_tensors(tetra: er.Model) -> None:
    torch = pytest.importorskip("torch", reason="needs torch")
    corners = torch.from_numpy(CORNERS)
    assert same(er.Model(corners, torch.from_numpy(FACES)).vertices, CORNERS)
    assert same(er.Model(corners.to(torch.float32), FACES).vertices, CORNERS)
    assert tetra.intersects(tetra, torch.eye(4, dtype=torch.float64)[None]).tolist() == [True]
    with pytest.raises(er.DeviceError, match=r"\.detach\(\)"):
        tetra.inside(corners.clone().requires_grad_())
    with pytest.raises(er.ElbowroomError):
        tetra.inside(corners.to("meta"))
    with pytest.raises(er.ElbowroomError, match="vertices"):
        er.Model(corners.to(torch.bfloat16), FACES)


def test_a_panic_is_an_exception() -> None:
    # Without NumPy's table of functions rust-numpy panics; the interpreter goes on.
    code = """
import sys, types
import elbowroom._native as native
class Nothing: pass
for name in ('numpy.core.multiarray', 'numpy._core.multiarray'):
    sys.modules[name] = types.ModuleType(name)
try:
    native.Model([[0, 0, 0]], [[0, 0, 0]]).vertices
except BaseException as error:
    print('caught', type(error).__name__)
print('goes on')
"""
    status, out, _ = python(code)
    assert status == 0 and "goes on" in out and "caught" in out, out
