"""The hunt: mutants of good files against random command lines, under limits."""

import os
import random
import shutil

import commands
import limits
import mutants
import shrink

PACKAGES = {"glb", "3mf", "npz"}


class Hunt:
    """Mutant after mutant, each from the seed and its own number, so that any one can be made
    again."""

    def __init__(self, program, seeds, room, tally, seed):
        self.program, self.tally, self.seed = program, tally, seed
        self.seeds = seeds
        self.by_ending = {}
        for one in seeds:
            self.by_ending.setdefault(one.ending, []).append(one)
        self.endings = sorted(self.by_ending)
        self.others = {
            e: [s.data for s in many if len(s.data) < 200_000] for e, many in self.by_ending.items()
        }
        self.room, self.folders = room, {}

    def one(self, number):
        """Makes and runs mutant `number`."""
        rng = random.Random(f"{self.seed}/{number}")
        seed = rng.choice(self.by_ending[rng.choice(self.endings)])
        data = mutants.mutated(rng, seed.ending, seed.data, self.others[seed.ending])
        name = f"mutant.{seed.ending}"
        groups = commands.command(rng, seed.ending, name)
        fault = self.attempt(seed.folder, name, data, groups)
        arguments = [argument for group in groups for argument in group]
        self.tally.count("mutants", arguments[0], seed.ending, fault[0] if fault else self.code)
        if not fault:
            return
        signature = (fault[0], arguments[0], seed.ending, fault[1])
        if self.tally.is_new(signature):
            self.keep(signature, seed, name, data, groups)

    def attempt(self, folder, name, data, groups):
        """Runs a command line on a mutant in a copy of the folder of its seed, and says what is
        wrong with it."""
        room = self.fresh(folder)
        path = os.path.join(room, name)
        with open(path, "wb") as file:
            file.write(data)
        arguments = [argument for group in groups for argument in group]
        ended = limits.run(self.program, arguments, room)
        self.code = ended.code
        fault = limits.fault(ended, arguments)
        if fault is None:
            fault = self.after(room, name, data, arguments, ended.code)
        return fault

    def after(self, room, name, data, arguments, code):
        """What must hold of the folder after a run: inputs as they were, no draft left, outputs
        sound."""
        with open(os.path.join(room, name), "rb") as file:
            if file.read() != data:
                return "input", "an input was written over"
        # What is on record stays, for --resume.
        known = any(left.endswith(".progress") for left in os.listdir(room))
        for left in sorted(os.listdir(room)):
            path = os.path.join(room, left)
            if left.endswith(".part") and not known:
                return "draft", "a draft was left over"
            if left == "x.json" and code in (0, 1):
                fault = sound(path, [])
                if fault:
                    return fault
            if left == "x.ndjson":
                fault = sound(path, None)
                if fault:
                    return fault
        if arguments[0] in ("convert", "pose") and code == 0:
            written = [
                n
                for n in ("o.glb", "o.obj", "o.stl", "o.ply", "o.off", "o.npz")
                if os.path.exists(os.path.join(room, n))
            ]
            for one in written:
                again = limits.run(self.program, ["info", one, "--json"], room)
                if again.code != 0:
                    return "unreadable", f"{one}: what was written is not read"
        return None

    def fresh(self, folder):
        """A copy of a folder with good files; made once, cleaned of what a run has written."""
        number = self.folders.setdefault(folder, len(self.folders))
        copy = os.path.join(self.room, f"copy-{number}")
        known = os.path.join(self.room, "known-" + os.path.basename(copy))
        if not os.path.exists(known):
            if any(os.path.splitext(n)[1] in (".xml", ".urdf") for n in os.listdir(folder)):
                # Robots name their meshes; those of a description in its own folder lie beside it.
                source = os.path.dirname(folder) if os.path.basename(folder) == "urdf" else folder
                shutil.copytree(source, copy, dirs_exist_ok=True)
            else:
                os.makedirs(copy, exist_ok=True)
            for name in os.listdir(self.seeds[0].folder):
                shutil.copy(os.path.join(self.seeds[0].folder, name), copy)
            with open(known, "w", encoding="utf-8") as file:
                file.write("\n".join(os.listdir(copy)))
        with open(known, encoding="utf-8") as file:
            good = set(file.read().split("\n"))
        for name in os.listdir(copy):
            if name not in good:
                path = os.path.join(copy, name)
                shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(
                    path
                ) else os.remove(path)
        return copy

    def keep(self, signature, seed, name, data, groups):
        """Makes a finding small and keeps it."""

        def same(fault):
            return fault is not None and fault[0] == signature[0]

        budget = 20 if signature[0] == "time" else 300
        groups = shrink.options(
            groups, lambda fewer: same(self.attempt(seed.folder, name, data, fewer))
        )
        if seed.ending not in PACKAGES and not seed.ending.endswith(".gz"):
            data = shrink.content(
                data, lambda fewer: same(self.attempt(seed.folder, name, fewer, groups)), budget
            )
        arguments = [argument for group in groups for argument in group]
        files = {name: data}
        for argument in arguments:
            path = os.path.join(self.seeds[0].folder, argument)
            if argument != name and os.path.isfile(path):
                with open(path, "rb") as file:
                    files[argument] = file.read()
        self.tally.find(signature, arguments, files, f"{len(data)} bytes, made of {seed.name}")


def sound(path, lines):
    with open(path, "rb") as file:
        data = file.read()
    try:
        for part in [data] if lines == [] else data.splitlines():
            limits.as_json(part)
    except (ValueError, RecursionError) as error:
        return "json", f"{os.path.basename(path)} is not JSON: {str(error)[:60]}"
    return None
