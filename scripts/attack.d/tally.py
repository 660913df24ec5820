"""What was run and what was found: counted, kept, printed."""

import collections
import hashlib
import json
import os
import re
import shutil


class Tally:
    """Counts of runs by kind, command, format and outcome, and findings, one of each signature."""

    def __init__(self, keep, known=()):
        self.keep, self.known = keep, set(known)
        self.counts = {
            name: collections.Counter() for name in ("kind", "command", "format", "outcome")
        }
        self.skipped = collections.Counter()
        self.findings = {}
        self.repeats = collections.Counter()

    def count(self, kind, command="", ending="", outcome=""):
        for name, value in (
            ("kind", kind),
            ("command", command),
            ("format", ending),
            ("outcome", outcome),
        ):
            if value != "":
                self.counts[name][str(value)] += 1

    def skip(self, what):
        self.skipped[what] += 1

    def is_new(self, signature):
        self.repeats[signature] += 1
        return signature not in self.findings

    def find(self, signature, arguments, files, detail, kept=True):
        """Keeps a finding as a case: its arguments and its files, in a folder that says which."""
        if signature in self.findings:
            return
        name = re.sub(r"[^a-z0-9]+", "-", "-".join(signature).lower())[:60].strip("-")
        name += "-" + hashlib.sha256(repr(signature).encode()).hexdigest()[:6]
        self.findings[signature] = name
        print(
            f"finding: {' / '.join(signature)}\n  elbowroom {' '.join(arguments)}\n  {detail}",
            flush=True,
        )
        if not kept:
            return
        folder = os.path.join(self.keep, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for path, data in files.items():
            with open(os.path.join(folder, path), "wb") as file:
                file.write(data)
        about = {
            "why": f"{' / '.join(signature)}: {detail}",
            "arguments": arguments,
            "codes": [0, 1, 2, 3],
        }
        with open(os.path.join(folder, "case.json"), "w", encoding="utf-8") as file:
            json.dump(about, file, indent=2)
            file.write("\n")

    def unknown(self):
        """Findings that are not on the list of known ones."""
        return [found for found in self.findings if " / ".join(found) not in self.known]

    def report(self):
        total = sum(self.counts["kind"].values())
        print(f"\n{total} runs, {len(self.findings)} findings")
        for name, counter in self.counts.items():
            print(
                f"  by {name}: "
                + ", ".join(f"{key} {count}" for key, count in sorted(counter.items()))
            )
        for what, count in sorted(self.skipped.items()):
            print(f"  skipped {count}: {what}")
        for signature, name in self.findings.items():
            state = "known, " if " / ".join(signature) in self.known else ""
            print(
                f"  finding ({state}{self.repeats[signature]} times): {' / '.join(signature)}; kept as {name}"
            )
