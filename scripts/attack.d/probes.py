"""Probes: what is tried once, each a function of a place to do it in."""

import os
import random
import shutil

import crash
import limits
import names
import nesting
import same
import served


class Place:
    """Where a probe works: the program, a folder of its own, good files, the tally, a random
    generator."""

    def __init__(self, program, folder, good, tally, seed, rounds):
        self.program, self.folder, self.good, self.tally, self.rounds = (
            program,
            folder,
            good,
            tally,
            rounds,
        )
        self.kind = os.path.basename(folder)
        self.rng = random.Random(f"{seed}/{self.kind}")
        os.makedirs(folder, exist_ok=True)

    def room(self, name):
        """An empty folder."""
        path = os.path.join(self.folder, name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        return path

    def take(self, room, *files):
        for name in files:
            shutil.copy(os.path.join(self.good, name), room)

    def write(self, room, name, data):
        with open(os.path.join(room, name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())

    def read(self, room, name):
        path = os.path.join(room, name)
        if not os.path.exists(path):
            return None
        with open(path, "rb") as file:
            return file.read()

    def run(self, arguments, room, ending="", **settings):
        """Runs the program; what is wrong with its end is a finding."""
        ended = limits.run(self.program, arguments, room, **settings)
        fault = limits.fault(ended, arguments)
        self.tally.count(self.kind, arguments[0], ending, fault[0] if fault else ended.code)
        if fault:
            self.find(fault[0], ending or arguments[0], arguments, fault[1])
        return ended

    def find(self, fault, about, arguments, detail):
        signature = (fault, self.kind, about)
        if self.tally.is_new(signature):
            shown = [
                argument if len(argument) < 200 else argument[:200] + "…" for argument in arguments
            ]
            self.tally.find(signature, shown, {}, detail, kept=False)

    def expect(self, holds, fault, about, arguments, detail):
        if not holds:
            self.find(fault, about, arguments, detail)
        return holds


PROBES = {
    "nesting": nesting.probe,
    "names": names.probe,
    "kill": crash.killed,
    "full": crash.full,
    "writers": crash.writers,
    "same": same.probe,
    "view": served.probe,
}
