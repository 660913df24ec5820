"""Mutants of files by their format: changes of its own kind, also inside what containers hold."""

import contextlib
import gzip
import io
import struct
import warnings
import zipfile

from mutate import any_bytes, text, tree, xml


def glb(rng, data, others):
    """Inside the chunks of a GLB, with lengths made right again."""
    if len(data) < 20 or rng.random() < 0.2:
        return any_bytes(rng, data, others)
    size = struct.unpack_from("<I", data, 12)[0]
    head, rest = data[20 : 20 + size], data[20 + size :]
    if rng.random() < 0.75 or len(rest) < 8:
        head = tree(rng, head, [])
    else:
        rest = rest[:8] + any_bytes(rng, rest[8:], others)
        rest = struct.pack("<I", len(rest) - 8) + rest[4:]
    head += b" " * (-len(head) % 4)
    body = struct.pack("<II", len(head), 0x4E4F534A) + head + rest
    return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body


def npy(rng, data, others):
    """An array: its header as text, or its numbers."""
    if rng.random() < 0.5 and len(data) > 10:
        size = struct.unpack_from("<H", data, 8)[0]
        head = text(rng, data[10 : 10 + size], [])[:60_000]
        return data[:8] + struct.pack("<H", len(head)) + head + data[10 + size :]
    return any_bytes(rng, data, others)


def zipped(rng, data, others):
    """Inside one member of a package, packed again with the right sums."""
    if rng.random() < 0.2:
        return any_bytes(rng, data, others)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            members = [(name, package.read(name)) for name in package.namelist()]
    except Exception:  # what an earlier change has broken is changed as bytes
        return any_bytes(rng, data, others)
    if not members:
        return any_bytes(rng, data, others)
    at = rng.randrange(len(members))
    name, inside = members[at]
    kind = rng.randrange(10)
    if kind == 0:
        del members[at]
    elif kind == 1:
        members.append(members[at])
    elif kind == 2:
        members[at] = (rng.choice(["../x", "/x", "", "a" * 300, rng.choice(members)[0]]), inside)
    else:
        change = npy if name.endswith(".npy") else xml
        members[at] = (name, change(rng, inside, others))
    return packed(members)


def packed(members):
    """A zip with a fixed date, so that the same members give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, inside in members:
            with warnings.catch_warnings(), contextlib.suppress(ValueError):
                warnings.simplefilter("ignore")  # members of one name are wanted here
                package.writestr(zipfile.ZipInfo(name), inside, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def gzipped(rng, data, others, inner):
    """Inside what is compressed, and compressed again."""
    try:
        return gzip.compress(mutated(rng, inner, gzip.decompress(data), others), mtime=0)
    except Exception:  # broken by an earlier change
        return any_bytes(rng, data, others)


CHANGES = {
    "glb": glb,
    "gltf": tree,
    "json": tree,
    "3mf": zipped,
    "npz": zipped,
    "xml": xml,
    "urdf": xml,
    "obj": text,
    "off": text,
    "bvh": text,
    "csv": text,
    "txt": text,
    "toml": text,
    "fbx": text,
    "stl": any_bytes,
    "ply": any_bytes,
}


def mutated(rng, ending, data, others):
    """A mutant: one to four changes, mostly of the format's own kind."""
    if ending.endswith(".gz") and rng.random() < 0.8:
        return gzipped(rng, data, others, ending[:-3])
    change = CHANGES.get(ending, any_bytes)
    is_text = b"\0" not in data[:2000]
    for _ in range(rng.choice([1, 1, 1, 1, 2, 3])):
        if change is any_bytes and is_text and rng.random() < 0.7:
            data = text(rng, data, others)
        elif change is text and not is_text:
            data = any_bytes(rng, data, others)
        elif rng.random() < 0.12:
            data = any_bytes(rng, data, others)
        else:
            data = change(rng, data, others)
    return data
