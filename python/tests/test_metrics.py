"""``elbowroom.metrics``: closed forms, what nothing depends on, and what is refused."""

from __future__ import annotations

import doctest
import json
import pathlib
import pickle
import sys
import types
from typing import Any

import numpy as np
import pytest

import elbowroom as er
from elbowroom import metrics

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
FACES = np.array(
    [
        corner
        for a, b, c, d in (
            (0, 1, 3, 2),
            (4, 6, 7, 5),
            (0, 4, 5, 1),
            (2, 3, 7, 6),
            (0, 2, 6, 4),
            (1, 5, 7, 3),
        )
        for corner in ((a, b, c), (a, c, d))
    ]
)


def moved(places: list[float]) -> np.ndarray:
    return CORNERS + np.array(places)[:, None, None] * [1.0, 0.0, 0.0]


def test_the_examples_run() -> None:
    results = doctest.testmod(metrics, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted > 20 and results.failed == 0


def test_boxes_have_closed_forms() -> None:
    found = metrics.pair(moved([0.0]), moved([1.5, 1.0, 0.75, 0.25]), FACES)
    assert found.contact.tolist() == [False, True, True, True]
    assert found.crossing.tolist() == [False, False, True, True]
    volume = np.array([0.0, 0.0, 0.25, 0.75]) * 1e6
    assert (abs(found.volume - volume) <= found.volume_error).all()
    assert found.distance[0] == 50.0 and np.isnan(found.distance[1:]).all()
    assert found.depth[2] <= 25.0 <= found.depth_upper[2]
    assert found.exact.all() and len(found.to_table()) == 4
    # A wall of the one, and four strips in one plane.
    assert found.area_a[2] == pytest.approx(1e4 * (1 + 4 * 0.25))


def test_nothing_depends_on_the_order_of_the_bodies() -> None:
    rng = np.random.default_rng(5)
    a = moved([0.0] * 20) + 0.05 * rng.normal(size=(20, 8, 3))
    b = moved([0.8] * 20) + 0.05 * rng.normal(size=(20, 8, 3))
    there, back = metrics.pair(a, b, FACES), metrics.pair(b, a, FACES)
    assert there.crossing.any()
    swapped = back._replace(area_a=back.area_b, area_b=back.area_a)
    for one, other in zip(there, swapped):
        assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def test_a_clip_is_its_frames() -> None:
    a, b = moved([0.0]), moved([1.5, 0.75, 1.5, 1.5, 1.5, 0.5])
    frames, score = metrics.pair(a, b, FACES), metrics.clip(a, b, FACES, gap=0)
    assert (score.frames, score.crossing_frames, score.incidents) == (6, 2, 2)
    assert score.volume_mean == pytest.approx(frames.volume.mean(), rel=1e-12)
    assert score.volume_mean_crossing == pytest.approx(frames.volume[[1, 5]].mean(), rel=1e-12)
    assert (score.depth_max, score.worst_frame) == (frames.depth.max(), 5)
    assert metrics.clip(a, b, FACES, gap=3).incidents == 1
    assert metrics.clip(a, moved([3.0]), FACES).volume_mean_crossing is None


def test_units_are_units() -> None:
    metres = metrics.pair(CORNERS, moved([0.5]), FACES)
    inches = metrics.pair(CORNERS, moved([0.5]), FACES, unit="in")
    assert inches.volume[0] == pytest.approx(metres.volume[0] * 0.0254**3)
    with pytest.raises(ValueError, match="unit is 'parsec'"):
        metrics.pair(CORNERS, CORNERS, FACES, unit="parsec")


def test_holes_are_closed_if_they_are_to_be() -> None:
    lidless = FACES[2:]
    assert not metrics.pair(CORNERS, moved([0.5]), lidless, FACES).exact.any()
    capped = metrics.pair(CORNERS, moved([0.5]), lidless, FACES, cap=True)
    assert capped.exact.all() and capped.volume[0] == pytest.approx(0.5e6)


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(er.ArrayError, match="va has 2 frames and vb has 3"):
        metrics.pair(moved([0.0] * 2), moved([0.0] * 3), FACES)
    with pytest.raises(er.ArrayError, match=r"vb has shape \(8, 2\)"):
        metrics.pair(CORNERS, CORNERS[:, :2], FACES)
    with pytest.raises(er.MeshError):
        metrics.pair(CORNERS[:-1], CORNERS, FACES)
    bad = moved([0.0, 0.0])
    bad[1, 3, 2] = np.nan
    with pytest.raises(er.MeshError, match="frame 1: "):
        metrics.pair(CORNERS, bad, FACES)


def test_a_data_set_is_scored(tmp_path: pathlib.Path) -> None:
    for clip, gap in (("x", 0.5), ("y", 2.0)):
        (tmp_path / clip).mkdir()
        np.savez(tmp_path / clip / "P1.npz", vertices=moved([0.0] * 3), faces=FACES)
        np.savez(tmp_path / clip / "P2.npz", vertices=moved([gap] * 3), faces=FACES)
    (tmp_path / "z").mkdir()
    np.savez(tmp_path / "z" / "P1.npz", vertices=moved([0.0]), faces=FACES)
    report = metrics.dataset(tmp_path / "*" / "P{1,2}.npz", save=tmp_path / "out.parquet")
    assert not report.is_complete and repr(report) == "ScoreReport(2 pairs, 6 frames, 1 not scored)"
    assert report.clips["clip"].tolist() == ["x", "y", "z"]
    assert "P2.npz" in report.clips["error"][2]
    shares = dict(zip(report.set["metric"], report.set["mean"]))
    assert shares["share_crossing"] == 0.5
    expected = metrics.clip(moved([0.0] * 3), moved([0.5] * 3), FACES)
    assert report.clips["volume_mean"][0] == pytest.approx(expected.volume_mean, rel=1e-15)
    again = metrics.dataset(tmp_path / "x" / "P{1,2}.npz", against=tmp_path / "out.parquet")
    assert again.to_dict()["reference"]["pairs"] == 2
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    assert parquet.read_table(tmp_path / "out.frames.parquet").num_rows == 6


class FakeTensor:
    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values, np.float32)

    def detach(self) -> FakeTensor:
        return self

    def cpu(self) -> FakeTensor:
        return self

    def numpy(self) -> np.ndarray:
        return self.values


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """A library that is called as smplx is. Its vertices are places, and angles of the root."""
    calls: list[dict[str, Any]] = []

    def create(folder: str, model_type: str, gender: str, **options: Any) -> Any:
        assert folder == "models"

        def pose(**given: FakeTensor) -> Any:
            calls.append({"type": model_type, "gender": gender, **options, **given})
            count = {"smpl": 6890, "smplh": 6890, "smplx": 10475}[model_type]
            places = given["transl"].values[:, None] + np.zeros((1, count, 1), np.float32)
            places[:, 0] = given["global_orient"].values
            return types.SimpleNamespace(vertices=FakeTensor(places))

        pose.faces, pose.num_betas = FACES, 16  # type: ignore[attr-defined]
        return pose

    class no_grad:
        def __enter__(self) -> None: ...
        def __exit__(self, *_: object) -> None: ...

    torch = types.SimpleNamespace(
        tensor=lambda values, dtype: FakeTensor(values), float32=np.float32, no_grad=no_grad
    )
    monkeypatch.setitem(sys.modules, "smplx", types.SimpleNamespace(create=create))  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "torch", torch)  # type: ignore[arg-type]
    return calls


def turns(vectors: np.ndarray) -> np.ndarray:
    """Matrices of rotation vectors, by Rodrigues."""
    angle = np.linalg.norm(vectors, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], -1).reshape(*x.shape, 3, 3)
    with np.errstate(invalid="ignore", divide="ignore"):
        a = np.where(angle > 0, np.sin(angle) / angle, 1.0)
        b = np.where(angle > 0, (1 - np.cos(angle)) / angle**2, 0.5)
    return np.eye(3) + a * cross + b * (cross @ cross)


def test_layouts_of_body_models_are_known_by_their_keys(
    models: list[dict[str, Any]], tmp_path: pathlib.Path
) -> None:
    rng = np.random.default_rng(3)
    frames, path = 8, tmp_path / "a.npz"
    trans, betas = rng.normal(size=(frames, 3)), rng.normal(size=16)
    met = 0
    for width, kind in ((72, "smpl"), (156, "smplh"), (165, "smplx")):
        poses = rng.normal(size=(frames, width))
        np.savez(path, poses=poses, trans=trans, betas=betas, gender="male", mocap_framerate=120.0)
        posed = metrics.pose_file(path, "models", fps=30)
        assert (posed.fps, posed.vertices.shape[:2]) == (30.0, (2, 1))
        call = models[-1]
        assert (call["type"], call["gender"], call["num_betas"]) == (kind, "male", 16)
        assert np.allclose(call["transl"].values, trans[::4])
        if kind == "smplx":
            assert np.allclose(call["right_hand_pose"].values, poses[::4, 120:], atol=1e-6)
        met += 1
    np.savez(
        path,
        root_orient=poses[:, :3],
        pose_body=rng.normal(size=(frames, 21, 3)),
        pose_lhand=rng.normal(size=(frames, 15, 3)),
        pose_rhand=rng.normal(size=(frames, 15, 3)),
        trans=trans,
        betas=betas[None, :10],
        gender="female",
    )
    assert metrics.pose_file(path, "models").fps is None
    assert (models[-1]["type"], models[-1]["gender"]) == ("smplx", "female")
    person = {
        "root_orient": poses[:, :3],
        "pose_body": poses[:, 3:66],
        "trans": trans,
        "betas": betas,
    }
    both = {"person1": person, "person2": {**person, "trans": trans + 1}, "mocap_framerate": 59.94}
    (tmp_path / "b.pkl").write_bytes(pickle.dumps(both))
    posed = metrics.pose_file(tmp_path / "b.pkl", "models")
    assert posed.vertices.shape == (frames, 2, 6890, 3) and models[-1]["type"] == "smplh"
    assert met == 3


def test_rotation_matrices_become_vectors(
    models: list[dict[str, Any]], tmp_path: pathlib.Path
) -> None:
    rng = np.random.default_rng(4)
    root = rng.normal(size=(2, 5, 1, 3))
    root *= np.array([0.0, 1e-10, 1.0, 3.1, np.pi])[:, None, None] / np.linalg.norm(
        root, axis=-1, keepdims=True
    )
    body = np.zeros((2, 5, 21, 3))
    parameters = {
        "global_orient": turns(root).tolist(),
        "body_pose": turns(body).tolist(),
        "transl": np.zeros((2, 5, 3)).tolist(),
        "betas": np.zeros((2, 10)).tolist(),
    }
    (tmp_path / "c.json").write_text(json.dumps(parameters))
    posed = metrics.pose_file(tmp_path / "c.json", "models", model_type="smplx")
    found = posed.vertices[:, :, 0].swapaxes(0, 1)
    # A half turn is the same about both ends of its axis.
    assert np.allclose(turns(found.astype(float)), turns(root[:, :, 0]), atol=1e-5)


def test_what_is_wrong_with_parameters_is_named(
    models: list[dict[str, Any]], tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "a.npz"
    good = {"poses": np.zeros((4, 156)), "trans": np.zeros((4, 3)), "betas": np.zeros(10)}
    cases: list[tuple[dict[str, Any], str]] = [
        ({**good, "poses": np.zeros((4, 99))}, "poses has 99 numbers"),
        ({**good, "gender": "robot"}, "gender is 'robot'"),
        ({**good, "betas": np.zeros(300)}, "300 betas"),
        ({"joints": np.zeros((4, 22, 3))}, "by the keys joints"),
    ]
    for parameters, text in cases:
        np.savez(path, **parameters)
        with pytest.raises(er.InputError, match=text):
            metrics.pose_file(path, "models")
    np.savez(path, **good, mocap_framerate=100.0)
    with pytest.raises(er.InputError, match="100 frames a second"):
        metrics.pose_file(path, "models", fps=30)
    (tmp_path / "d.pkl").write_bytes(pickle.dumps({"a": pathlib.Path("x")}))
    with pytest.raises(er.InputError, match="which is not read"):
        metrics.pose_file(tmp_path / "d.pkl", "models")


def test_a_data_set_of_parameters_is_posed_and_scored(
    models: list[dict[str, Any]], tmp_path: pathlib.Path
) -> None:
    for clip in "x", "y":
        (tmp_path / clip).mkdir()
        for person in 1, 2:
            poses = np.zeros((8, 156)) if clip == "x" or person == 1 else np.zeros((8, 99))
            path = tmp_path / clip / f"P{person}.npz"
            np.savez(path, poses=poses, trans=np.zeros((8, 3)), betas=np.zeros(10), fps=120)
    score = {"body_model": "models", "fps": 30, "cache": tmp_path / "posed"}
    report = metrics.dataset(tmp_path / "*" / "P{1,2}.npz", **score)
    clips = {row["clip"]: row for row in report.to_dict()["clips"]}
    assert clips["x"]["frames"] == 2
    assert "poses has 99 numbers" in clips["y"]["error"] and len(models) == 3
    with pytest.raises(ValueError, match="give a folder as cache"):
        metrics.dataset(tmp_path / "*", body_model="models", save="x.csv", resume=True)


def test_without_smplx_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.setitem(sys.modules, "smplx", None)  # type: ignore[arg-type]
    with pytest.raises(ImportError, match="pip install smplx torch"):
        metrics.pose_file(tmp_path / "a.npz", "models")
