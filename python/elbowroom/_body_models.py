"""Parameters of body models, posed by the ``smplx`` that the user has installed.

No body model is in this package. Files are recognised by their keys; what stands in them is given to
``smplx`` as it is, but for rotation matrices, which become rotation vectors.
"""

from __future__ import annotations

import io
import json
import os
import pickle
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from .errors import InputError

__all__ = ["PosedBodies", "pose_file"]

PathLike = Union[str, "os.PathLike[str]"]

#: What each layout calls the rotation of the root, those of the body, and the place.
_NAMES = (
    ("root_orient", "pose_body", ("trans", "transl")),
    ("global_orient", "body_pose", ("transl", "trans")),
)
_LEFT = ("pose_lhand", "left_hand_pose")
_RIGHT = ("pose_rhand", "right_hand_pose")
_RATES = ("mocap_framerate", "mocap_frame_rate", "fps")
_VERTICES = {"smpl": 6890, "smplh": 6890, "smplx": 10475}
#: The width of ``poses`` of AMASS, the model, and where each group of joints ends.
_AMASS = {72: "smpl", 156: "smplh", 165: "smplx"}


class PosedBodies(NamedTuple):
    """Bodies over time."""

    #: (T, P, N, 3), in metres.
    vertices: np.ndarray
    #: (M, 3).
    faces: np.ndarray
    #: Frames in a second, if the file says so.
    fps: Optional[float]
    #: The model and the gender of each body, and what was assumed.
    notes: List[str]


class _Numbers(pickle.Unpickler):
    """Reads arrays and plain values, and nothing that could run."""

    def find_class(self, module: str, name: str) -> Any:
        known = {("numpy", "ndarray"), ("numpy", "dtype")}
        parts = module.split(".")
        inner = parts[0] == "numpy" and name in ("_reconstruct", "scalar", "_frombuffer")
        if (module, name) in known or inner:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"it holds {module}.{name}, which is not read")


def _read(path: str) -> Dict[str, Any]:
    ending = os.path.splitext(path)[1].lower()
    try:
        if ending == ".npz":
            with np.load(path, allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}
        with open(path, "rb") as file:
            data = file.read()
        found = json.loads(data) if ending == ".json" else _Numbers(io.BytesIO(data)).load()
    except (OSError, ValueError, pickle.UnpicklingError, EOFError) as error:
        raise InputError(
            [f"{path}: {error}"], "give an .npz, .pkl or .json of parameters"
        ) from error
    if not isinstance(found, dict):
        raise InputError([f"{path}: holds a {type(found).__name__}, and no named arrays"], "")
    return found


def _people(found: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The parameters of each body: those of a file, or of its entries person1, person2, …"""
    names = sorted(name for name in found if name.startswith("person"))
    if not names:
        return [found]
    return [{**found, **found[name]} for name in names]


def _vectors(rotations: np.ndarray) -> np.ndarray:
    """Rotation vectors from matrices (..., 3, 3)."""
    skew = np.stack(
        [
            rotations[..., 2, 1] - rotations[..., 1, 2],
            rotations[..., 0, 2] - rotations[..., 2, 0],
            rotations[..., 1, 0] - rotations[..., 0, 1],
        ],
        -1,
    )
    sine = 0.5 * np.linalg.norm(skew, axis=-1)
    cosine = 0.5 * (np.trace(rotations, axis1=-2, axis2=-1) - 1.0)
    angle = np.arctan2(sine, cosine)
    # Near a half turn the axis is in the symmetric part.
    symmetric = 0.5 * (rotations + np.swapaxes(rotations, -1, -2))
    symmetric = symmetric - cosine[..., None, None] * np.eye(3)
    longest = np.argmax(np.linalg.norm(symmetric, axis=-2), axis=-1)
    column = np.take_along_axis(symmetric, longest[..., None, None], axis=-1)[..., 0]
    length = np.linalg.norm(column, axis=-1, keepdims=True)
    column = column / np.where(length > 0, length, 1.0)
    column = np.where((column * skew).sum(-1, keepdims=True) < 0, -column, column)
    with np.errstate(invalid="ignore", divide="ignore"):
        plain = skew * (0.5 * angle / sine)[..., None]
    half = (cosine < -0.9)[..., None]
    small = (sine < 1e-9)[..., None] & ~half
    return np.where(half, column * angle[..., None], np.where(small, 0.5 * skew, plain))


def _groups(one: Dict[str, Any], path: str) -> Tuple[str, Dict[str, np.ndarray]]:
    """The model, and its rotations and places by the names that smplx has."""
    if "poses" in one and ("trans" in one or "transl" in one):
        poses = np.asarray(one["poses"], dtype=np.float64)
        poses = poses.reshape(len(poses), -1)
        model = _AMASS.get(poses.shape[1])
        if model is None:
            raise InputError(
                [f"{path}: poses has {poses.shape[1]} numbers a frame; 72, 156 and 165 are known"],
                "",
            )
        names = {"smpl": [("body_pose", 69)], "smplh": [], "smplx": []}[model] or [
            ("body_pose", 63)
        ]
        if model == "smplx":
            names += [("jaw_pose", 3), ("leye_pose", 3), ("reye_pose", 3)]
        if model != "smpl":
            names += [("left_hand_pose", 45), ("right_hand_pose", 45)]
        groups, at = {"global_orient": poses[:, :3]}, 3
        for name, width in names:
            groups[name] = poses[:, at : at + width]
            at += width
        groups["transl"] = np.asarray(one["trans" if "trans" in one else "transl"], np.float64)
        return model, groups
    for root, body, places in _NAMES:
        place = next((name for name in places if name in one), None)
        if root in one and body in one and place is not None:
            groups = {"global_orient": one[root], "body_pose": one[body], "transl": one[place]}
            for ours, theirs in (("left_hand_pose", _LEFT), ("right_hand_pose", _RIGHT)):
                held = next((name for name in theirs if name in one), None)
                if held is not None:
                    groups[ours] = one[held]
            return "", {name: np.asarray(value, np.float64) for name, value in groups.items()}
    raise InputError(
        [f"{path}: no layout of a body model is known by the keys {', '.join(sorted(one))}"],
        "pose the model, and save numpy.savez(path, vertices=v, faces=f)",
    )


def _bodies(groups: Dict[str, np.ndarray]) -> List[Dict[str, np.ndarray]]:
    """Each body of arrays that have two bodies, with an entry a frame in every group."""
    places = groups["transl"]
    if places.ndim == 3:
        axis = 0 if places.shape[0] == 2 else 1
        count = places.shape[axis]
        each = [{n: np.take(v, i, axis) for n, v in groups.items()} for i in range(count)]
        return [body for one in each for body in _bodies(one)]
    frames = len(places)
    bodies = {"transl": places}
    is_matrix = groups["body_pose"].shape[-2:] == (3, 3) and groups["body_pose"].ndim >= 4
    for name, value in groups.items():
        if name == "transl":
            continue
        if is_matrix and value.shape[-2:] == (3, 3):
            value = _vectors(value)
        bodies[name] = value.reshape(frames, -1)
    return [bodies]


def _gender(one: Dict[str, Any], path: str) -> str:
    value = np.asarray(one.get("gender", "neutral")).reshape(-1)[0]
    gender = (value.decode() if isinstance(value, bytes) else str(value)).lower()
    if gender not in ("male", "female", "neutral"):
        raise InputError([f"{path}: gender is {gender!r}"], "save male, female or neutral")
    return gender


def _library() -> Tuple[Any, Any]:
    try:
        import smplx
        import torch
    except ImportError as error:
        raise ImportError(
            f"{error.name} is not installed, and poses body models; run pip install smplx torch, and "
            "give the folder of the models that you have a licence for as body_model"
        ) from error
    return smplx, torch


def pose_file(
    path: PathLike,
    body_model: PathLike,
    *,
    fps: Optional[float] = None,
    model_type: Optional[str] = None,
    flat_hand_mean: bool = True,
) -> PosedBodies:
    """Pose the bodies of a file of parameters, by the ``smplx`` that is installed.

    Parameters
    ----------
    path : path
        An ``.npz``, ``.pkl`` or ``.json`` with the keys of AMASS (``poses``, ``trans``, ``betas``),
        of Inter-X and InterHuman (``root_orient``, ``pose_body``, ``trans``), or of smplx itself
        (``global_orient``, ``body_pose``, ``transl``), as rotation vectors or matrices, of one body or
        two.
    body_model : path
        The folder of the body models, as ``smplx.create`` takes it.
    fps : float, optional
        Take as many frames a second, if the file says how many it has.
    model_type : {"smpl", "smplh", "smplx"}, optional
        The body model; by default what the file says or its shapes show.
    flat_hand_mean : bool
        Whether hand poses are measured from the flat hand, which most data sets do.

    Returns
    -------
    PosedBodies
    """
    smplx, torch = _library()
    name = os.fspath(path)
    found = _read(name)
    rate = next((float(np.asarray(found[key])) for key in _RATES if key in found), None)
    step = 1
    if fps is not None and rate is not None:
        step = round(rate / fps)
        if step < 1 or abs(rate / fps - step) > 1e-3:
            raise InputError(
                [f"{name}: has {rate:g} frames a second, which {fps:g} does not divide"],
                "give a rate that does",
            )
        rate /= step
    posed, notes, faces = [], [], None
    for one in _people(found):
        model, groups = _groups(one, name)
        betas = np.asarray(one.get("betas", np.zeros(10)), np.float64)
        for index, body in enumerate(_bodies(groups)):
            said = str(np.asarray(one.get("surface_model_type", ""))) or model
            hands = "left_hand_pose" in body
            shown = {69: "smpl", 63: "smplx" if hands else "smplh"}.get(body["body_pose"].shape[1])
            kind = model_type or said or shown
            if kind not in _VERTICES:
                raise InputError([f"{name}: body model {kind!r} is not known"], "give model_type")
            if kind != "smpl" and body["body_pose"].shape[1] != 63:
                width = body["body_pose"].shape[1]
                raise InputError([f"{name}: {width} numbers of a body pose are not {kind}'s"], "")
            shape = betas.reshape(-1, betas.shape[-1])
            shape = shape[min(index, len(shape) - 1)]
            gender = _gender(one, name)
            body = {key: value[::step] for key, value in body.items()}
            vertices, triangles = _posed(
                smplx, torch, os.fspath(body_model), kind, gender, shape, body, flat_hand_mean
            )
            if vertices.shape[1] != _VERTICES[kind]:
                raise InputError(
                    [f"{name}: {kind} has {_VERTICES[kind]} vertices, and the model of "
                     f"{os.fspath(body_model)} has {vertices.shape[1]}"],
                    "give the folder of that model",
                )  # fmt: skip
            if faces is not None and not np.array_equal(faces, triangles):
                raise InputError([f"{name}: its bodies are of different models"], "")
            faces = triangles
            posed.append(vertices)
            mean = f", flat_hand_mean={flat_hand_mean}" if hands else ""
            notes.append(f"{kind}, {gender}, {len(shape)} betas{mean}")
    counts = {len(vertices) for vertices in posed}
    if len(counts) > 1:
        raise InputError(
            [f"{name}: its bodies have {sorted(counts)} frames"], "cut them to the same"
        )
    assert faces is not None
    return PosedBodies(np.stack(posed, axis=1), faces, rate, notes)


def _posed(
    smplx: Any,
    torch: Any,
    folder: str,
    kind: str,
    gender: str,
    betas: np.ndarray,
    body: Dict[str, np.ndarray],
    flat_hand_mean: bool,
) -> Tuple[np.ndarray, np.ndarray]:
    frames = len(body["transl"])
    options: Dict[str, Any] = {"num_betas": len(betas), "batch_size": frames}
    if kind != "smpl":
        options.update(use_pca=False, flat_hand_mean=flat_hand_mean)
    try:
        model = smplx.create(folder, model_type=kind, gender=gender, **options)
    except (AssertionError, OSError, ValueError, KeyError) as error:
        raise InputError(
            [f"{folder}: smplx cannot make the {gender} {kind}: {error}"],
            "name the folder that has smpl, smplh or smplx in it",
        ) from error
    known = getattr(model, "num_betas", len(betas))
    if known < len(betas):
        raise InputError(
            [f"the data has {len(betas)} betas, and the {gender} {kind} of {folder} has {known}"],
            "use the version of the model that the data was made with",
        )
    given = {name: torch.tensor(value, dtype=torch.float32) for name, value in body.items()}
    given["betas"] = torch.tensor(np.tile(betas, (frames, 1)), dtype=torch.float32)
    with torch.no_grad():
        vertices = model(**given).vertices
    return np.asarray(vertices.detach().cpu().numpy()), np.asarray(model.faces, dtype=np.int64)
