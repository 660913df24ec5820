"""The door under attack: random types, shapes, strides and byte orders for every method.

Whatever goes in, out comes an answer or a typed error: nothing else, and never a crash. The answers of
what is a good array in a strange guise are those of the plain one.
"""

from __future__ import annotations

import collections
import inspect
from typing import Any, Callable, Dict, List

import numpy as np
import pytest
from conftest import CORNERS, FACES, same, shifted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import elbowroom as er

#: What a call may end in besides an answer.
MAY_RAISE = (er.ElbowroomError, TypeError, MemoryError)

PLAIN = settings(
    max_examples=250,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)

MODEL = er.Model(CORNERS, FACES)
SOFT = er.DeformableModel(CORNERS, FACES)


#: Queries about two models and their poses.
ABOUT_TWO = [
    "intersects",
    "contacts",
    "regions",
    "distance",
    "closest_points",
    "penetration",
    "overlap",
    "minimum_translation",
    "through",
]


def world() -> er.World:
    bodies = er.World()
    bodies.add("a", MODEL)
    bodies.add("soft", SOFT, shifted(0.5, 0, 0))
    return bodies


#: Every argument that takes an array, of every method: it is asked with that alone replaced.
ASKS: Dict[str, Callable[[Any], Any]] = {
    "Model vertices": lambda it: er.Model(it, FACES),
    "Model faces": lambda it: er.Model(CORNERS, it),
    "Model": lambda it: er.Model(it),
    "DeformableModel vertices": lambda it: er.DeformableModel(it, FACES),
    "DeformableModel faces": lambda it: er.DeformableModel(CORNERS, it),
    "refit": lambda it: er.DeformableModel(CORNERS, FACES).refit(it),
    "from_tree_bytes vertices": lambda it: er.Model.from_tree_bytes(it, FACES, TREE),
    "from_tree_bytes faces": lambda it: er.Model.from_tree_bytes(CORNERS, it, TREE),
    "from_tree_bytes tree": lambda it: er.Model.from_tree_bytes(CORNERS, FACES, it),
    "contact_points pairs": lambda it: MODEL.contact_points(MODEL, it),
    "contact_points pose": lambda it: MODEL.contact_points(MODEL, [[0, 1]], it),
    "contact_points other_pose": lambda it: MODEL.contact_points(MODEL, [[0, 1]], None, it),
    "is_within clearance": lambda it: MODEL.is_within(MODEL, it),
    "is_within pose": lambda it: MODEL.is_within(MODEL, 0.5, it),
    "is_within other_pose": lambda it: MODEL.is_within(MODEL, 0.5, None, it),
    "time_of_impact start": lambda it: MODEL.time_of_impact(MODEL, it, FAR),
    "time_of_impact end": lambda it: MODEL.time_of_impact(MODEL, FAR, it),
    "time_of_impact other_start": lambda it: MODEL.time_of_impact(MODEL, FAR, FAR, it),
    "time_of_impact other_end": lambda it: MODEL.time_of_impact(MODEL, FAR, FAR, None, it),
    "time_of_impact clearance": lambda it: MODEL.time_of_impact(MODEL, FAR, FAR, clearance=it),
    "time_of_impact delta": lambda it: MODEL.time_of_impact(MODEL, FAR, FAR, delta=it),
    "contacts clearance": lambda it: MODEL.contacts(MODEL, clearance=it),
    "contacts solid": lambda it: MODEL.contacts(MODEL, solid=it),
    "intersects solid": lambda it: MODEL.intersects(MODEL, solid=it),
    "distance solid": lambda it: MODEL.distance(MODEL, solid=it),
    "self_contacts neighbours": lambda it: MODEL.self_contacts(it),
    "ray_cast origins": lambda it: MODEL.ray_cast(it, [0, 0, 1]),
    "ray_cast directions": lambda it: MODEL.ray_cast([0, 0, 0], it),
    "ray_cast pose": lambda it: MODEL.ray_cast([0, 0, 0], [0, 0, 1], it),
    "World.add name": lambda it: er.World().add(it, MODEL),
    "World.add model": lambda it: er.World().add("b", it),
    "World.add pose": lambda it: er.World().add("b", MODEL, it),
    "World.remove name": lambda it: world().remove(it),
    "World.set_pose name": lambda it: world().set_pose(it, FAR),
    "World.set_pose pose": lambda it: world().set_pose("a", it),
    "World.set_poses names": lambda it: world().set_poses(it, FAR[None]),
    "World.set_poses poses": lambda it: world().set_poses(["a"], it),
    "World.refit name": lambda it: world().refit(it, CORNERS),
    "World.refit vertices": lambda it: world().refit("soft", it),
    "World.pose name": lambda it: world().pose(it),
    "World.model name": lambda it: world().model(it),
    "World.pairs_within clearance": lambda it: world().pairs_within(it),
    "World.__contains__ name": lambda it: it in world(),
    "World.ray_cast origins": lambda it: world().ray_cast(it, [0, 0, 1]),
    "World.ray_cast directions": lambda it: world().ray_cast([0, 0, 0], it),
}
for _name in ("inside", "winding", "closest_point"):
    ASKS[f"{_name} points"] = lambda it, name=_name: getattr(MODEL, name)(it)
    ASKS[f"{_name} pose"] = lambda it, name=_name: getattr(MODEL, name)([0, 0, 0], it)
for _name in ("intersects", "meeting", "nearest"):
    ASKS[f"World.{_name} model"] = lambda it, name=_name: getattr(world(), name)(it)
    ASKS[f"World.{_name} pose"] = lambda it, name=_name: getattr(world(), name)(MODEL, it)
for _name in ABOUT_TWO:
    ASKS[f"{_name} other"] = lambda it, name=_name: getattr(MODEL, name)(it)
    ASKS[f"{_name} pose"] = lambda it, name=_name: getattr(MODEL, name)(MODEL, it)
    ASKS[f"{_name} other_pose"] = lambda it, name=_name: getattr(MODEL, name)(MODEL, None, it)

TREE = MODEL.tree_to_bytes()
FAR = shifted(5, 0, 0)


def test_every_argument_is_attacked() -> None:
    attacked = " ".join(ASKS)
    for owner, prefix in ((er.Model, ""), (er.World, "World.")):
        for name, method in vars(owner).items():
            if name.startswith("_") or not callable(method):
                continue
            for parameter in inspect.signature(method).parameters:
                if parameter in ("self", "other") and prefix == "":
                    continue
                is_attacked = parameter == "self" or f"{prefix}{name} {parameter}" in attacked
                assert is_attacked, f"{prefix}{name} {parameter}"


DTYPES = st.one_of(
    arrays.floating_dtypes(),
    arrays.integer_dtypes(),
    arrays.unsigned_integer_dtypes(),
    arrays.boolean_dtypes(),
    arrays.complex_number_dtypes(),
    arrays.datetime64_dtypes(),
    arrays.timedelta64_dtypes(),
    arrays.byte_string_dtypes(max_len=3),
    arrays.unicode_string_dtypes(max_len=3),
    st.sampled_from(
        [
            np.dtype("longdouble"),
            np.dtype("O"),
            np.dtype([("x", "f8"), ("y", "i4")]),
            np.dtype("V5"),
        ]
    ),
)

SHAPES = st.one_of(
    st.sampled_from([(4, 4), (1, 4, 4), (3, 4, 4), (4, 3), (1, 3), (5, 3), (3,), (2, 2), (0, 3)]),
    arrays.array_shapes(min_dims=0, max_dims=6, min_side=0, max_side=4),
    st.just((1,) * 10),
)


@st.composite
def strange_arrays(draw: Any) -> Any:
    dtype = draw(DTYPES)
    shape = draw(SHAPES)
    if dtype.kind == "O":
        values = draw(arrays.arrays(dtype, shape, elements=st.none() | st.floats() | st.text()))
    elif dtype.kind == "V":
        values = np.zeros(shape, dtype)
    elif dtype == np.dtype("longdouble"):
        values = np.full(shape, np.longdouble(draw(st.floats())) / 3)
    else:
        values = draw(arrays.arrays(dtype, shape))
    guise = draw(st.integers(0, 8))
    if guise == 0 and values.ndim:
        values = values[::-1]
    elif guise == 1:
        values = values.T
    elif guise == 2 and values.ndim:
        values = np.concatenate([values, values])[::2]
    elif guise == 3 and values.ndim:
        values = np.broadcast_to(values[:1], values.shape)
    elif guise == 4:
        values = np.ma.masked_array(values)
    elif guise == 5:
        values = values.tolist()
    elif guise == 6 and dtype.kind in "fiu" and dtype != np.dtype("longdouble"):
        return bytearray(values.tobytes())
    elif guise == 7:
        values = np.asfortranarray(values)
    return values


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=3),
    st.binary(max_size=20),
    st.sampled_from([object(), type, {"a": 1}, {1, 2}, slice(3), Ellipsis, range(3), "a", "soft"]),
)
NESTED = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4), max_leaves=16)
ANYTHING = st.one_of(strange_arrays(), SCALARS, NESTED)

OUTCOMES: "collections.Counter[str]" = collections.Counter()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", list(ASKS))
def test_an_answer_or_a_typed_error(name: str) -> None:
    ask = ASKS[name]

    @settings(PLAIN, max_examples=120)
    @given(ANYTHING)
    def attack(value: Any) -> None:
        try:
            ask(value)
        except MAY_RAISE as error:
            OUTCOMES[type(error).__name__] += 1
            assert str(error)
        else:
            OUTCOMES["answer"] += 1

    attack()


def test_the_attack_met_all_kinds_of_ends() -> None:
    if sum(OUTCOMES.values()) < 1000:
        pytest.skip("counts what the test before did")
    for kind in ("answer", "ArrayError", "MeshError", "PoseError", "TypeError", "ArgumentError"):
        assert OUTCOMES[kind] >= 5, OUTCOMES


WHOLE = st.integers(-(2**10), 2**10).map(float)


@st.composite
def guises(draw: Any, values: np.ndarray) -> Any:
    """The same numbers, another array: type, byte order, strides, alignment, or a list."""
    kinds = ["f4", "f8", "longdouble", "i2", "i4", "i8"]
    dtype = np.dtype(draw(st.sampled_from(kinds)))
    if draw(st.booleans()) and dtype.itemsize <= 8:
        dtype = dtype.newbyteorder()
    it = values.astype(dtype)
    order = draw(st.permutations(range(it.ndim)))
    # Stored with its axes in any order, with gaps, forwards or backwards, and perhaps not aligned.
    gaps = [draw(st.integers(1, 3)) for _ in order]
    flips = [draw(st.booleans()) for _ in order]
    room = [it.shape[axis] * gap for axis, gap in zip(order, gaps)]
    memory = np.zeros(int(np.prod(room)) * dtype.itemsize + 1, dtype=np.uint8)
    offset = draw(st.integers(0, 1))
    store = memory[offset : len(memory) - 1 + offset].view(dtype).reshape(room)
    view = store[tuple(slice(None, None, gap) for gap in gaps)]
    view = view.transpose(np.argsort(order))
    view = view[tuple(slice(None, None, -1 if flip else 1) for flip in flips)]
    view[...] = it
    assert np.array_equal(view, values)
    view.flags.writeable = draw(st.booleans())
    ends: List[Callable[[np.ndarray], Any]] = [lambda a: a, list, np.ndarray.tolist]
    return draw(st.sampled_from(ends))(view)


#: Quarter turns: rotations of whole numbers, none of which is its own transpose.
TURNS = [
    np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], dtype=float),
    np.array([[0, 0, 1, 0], [1, 0, 0, -1], [0, 1, 0, 0], [0, 0, 0, 1]], dtype=float),
    np.array([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=float),
]


@PLAIN
@given(st.data())
def test_the_same_numbers_in_any_guise_give_the_same_bits(data: Any) -> None:
    corners = CORNERS * data.draw(st.sampled_from([1, 2, 64]))
    corners = corners + np.array(data.draw(st.tuples(WHOLE, WHOLE, WHOLE)))
    plain = er.Model(corners, FACES)
    strange = er.Model(data.draw(guises(corners)), data.draw(guises(FACES).filter(is_whole)))
    assert same(strange.vertices, plain.vertices) and same(strange.faces, plain.faces)
    soft = er.DeformableModel(CORNERS, FACES)
    soft.refit(data.draw(guises(corners)))
    assert same(soft.vertices, plain.vertices)
    pose = data.draw(st.sampled_from(TURNS))
    poses = np.stack([TURNS[i] for i in data.draw(st.permutations(range(3)))])
    one, many = data.draw(guises(pose)), data.draw(guises(poses))
    for ask in (plain.distance, plain.contacts, plain.closest_points):
        assert same(ask(MODEL, one), ask(MODEL, pose))
        assert same(ask(MODEL, None, many), ask(MODEL, None, poses))
    points = np.array(data.draw(st.lists(st.tuples(WHOLE, WHOLE, WHOLE), min_size=1, max_size=5)))
    assert same(plain.winding(data.draw(guises(points))), plain.winding(points))
    assert same(
        plain.ray_cast(data.draw(guises(points)), [1, 0, 0]), plain.ray_cast(points, [1, 0, 0])
    )


def is_whole(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "iu"


@PLAIN
@given(st.data())
def test_any_doubles_are_answered_or_named(data: Any) -> None:
    """Coordinates from all over the doubles; every query ends."""
    numbers = st.floats(width=64)
    corners = np.array(
        data.draw(st.lists(st.tuples(numbers, numbers, numbers), min_size=3, max_size=5))
    )
    count = len(corners)
    index = st.integers(0, count - 1)
    faces = data.draw(st.lists(st.tuples(index, index, index), min_size=1, max_size=4))
    try:
        model = er.Model(corners, faces)
    except er.MeshError as error:
        assert not np.isfinite(corners).all() and not np.isfinite(corners[error.vertex]).all()
        return
    assert np.isfinite(corners).all()
    ask = getattr(model, data.draw(st.sampled_from(ABOUT_TWO)))
    for other in (MODEL, model):
        ask(other)
        ask(other, shifted(1, 2, 3))


@PLAIN
@given(st.binary(max_size=400) | st.tuples(st.integers(0, 10**4), st.integers(1, 255)))
def test_a_damaged_tree_is_refused_or_right(damage: Any) -> None:
    if isinstance(damage, bytes):
        tree = damage
    else:
        place, flip = damage
        tree = bytearray(TREE)
        tree[place % len(tree)] ^= flip
        tree = bytes(tree)
    try:
        model = er.Model.from_tree_bytes(CORNERS, FACES, tree)
    except er.ElbowroomError:
        return
    assert same(model.contacts(MODEL), MODEL.contacts(MODEL))
