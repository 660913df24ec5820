"""Single changes of files: bytes, lengths, numbers, lines, trees of JSON and XML.

Every function takes the random generator, so that a seed gives the same mutants everywhere.
"""

import json
import re

# Numbers at the edges of what formats and machines hold.
NUMBERS = """nan -nan NaN inf -inf Infinity 1e308 -1e308 1e309 1e-320 5e-324 -0 0 1 -1
    2147483647 2147483648 -2147483648 4294967295 4294967296 9007199254740993 9223372036854775807
    18446744073709551615 18446744073709551616 99999999999999999999999 1e15 1e-15 1e38 3.5e38 1e160
    0.1 255 65535 65536 1000000 1e400 0x10 1_0 1,5 + - .""".split()
JSON_VALUES = [None, True, False, 0, 1, -1, 2, 255, 65536, 0.5, 1e308, -1e308, 1e-320, -0.0]
JSON_VALUES += [2**31 - 1, 2**31, 2**32, 2**53, 2**63, 2**64, -(2**63), [], {}, [0], [[]]]
JSON_VALUES += [
    "",
    "x",
    "x" * 5000,
    "../../x",
    "/etc/passwd",
    [1e308] * 3,
    "\0",
    "\x1b[31m",
    "=1+1",
]
JSON_VALUES += ["<script>alert(1)</script>"]
PATTERNS = [
    bytes.fromhex(digits)
    for digits in """00000000 ffffffff 7fffffff ffffff7f 00000080 0000c07f 0000807f 000080ff
        ffff7f7f 01000000 000000000000f87f a0c8eb85f3cce17f 0100000000000000 ffffffffffffffff
        0000000000000080 ffff 00 ff 1b5b324a efbbbf 0d0a c080 eda080 e280ae""".split()
]
NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
LARGEST = 4 << 20


def any_bytes(rng, data, others):
    """One change of the bytes as they are."""
    data = bytearray(data)
    at = rng.randrange(len(data) + 1)
    length = min(len(data) - at, 1 << rng.randrange(13))
    kind = rng.randrange(8)
    if kind == 0:
        for _ in range(1 << rng.randrange(6)):
            if data:
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == 1:
        pattern = rng.choice(PATTERNS)
        data[at : at + len(pattern)] = pattern
    elif kind == 2:
        del data[at : at + length]
    elif kind == 3:
        data[at:at] = data[at : at + length] * rng.choice([1, 1, 2, 50])
    elif kind == 4:
        del data[at:]
    elif kind == 5:
        data[at:at] = rng.randbytes(length)
    elif kind == 6 and others:
        other = rng.choice(others)
        start = rng.randrange(len(other) + 1)
        data[at : at + length] = other[start : start + length]
    else:
        to = rng.randrange(len(data) + 1)
        data[to : to + length] = data[at : at + length]
    return bytes(data[:LARGEST])


def text(rng, data, others):
    """One change of a text: a number, a line, a word, a nesting."""
    kind = rng.randrange(20) - 11
    if kind <= 2:
        found = list(NUMBER.finditer(data))
        if found:
            for _ in range(rng.choice([1, 1, 1, 3, 30])):
                found = list(NUMBER.finditer(data)) if len(data) < 50_000 else found
                if not found:
                    break
                hit = rng.choice(found)
                value = number(rng, found)
                data = data[: hit.start()] + value + data[hit.end() :]
                if len(data) >= 50_000:
                    break
            return data
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    length = 1 << rng.randrange(6)
    if kind == 3:
        lines[at:at] = lines[at : at + length] * rng.choice([1, 2, 100, 3000])
    elif kind == 4:
        del lines[at : at + length]
    elif kind == 5:
        to = rng.randrange(len(lines))
        lines[at], lines[to] = lines[to], lines[at]
    elif kind == 6:
        words = lines[at].split(b" ")
        donor = rng.choice(lines).split(b" ")
        words[rng.randrange(len(words))] = rng.choice(donor)
        lines[at] = b" ".join(words)
    elif kind == 7 and others:
        donor = rng.choice(others).split(b"\n")
        start = rng.randrange(len(donor))
        lines[at:at] = donor[start : start + length]
    else:
        return nested(rng, data)
    return b"\n".join(lines)[:LARGEST]


def number(rng, found):
    """Another number: one of the file's, one that formats take and few expect, or one at the
    edges."""
    kind = rng.random()
    if kind < 0.6:
        return rng.choice(found).group()
    if kind < 0.85:
        return rng.choice(
            [
                b"0",
                b"-1",
                b"1e9",
                b"-1e30",
                b"1e-30",
                b"1e150",
                b"3",
                b"7",
                b"100",
                b"-0.001",
                b"0.3333333333333333",
            ]
        )
    return rng.choice(NUMBERS).encode()


def nested(rng, data):
    """Something that opens, many times over."""
    opening = rng.choice(
        [
            b"[",
            b"{",
            b"(",
            b"<a>",
            b"[[",
            b'{"a":',
            b"a.",
            b'<body name="a">',
            b"JOINT a {\n",
            b'"',
            b"#",
            b"\\",
        ]
    )
    at = rng.randrange(len(data) + 1)
    return data[:at] + opening * rng.choice([10, 1000, 30_000]) + data[at:]


def xml(rng, data, others):
    """One change of a document: an element doubled, removed, nested, moved; an attribute."""
    elements = [m for m in re.finditer(rb"<(\w+)([^<>]*?)/>|<(\w+)([^<>]*)>", data)]
    if not elements or rng.random() < 0.4:
        return text(rng, data, others)
    hit = rng.choice(elements)
    kind = rng.randrange(6)
    if kind == 0:
        return data[: hit.start()] + data[hit.end() :]
    if kind == 1:
        return data[: hit.end()] + hit.group() * rng.choice([1, 3, 500]) + data[hit.end() :]
    if kind == 2:
        to = rng.choice(elements).start()
        return data[:to] + hit.group() + data[to:]
    attributes = list(re.finditer(rb'(\w+)="([^"]*)"', data))
    if not attributes:
        return data
    first, second = rng.choice(attributes), rng.choice(attributes)
    if kind == 3:
        return data[: first.start(2)] + second.group(2) + data[first.end(2) :]
    if kind == 4:
        value = b" ".join(
            number(rng, [re.match(b".*", b"1")])
            for _ in range(rng.choice([0, 1, 2, 3, 3, 4, 6, 100]))
        )
        return data[: first.start(2)] + value + data[first.end(2) :]
    return data[: first.start()] + second.group() + data[first.end() :]


def tree(rng, data, others):
    """One change of a JSON document: a value replaced, removed, doubled, put elsewhere. Indices
    become cycles by it."""
    try:
        root = json.loads(data)
    except ValueError:
        return text(rng, data, others)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        places = list(branches(root))
        if not places:
            break
        holder, key = rng.choice(places)
        kind = rng.randrange(6)
        if kind <= 1:
            holder[key] = rng.choice(JSON_VALUES)
        elif (
            kind == 2
            and isinstance(holder[key], (int, float))
            and not isinstance(holder[key], bool)
        ):
            holder[key] = rng.choice(
                [
                    holder[key] + 1,
                    holder[key] - 1,
                    -holder[key],
                    holder[key] * 1000,
                    rng.randrange(20),
                ]
            )
        elif kind == 3:
            del holder[key]
        elif kind == 4:
            source, at = rng.choice(places)
            # A copy: the same list in two places could hold itself, which no text does.
            holder[key] = json.loads(
                json.dumps(
                    source.get(at)
                    if isinstance(source, dict)
                    else (source[at] if at < len(source) else 0)
                )
            )
        elif isinstance(holder, list):
            holder[key:key] = [json.loads(json.dumps(holder[key]))] * rng.choice([1, 3, 300])
        else:
            holder[rng.choice(["", "extras", "scale", "children", "mesh", "skin", "name"])] = (
                holder[key]
            )
    return json.dumps(root).encode()[:LARGEST]


def branches(root, depth=0):
    """All (holder, key) below a value, bounded."""
    if depth > 40:
        return
    keys = (
        list(root)
        if isinstance(root, dict)
        else range(min(len(root), 60))
        if isinstance(root, list)
        else []
    )
    for key in keys:
        yield root, key
        yield from branches(root[key], depth + 1)
