"""Checks of files and arrays from Python, against the program and against the engine."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import elbowroom as er

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])


def mover(frames=5, name="mover", **more):
    """Comes from x = 2 to x = 0."""
    shift = np.linspace(2, 0, frames)[:, None, None] * [1.0, 0.0, 0.0]
    return er.Sequence(CORNERS + shift, FACES, fps=30, name=name, units="m", **more)


def rock(name="rock"):
    return er.Sequence(CORNERS, FACES, name=name, units="m")


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    """Two people as a GLB each."""
    folder = tmp_path_factory.mktemp("people")
    paths = []
    for who in ("man", "woman"):
        path = folder / f"{who}.glb"
        er.make(who, path)
        paths.append(str(path))
    return paths


def program(*args, cwd=None):
    """The program of the wheel, as a process."""
    command = [sys.executable, "-m", "elbowroom", *args]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=120)


class TestSameAsTheProgram:
    def test_json_has_the_same_bytes(self, people, tmp_path):
        asked = {"frames": (0, 20, 4), "clip": "walk"}
        for options, flags in [
            ({}, []),
            ({"depth": True}, ["--depth"]),
            ({"where": True, "touching": "ignore"}, ["--where", "--touching", "ignore"]),
            ({"clearance": "5cm"}, ["--clearance", "5cm"]),
            ({"self": True, "rest": "count"}, ["--self", "--rest", "count"]),
            ({"continuous": True, "solid": True}, ["--continuous", "--solid"]),
            ({"triangles": True}, ["--triangles"]),
            ({"allow_left_out": True}, ["--allow-left-out"]),
            ({"report_unit": "mm", "gap": 0}, ["--report-unit", "mm", "--gap", "0"]),
        ]:
            ours = er.check(people, **asked, **options)
            ran = program(
                "check", *people, "--frames", "0-20x4", "--clip", "walk", "--json", *flags
            )
            assert ours.exit_code == ran.returncode
            assert ours._native.json().decode() == ran.stdout, flags

    def test_files_have_the_same_bytes(self, people, tmp_path):
        report = er.check(people, clip="walk", frames=(0, 8), continuous=True)
        assert len(report.contacts) > 0
        for ending in ("json", "ndjson", "csv", "parquet"):
            mine, theirs = tmp_path / f"mine.{ending}", tmp_path / f"theirs.{ending}"
            report.save(mine)
            flags = ["--clip", "walk", "--frames", "0-8", "--continuous"]
            program("check", *people, *flags, "-q", "-o", str(theirs))
            assert mine.read_bytes() == theirs.read_bytes(), ending
        for beside in ("incidents", "between"):
            mine, theirs = tmp_path / f"mine.{beside}.csv", tmp_path / f"theirs.{beside}.csv"
            assert mine.read_bytes() == theirs.read_bytes(), beside

    def test_the_program_runs_in_the_interpreter(self, tmp_path):
        ran = program("--version")
        assert ran.returncode == 0 and ran.stdout == f"elbowroom {er.__version__}\n"
        assert program("check", "nothing.obj", "more.obj").returncode == 2
        ran = program("make", "box", "-o", "a.obj", cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
        assert program("check", "a.obj", "a.obj", cwd=tmp_path).returncode == 1
        assert program("chekc").returncode == 2

    def test_the_program_starts_at_once(self):
        # NumPy takes longer than the program; neither it nor anything else of size is imported.
        code = (
            "import sys; from elbowroom.__main__ import main\n"
            "try: main(['make', 'list'])\nexcept SystemExit: pass\n"
            "print(sorted({'numpy', 'json', 'tempfile', 'ctypes'} & set(sys.modules)))"
        )
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert ran.stdout.splitlines()[-1] == "[]", ran.stdout


class TestWork:
    def test_every_way_to_keep_boxes_finds_the_same(self, tmp_path):
        link = (
            "<link name='{0}'><collision><geometry><box size='1 .2 .3'/></geometry></collision>"
            "</link>"
        )
        joint = (
            "<joint name='j{1}' type='revolute'><axis xyz='0 0 1'/>"
            "<limit lower='-3' upper='3' effort='1' velocity='1'/>"
            "<origin xyz='.4 0 .1' rpy='0 0 1.1'/>"
            "<parent link='{0}'/><child link='{1}'/></joint>"
        )
        names = [f"l{k}" for k in range(12)]
        links = "".join(link.format(name) for name in names)
        joints = "".join(joint.format(*two) for two in zip(names, names[1:]))
        snake = tmp_path / "snake.urdf"
        snake.write_text(f"<robot name='snake'>{links}{joints}</robot>")
        ask = {"self": True}
        expected = er.check([snake], **ask).to_dict()
        assert "work" not in expected
        left = {}
        for refit in ("auto", "cab", "cab-sum", "obb", "aabb", "aabb-vertices"):
            found = er.check([snake], **ask, refit=refit, counts=True).to_dict()
            work = found.pop("work")
            assert found == expected and work["refit"] == refit
            assert (work["box_tests"] is None) == (refit == "auto")
            left[refit] = work["pairs_left"]
        assert left["cab"] == left["obb"] and left["aabb-vertices"] <= left["aabb"]
        with pytest.raises(er.InputError, match="plain meshes|no object"):
            er.check([mover(), rock()], refit="cab")


class TestSequences:
    def test_frames_are_those_of_the_engine(self):
        report = er.check([mover(9), rock()])
        model = er.Model(CORNERS, FACES)
        expected = []
        for frame, vertices in enumerate(mover(9).vertices):
            if model.intersects(er.Model(vertices, FACES)):
                expected.append(frame)
        assert report.contacts["frame"].tolist() == expected and len(expected) == 5
        assert set(report.contacts["a"]) == {"mover"} and set(report.contacts["b"]) == {"rock"}
        assert report.incidents.row(0)["first"] == expected[0]

    def test_pairs_of_triangles_are_those_of_the_engine(self):
        report = er.check([mover(4), rock()], triangles=True)
        model = er.Model(CORNERS, FACES)
        for row, pairs in zip(report.contacts.rows(), report.triangles):
            moved = er.Model(mover(4).vertices[row["frame"]], FACES)
            assert pairs.tolist() == moved.contacts(model).pairs.tolist()
        assert len(report.triangles) == len(report.contacts) > 0

    @pytest.mark.parametrize("kind", ["f4", "f8", ">f8", "i4", "f2"])
    def test_any_type_and_strides(self, kind):
        shift = np.array([2.0, 1.0, 0.0])[:, None, None] * [1.0, 0.0, 0.0]
        wide = np.zeros((3, 4, 6), dtype=kind)
        wide[:, :, ::2] = CORNERS + shift
        report = er.check([er.Sequence(wide[:, :, ::2], FACES, 30, units="m"), rock()])
        assert report.contacts["frame"].tolist() == [1, 2]

    def test_the_array_is_not_copied(self):
        array = np.zeros((3, 4, 3), dtype=np.float32)
        assert np.shares_memory(er.Sequence(array, FACES).vertices, array)

    def test_parts_are_named(self):
        labelled = mover(3, parts=["low", "low", "top", "low"])
        report = er.check([labelled, rock()])
        row = report.contacts.row(0)
        assert row["part_a"] in ("low", "top") and row["part_b"] == "rock"
        named = mover(3, parts={"top": [2]})
        parts = er.check([named, rock()]).to_dict()["incidents"][0]["parts"]
        assert {part["a"] for part in parts} == {"mover", "top"}

    def test_rates_are_matched_by_time(self):
        # 30 and 60 frames a second over the same second.
        slow = er.Sequence(CORNERS + 3 + np.zeros((31, 1, 3)), FACES, 30, "slow", units="m")
        shift = np.linspace(0, 3, 61)[:, None, None]
        fast = er.Sequence(CORNERS + shift, FACES, 60, "fast", units="m")
        report = er.check([slow, fast])
        assert report.contacts["time"][0] > 0.6
        assert any("rate" in text for text in report.warnings)

    def test_units(self):
        small = er.Sequence(CORNERS * 1000 + 0, FACES, name="mm", units="mm")
        report = er.check([small, rock()], report_unit="cm", depth=True)
        assert report.contacts["kind"].tolist() == ["duplicate"]
        assert report.contacts["unit"][0] == "cm"

    def test_workers_give_the_same(self):
        one = er.check([mover(40), rock()], threads=1, where=True)
        two = er.check([mover(40), rock()], threads=2, where=True)
        assert one._native.json() == two._native.json()


class TestInputs:
    def test_all_kinds_together(self, people):
        class Like:
            vertices, faces = CORNERS, FACES

        given = [people[0], mover(), er.Model(CORNERS, FACES), Like(), (CORNERS, FACES)]
        report = er.check([*given, er.load(people[1], clip="walk")])
        names = [entry["name"] for entry in report.objects]
        assert len(names) == len(set(names)) == 6

    def test_a_dict_gives_names(self):
        report = er.check({"a/b.c": rock(), "ü": mover()})
        assert [entry["name"] for entry in report.objects] == ["a/b.c", "ü"]

    def test_a_scene_file(self, people, tmp_path):
        scene = tmp_path / "scene.toml"
        scene.write_text('[[character]]\nname = "x"\nfile = "man.glb"\nclip = "walk"\n')
        shutil.copy(people[0], tmp_path / "man.glb")
        with pytest.raises(er.InputError, match="only|itself|one object"):
            er.check(scene)

    @pytest.mark.parametrize(
        ("inputs", "options", "text"),
        [
            ([], {}, "nothing to check"),
            (["no.glb", "no.obj"], {}, "no such file"),
            ([3, 4], {}, "int cannot be checked"),
            ([CORNERS, FACES], {}, "cannot be checked"),
            ({"a": (CORNERS, FACES)}, {}, "alone|itself|two"),
            (
                {"a": (CORNERS, FACES), "b": (CORNERS, FACES)},
                {"clearance": "1 parsec"},
                "clearance",
            ),
            ({"a": (CORNERS, FACES), "b": (CORNERS, FACES)}, {"touching": "maybe"}, "touching"),
            ({"a": (CORNERS, FACES), "b": (CORNERS, FACES)}, {"units": "elbow"}, "units"),
        ],
    )
    def test_refusals(self, inputs, options, text):
        with pytest.raises(er.InputError, match=text):
            er.check(inputs, **options)

    @pytest.mark.parametrize(
        "vertices",
        [
            CORNERS[0],
            CORNERS[:, :2],
            np.zeros((0, 3)),
            np.zeros((0, 4, 3)),
            "abc",
            None,
            [[1, "a", 2]],
        ],
    )
    def test_bad_vertices(self, vertices):
        with pytest.raises(er.ArrayError):
            er.Sequence(vertices, FACES)

    def test_a_bad_frame_is_reported_and_the_others_are_kept(self):
        bad = mover(5)
        bad.vertices[2, 1, 0] = np.nan
        report = er.check([bad, rock()])
        assert report.exit_code == 3 and not report.is_complete
        assert any("frame 2: vertex 1" in text and "finite" in text for text in report.warnings)
        assert report.contacts["frame"].tolist() == [3, 4]

    def test_frames(self):
        for frames in ("1-3x2", (1, 3, 2), range(1, 4, 2), slice(1, 4, 2)):
            report = er.check([mover(5), rock()], frames=frames)
            assert report.summary["frames_examined"] == 2
        for frames in (range(0), {"a"}, slice(0, None)):
            with pytest.raises(ValueError):
                er.check([mover(5), rock()], frames=frames)


class TestReports:
    def test_tables(self):
        report = er.check([mover(), rock()], depth=True)
        contacts = report.contacts
        assert contacts.columns == list(json.loads(er_columns()))
        assert len(contacts) == 3 and contacts["depth"].dtype == np.float64
        assert contacts["triangle_pairs"].dtype == np.int64
        deep = contacts[contacts["depth"] > 0]
        assert len(deep) == len(list(deep.rows())) >= 1
        with pytest.raises(KeyError, match="there are"):
            contacts["no such column"]

    def test_arrow(self):
        pyarrow = pytest.importorskip("pyarrow")
        report = er.check([mover(), rock()])
        table = pyarrow.table(report.contacts)
        assert table.num_rows == 3 and table.column("a").to_pylist() == ["mover"] * 3
        assert table.column("depth").null_count == 3
        empty = er.check([mover(), rock()], frames=(0, 1)).contacts
        assert pyarrow.table(empty).num_rows == 0

    def test_polars_and_pandas(self):
        report = er.check([mover(), rock()])
        polars = pytest.importorskip("polars")
        frame = report.contacts.to_polars()
        assert isinstance(frame, polars.DataFrame) and frame["frame"].to_list() == [2, 3, 4]
        pandas = pytest.importorskip("pandas")
        table = report.incidents.to_pandas()
        assert isinstance(table, pandas.DataFrame) and table["a"][0] == "mover"

    def test_arrow_is_released(self):
        pyarrow = pytest.importorskip("pyarrow")
        from elbowroom import _arrow

        report = er.check([mover(), rock()])
        before = len(_arrow._kept)
        for _ in range(50):
            pyarrow.table(report.contacts).to_pydict()
            report.contacts.__arrow_c_stream__()
        assert len(_arrow._kept) == before

    def test_the_page(self, tmp_path):
        report = er.check([mover(), rock()], where=True)
        report.save(tmp_path / "report.html")
        page = (tmp_path / "report.html").read_text()
        assert "elbowroom.check([mover, rock]" in page and page.startswith("<!DOCTYPE html>")
        assert report._repr_html_().startswith("<iframe srcdoc=")

    @pytest.mark.parametrize("name", ["x.txt", "x", "no/such/folder/x.json"])
    def test_files_that_cannot_be_written(self, name, tmp_path):
        report = er.check([mover(), rock()])
        with pytest.raises(OSError):
            report.save(tmp_path / name)

    def test_what_was_read_may_be_written_later(self, people, tmp_path):
        path = tmp_path / "box.obj"
        er.make("box", path)
        er.check([path, rock()], units="m")
        er.make("ball", path)
        assert len(er.load(path).pose().faces) > 12

    def test_progress(self):
        seen = []
        er.check([mover(20), rock()], progress=lambda done, of: seen.append((done, of)))
        assert seen[-1] == (20, 20) and seen == sorted(seen)

        class Enough(Exception):
            pass

        def stop(done, of):
            if done > 3:
                raise Enough

        with pytest.raises(Enough):
            er.check([mover(2000), rock()], progress=stop)
        assert len(er.check([mover(), rock()]).contacts) == 3

    def test_a_check_within_a_check(self):
        found = []
        er.check([mover(3), rock()], progress=lambda *_: found.append(er.check([mover(), rock()])))
        assert len(found) == 3 and all(len(report.contacts) == 3 for report in found)


def er_columns() -> str:
    """The columns as the program's CSV names them."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.csv")
        er.check([mover(), rock()]).save(path)
        with open(path, encoding="utf-8") as file:
            return json.dumps(file.readline().strip().split(","))


class TestThreadsAndSignals:
    def test_threads_do_not_hear_each_other(self):
        reports = {}

        def run(number):
            reports[number] = er.check([mover(4 + number), rock()], units="m")

        threads = [threading.Thread(target=run, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for number, report in reports.items():
            alone = er.check([mover(4 + number), rock()], units="m")
            assert report._native.json() == alone._native.json()

    def test_ctrl_c_ends_a_check(self):
        code = """
import numpy as np, elbowroom as er, signal, sys
# A shell hides the signal from what it starts in the background, and so from its children.
signal.signal(signal.SIGINT, signal.default_int_handler)
ball = er.make("ball", detail=40).pose()
shift = np.linspace(0, 0.1, 100000)[:, None, None]
moving = er.Sequence(np.broadcast_to(ball.vertices, (100000, *ball.vertices.shape)), ball.faces, 30)
print("begun", flush=True)
try:
    er.check([moving, (ball.vertices, ball.faces)], depth=True, units="m")
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(er.Model(ball.vertices, ball.faces).intersects(er.Model(ball.vertices, ball.faces)))
"""
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "begun\n"
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=300)
        assert out.splitlines() == ["interrupted", "True"]


class TestShots:
    def test_a_shot_is_what_info_says(self, people):
        shot = er.load(people[0], clip="walk")
        posed = shot.pose()
        assert posed.vertices.shape[1] == 3 and posed.faces.max() < len(posed.vertices)
        assert len(shot.parts(shot.names[0])) > 5 and posed.parts.max() < len(
            shot.parts(shot.names[0])
        )

    def test_a_sequence_of_a_shot_finds_the_same(self, people):
        shots = [er.load(path, clip="walk") for path in people]
        direct = er.check(shots, fps=30, frames=(0, 10))
        baked = er.check(
            [er.load(path, clip="walk", fps=30).sequence() for path in people], frames=(0, 10)
        )
        assert (
            direct.contacts["triangle_pairs"].tolist() == baked.contacts["triangle_pairs"].tolist()
        )
        assert direct.contacts["part_a"].tolist() == baked.contacts["part_a"].tolist()

    def test_refusals(self, people, tmp_path):
        with pytest.raises(er.InputError, match="no such file"):
            er.load("nothing.glb")
        with pytest.raises(er.InputError, match="clip"):
            er.load(people[0], clip="no such clip")
        with pytest.raises(ValueError, match="units"):
            er.load(people[0], units="elbow")
        shot = er.load(people[0])
        with pytest.raises(IndexError):
            shot.pose(frame=10**6)
        with pytest.raises(er.UnknownNameError):
            shot.pose("nobody")
        with pytest.raises(er.InputError):
            er.make("unicorn")
        text = tmp_path / "x.glb"
        text.write_bytes(b"glTF")
        with pytest.raises(er.InputError, match="x.glb"):
            er.load(text)


class TestCrowdsAndClips:
    def table(self):
        frame = np.arange(40)
        rows = [[1, t, 0.1 * t, 0.0] for t in frame] + [[2, t, 4 - 0.1 * t, 0.0] for t in frame]
        return np.array(rows)

    def test_every_kind_of_table_says_the_same(self):
        table = self.table()
        named = {name: table[:, index] for index, name in enumerate(("id", "frame", "x", "y"))}
        expected = er.crowd(table, fps=10).to_dict()
        assert expected["touch"] and expected["people"] == 2
        others = [named]
        pandas = pytest.importorskip("pandas")
        others.append(pandas.DataFrame(named))
        polars = pytest.importorskip("polars")
        others.append(polars.DataFrame(named))
        others.append(np.rec.fromarrays(list(named.values()), names=list(named)))

        class PedPyLike:
            frame_rate = 10.0
            data = pandas.DataFrame(named)

        for other in others:
            found = er.crowd(other, fps=10).to_dict()
            assert found["contacts"] == expected["contacts"]
        assert er.crowd(PedPyLike()).to_dict()["contacts"] == expected["contacts"]

    def test_other_cylinders_find_the_same(self):
        expected = er.crowd(self.table(), fps=10).to_dict()
        made = set()
        options = (
            {"threshold": "5cm"},
            {"parts": "triangles", "split": "covariance"},
            {"level": 2},
        )
        for option in options:
            found = er.crowd(self.table(), fps=10, **option)
            assert found.to_dict()["contacts"] == expected["contacts"]
            assert not any(found.methods["missed"][2:])
            made.add(str(found.to_dict()["cylinders"]))
        assert len(made) == 3
        with pytest.raises(er.InputError, match="1mm"):
            er.crowd(self.table(), fps=10, threshold=0)

    def test_refusals(self):
        with pytest.raises(er.ArrayError, match="no column"):
            er.crowd({"id": [1], "frame": [0], "x": [0.0]})
        with pytest.raises(er.ArrayError, match="shape"):
            er.crowd(np.zeros((3, 2)))
        with pytest.raises(er.ArrayError, match="whole"):
            er.crowd({"id": [1.5], "frame": [0], "x": [0.0], "y": [0.0]})
        with pytest.raises(er.InputError):
            er.crowd("nothing.csv")

    def test_clips(self, people):
        met = er.clips(*people, clip_a="walk", clip_b="walk", place_b=(0.3, 0.0))
        assert met.collide and met.gap < 0 and len(met.offsets) >= 1
        waiting = er.clips(
            *people,
            clip_a="walk",
            clip_b="walk",
            place_b=(0.3, 0.0),
            start_b=met.offsets[-1, 1] + 0.01,
        )
        assert not waiting.collide
        with pytest.raises(er.InputError):
            er.clips(people[0], "nothing.bvh")

    def test_every_method_of_clips_says_the_same(self, people):
        ask = {"clip_a": "walk", "clip_b": "walk", "place_b": (0.3, 0.0)}
        expected = er.clips(*people, **ask)
        nodes = set()
        for method in ("mobb", "umobb", "hybrid1", "hybrid2", "one-level"):
            met = er.clips(*people, **ask, method=method, n_min=5, counts=True)
            counts = met.to_dict()["counts"]
            assert counts["method"] == method and counts["box_tests"] > 0
            nodes.add(tuple(counts["nodes"]))
            assert np.array_equal(met.offsets, expected.offsets) and met.gap == expected.gap
            assert met.to_dict()["contacts"] == expected.to_dict()["contacts"]
        assert len(nodes) == 1
        moving = er.clips(*people, **ask, method="mobb", between="linear", offsets=False)
        assert moving.collide and "intervals" not in repr(moving)
        with pytest.raises(ValueError, match="not asked for"):
            _ = moving.offsets
        with pytest.raises(er.InputError, match="circles have none"):
            er.clips(*people, **ask, n_min=5)
        with pytest.raises(er.InputError, match="found on circles only"):
            er.clips(*people, **ask, method="mobb", between="linear")

    def test_sequences_as_clips(self):
        met = er.clips(mover(30), mover(30), units="m", up="y")
        assert met.collide
