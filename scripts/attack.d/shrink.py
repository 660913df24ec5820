"""Makes a finding small: first the options that it needs, then the bytes.

After Zeller and Hildebrandt, Simplifying and isolating failure-inducing input, 2002."""


def options(groups, fails):
    """Leaves out every group of arguments but the first that the finding does not need."""
    at = len(groups) - 1
    while at > 0:
        fewer = groups[:at] + groups[at + 1 :]
        if fails(fewer):
            groups = fewer
        at -= 1
    return groups


def content(data, fails, budget):
    """Leaves out runs of lines, then of bytes, halving their length, for so many tries at most."""
    tries = 0
    for split in (lines, single):
        parts = split(data)
        length = max(1, len(parts) // 2)
        while length >= 1:
            at = 0
            while at < len(parts):
                if tries >= budget:
                    return b"".join(parts)
                tries += 1
                fewer = parts[:at] + parts[at + length :]
                if fails(b"".join(fewer)):
                    parts = fewer
                else:
                    at += length
            if length == 1:
                break
            length //= 2
        data = b"".join(parts)
    return data


def lines(data):
    return data.splitlines(keepends=True)


def single(data):
    return [data[i : i + 1] for i in range(len(data))]
