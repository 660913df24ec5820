"""Who is right, who is wrong, and who is wrong by policy.

Every answer gets one of these verdicts:

    right     as expected; a length within its tolerance
    cannot    no answer, or one that cannot be told: an engine that knows inside and outside only, asked about a point on the surface
    touching  wrong in the way of an engine for which touching is no contact: no for yes where triangles touch and none cross, or
              fewer pairs than meet but no fewer than cross
    meaning   wrong for surfaces and right for solids, or the other way round: said by an engine that does not say which it means
    error     an exception, a crash, an infinite number, no end
    wrong     anything else

A policy is fair if it is kept to, so for each engine it is also counted how many of the scenes that only touch it calls contact, and how many cases
it answers differently in different guises: those are contradictions, whatever the policy.
"""

import collections

VERDICTS = ["right", "touching", "meaning", "wrong", "error", "cannot"]
# Engines that do not say whether they compare surfaces or solids.
OF_UNSAID_MEANING = {"trimesh"}


def facts(scene):
    """What is expected of a scene, by question; without lengths."""
    known = {}
    for check in scene["checks"]:
        known.setdefault(check["question"], check["expected"])
    return known


def verdict(engine, known, check, given):
    expected, question = check["expected"], check["question"]
    if given is None:
        return "cannot"
    if isinstance(given, dict):
        return "error"
    if check["tolerance"] is not None:
        right_side = expected == 0 or (expected > 0) == (given > 0)
        if right_side and abs(given - expected) <= check["tolerance"]:
            return "right"
        return "meaning" if is_other_meaning(engine, known, check, given) else "wrong"
    if given == expected:
        return "right"
    if expected == "on":
        return "cannot" if given in ("inside", "outside") and engine != "ours" else "wrong"
    if is_other_meaning(engine, known, check, given):
        return "meaning"
    return "touching" if is_policy(known, check, given) else "wrong"


def is_other_meaning(engine, known, check, given):
    """Right for solids where surfaces were asked for, or the other way round."""
    question = check["question"]
    if engine not in OF_UNSAID_MEANING or "solids_meet" not in known:
        return False
    if question in ("distance", "within"):
        # Solids that overlap are at no distance.
        return known["solids_meet"] and not known["meets"] and given in (0, True)
    return question in ("meets", "solids_meet") and given == known["solids_meet" if question == "meets" else "meets"]


def is_policy(known, check, given):
    question = check["question"]
    only_touch = known.get("surface") in ("touching", "duplicate")
    if question == "meets" or (question == "within" and check["argument"] == 0):
        return only_touch and given is False
    if question == "solids_meet":
        return known.get("solid") == "touching" and given is False
    if question == "solid":
        return check["expected"] == "touching" and given in ("clear", "clearance")
    if question == "pairs":
        return known["crossing_pairs"] <= given <= check["expected"]
    return False


def judge(scenes, answers):
    """For each engine a list of (scene, check, given, verdict)."""
    findings = {}
    for engine, all_given in answers.items():
        found = []
        for scene, given in zip(scenes, all_given, strict=True):
            known = facts(scene)
            for check, one in zip(scene["checks"], given, strict=True):
                one = [list(pair) for pair in one] if check["question"].endswith(("list", "self_pairs")) and isinstance(one, list) else one
                found.append((scene, check, one, verdict(engine, known, check, one)))
        findings[engine] = found
    return findings


def groups(found):
    """The same question about the same case, in all its guises."""
    grouped = collections.OrderedDict()
    places = collections.Counter()
    for scene, check, given, what in found:
        place = places[scene["id"], check["question"]]
        places[scene["id"], check["question"]] += 1
        grouped.setdefault((scene["theme"], scene["case"], check["question"], place), []).append((scene["variant"], check, given, what))
    return grouped


def contradictions(found):
    """Groups that are right in some guises and not in others, and by which guise, against the plain one."""
    inconsistent, by_variant = [], collections.Counter()
    for key, members in groups(found).items():
        answered = {variant: what == "right" for variant, _, _, what in members if what not in ("cannot", "error")}
        if len(set(answered.values())) < 2:
            continue
        inconsistent.append(key)
        for variant, right in answered.items():
            by_variant[variant] += "plain" in answered and right != answered["plain"]
    return inconsistent, by_variant


def policy(found):
    """Of the scenes that only touch, how many are called contact."""
    asked = [given for scene, check, given, _ in found if check["question"] == "meets" and facts(scene)["surface"] in ("touching", "duplicate") and isinstance(given, bool)]
    return sum(asked), len(asked)


def tally(found):
    return collections.Counter(what for _, _, _, what in found)


def table(rows):
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def cell(counts):
    wrong = sum(counts[what] for what in ("wrong", "meaning", "touching", "error"))
    return f"{counts['right']} / {wrong} / {counts['cannot']}" if counts["right"] + wrong else "–"


def split(found, key):
    counts = collections.defaultdict(collections.Counter)
    for item in found:
        counts[key(item)][item[3]] += 1
    return counts


def shown(value):
    if isinstance(value, dict):
        return value["error"]
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def question_text(check):
    argument = check["argument"]
    return check["question"] if argument in (None, 0) else f"{check['question']} {shown(argument)}"


def failures(found):
    """A line for every question about a case that is not answered rightly in all its guises."""
    lines = []
    for (theme, case, _, _), members in groups(found).items():
        bad = [member for member in members if member[3] not in ("right", "cannot")]
        if not bad:
            continue
        variant, check, given, what = bad[0]
        asked = sum(member[3] != "cannot" for member in members)
        guises = "in every guise" if len(bad) == asked else f"in {len(bad)} of {asked}: " + ", ".join(member[0] for member in bad)
        lines.append(
            f"- {theme} / {case}, {question_text(check)}: {shown(check['expected'])}, "
            f"not {shown(given)} ({what}{'' if variant == 'plain' else ', ' + variant}; {guises})"
        )
    return lines


def report(scenes, findings, versions, absent, date):
    engines = list(findings)
    checks = sum(len(scene["checks"]) for scene in scenes)
    cases = len({scene["case"] for scene in scenes})
    by_theme = {engine: split(found, lambda item: item[0]["theme"]) for engine, found in findings.items()}
    by_question = {engine: split(found, lambda item: item[1]["question"]) for engine, found in findings.items()}
    themes = list(dict.fromkeys(scene["theme"] for scene in scenes))
    questions = list(dict.fromkeys(check["question"] for scene in scenes for check in scene["checks"]))
    plain = [["engine", *VERDICTS]]
    for engine, found in findings.items():
        counts = tally([item for item in found if item[0]["variant"] == "plain"])
        plain.append([engine, *(counts[what] for what in VERDICTS)])
    summary = [["engine", "asked", *VERDICTS, "touching called contact", "cases and questions contradicted"]]
    for engine, found in findings.items():
        counts, (touch, scenes_touching) = tally(found), policy(found)
        summary.append([engine, versions[engine], *(counts[what] for what in VERDICTS), f"{touch} of {scenes_touching}", len(contradictions(found)[0])])
    variants = [variant for variant in dict.fromkeys(scene["variant"] for scene in scenes) if variant != "plain"]
    flips = [["engine", *variants]]
    for engine, found in findings.items():
        _, by_variant = contradictions(found)
        flips.append([engine, *(by_variant[variant] for variant in variants)])
    parts = [
        f"# The conformance suite, {date}",
        f"{cases} cases in {len(scenes)} scenes, {checks} questions. `testdata/conformance/README.md` has the definitions, `bench/conformance/judge.py` "
        "what the verdicts mean, and the files in `bench/conformance/rivals` (for parry `bench/conformance/parry`) how each engine was asked.",
        "An engine is not to blame for what it does not set out to answer (*cannot*), nor for holding that touching is no contact (*touching*), as long as it keeps "
        "to it: *touching called contact* says in how many of the scenes that only touch it says yes, and the last column how many questions about a case it answers rightly in some guises and "
        "wrongly in others.",
        table(summary),
        *(f"{name} is absent: {why}" for name, why in absent.items()),
        "The same for the cases as they are written, without their guises; so without most of what is asked far out and at a millionth of the size:",
        table(plain),
        "## By theme: right / not right / cannot",
        table([["theme", *engines]] + [[theme, *(cell(by_theme[engine][theme]) for engine in engines)] for theme in themes]),
        "## By question: right / not right / cannot",
        table([["question", *engines]] + [[question, *(cell(by_question[engine][question]) for engine in engines)] for question in questions]),
        "## Answers that change though nothing changed",
        "Questions whose verdict in this guise is not that of the plain case.",
        table(flips),
        "## What is not right",
        "Case, question: what is expected, not what was given.",
    ]
    for engine, found in findings.items():
        lines = failures(found)
        parts += [f"### {engine} ({len(lines)})", "\n".join(lines) or "Nothing."]
    return "\n\n".join(parts) + "\n"


def data(scenes, findings, versions, absent, date):
    """The record for machines: counts, and every answer that is not right."""
    engines = {}
    for engine, found in findings.items():
        inconsistent, by_variant = contradictions(found)
        engines[engine] = {
            "version": versions[engine],
            "verdicts": dict(tally(found)),
            "by_theme": {theme: dict(counts) for theme, counts in split(found, lambda item: item[0]["theme"]).items()},
            "contradictions": [list(key[:3]) for key in inconsistent],
            "contradictions_by_variant": dict(by_variant),
            "touching_called_contact": policy(found),
            "not_right": [
                {"theme": theme, "case": case, "question": question, "answers": [
                    [variant, shown(check["argument"]), shown(check["expected"]), shown(given), what]
                    for variant, check, given, what in members
                    if what not in ("right", "cannot")
                ]}
                for (theme, case, question, _), members in groups(found).items()
                if any(what not in ("right", "cannot") for _, _, _, what in members)
            ],
        }
    return {"date": date, "scenes": len(scenes), "checks": sum(len(scene["checks"]) for scene in scenes), "absent": absent, "engines": engines}
