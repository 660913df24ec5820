"""Two motion clips: do they collide, and at which start offsets?

For motion synthesis: one call gives every offset at which the second may not start.
"""

import sys

import elbowroom as er

walks = {"clip_a": "walk", "clip_b": "walk", "place_b": (0.9, -0.6, 90), "between": "linear"}
# A path for a picture may be given.
met = er.clips("make:man", "make:woman", **walks, save=(sys.argv[1:] or [None])[0])
print(met)
for start, end in met.offsets:
    print(f"collides if the second starts {start:+.2f} to {end:+.2f} s after the first")
print(f"free after a wait of {met.smallest_wait:.2f} s; nearest as they are: {met.gap:.2f} m")
later = er.clips("make:man", "make:woman", **walks, start_b=met.smallest_wait + 1e-6)
assert met.collide
assert not later.collide
