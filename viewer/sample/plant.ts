/** Pipes and ducts in a room: clashes without time, in the unit of the files, Z up. */
import type { Incident, Kind, Vec3 } from "../src/data.ts";
import { about } from "./math.ts";
import type { Sample } from "./stage.ts";
import { Stage } from "./stage.ts";
import { cuboid, pipe } from "./things.ts";

export function plant(): Sample {
  const stage = new Stage(1);
  const thing = (name: string, mesh: ReturnType<typeof cuboid>, place: Vec3, turn?: [number, number, number, number]): number =>
    stage.thing(name, "model", stage.mesh(name, mesh), mesh.indices.length / 3, place, turn);
  const quarter = about([0, 0, 1], Math.PI / 2);
  const slab = thing("slab-L2", cuboid([4, 3, 0.15]), [0, 0, -0.15]);
  const duct = thing("duct-supply-01", cuboid([3.4, 0.3, 0.2]), [0, 0.4, 2.3]);
  const main = thing("pipe-CW-main", pipe(0.11, 3.2), [0, -0.3, 2.25]);
  const branch = thing("pipe-CW-branch-3", pipe(0.06, 2), [0.9, 0, 2.3], quarter);
  const column = thing("column-B4", cuboid([0.2, 0.2, 1.6]), [-1.4, 0.35, 1.6]);
  const sprinkler = thing("sprinkler-12", pipe(0.03, 0.15), [1.9, 0.4, 2.3]);
  const sleeve = thing("sleeve-12", pipe(0.09, 0.3), [-2.4, -0.28, 2.25], about([0, 1, 0], 0.06));
  const copy = thing("column-B4 (copy)", cuboid([0.2, 0.2, 1.6]), [-1.4, 0.35, 1.6]);
  const base = thing("base-plate-B4", cuboid([0.35, 0.35, 0.02]), [-1.4, 0.35, 0.02]);
  const one = (a: number, b: number, kind: Kind, depth: number | null, pairs: number, point: Vec3, normal: Vec3, distance: number | null = null): Incident => ({
    id: 0, a, b, kind, first: 0, last: 0, worst: 0, frames: 1, depth, pairs, distance, certainty: "exact", parts: [], point, normal,
    series: [[0, depth, pairs]],
  });
  const incidents = [
    one(column, copy, "duplicate", 0.2, 12, [-1.4, 0.35, 1.6], [0, 0, 1]),
    one(duct, branch, "crossing", 0.06, 52, [0.9, 0.4, 2.3], [0, 0, 1]),
    one(duct, column, "crossing", 0.2, 24, [-1.4, 0.4, 2.3], [1, 0, 0]),
    one(main, branch, "crossing", 0.11, 88, [0.9, -0.3, 2.28], [0, 0, 1]),
    one(duct, sprinkler, "containment", 0.23, 0, [1.9, 0.4, 2.3], [0, 1, 0]),
    one(main, sleeve, "crossing", 0.09, 40, [-2.4, -0.28, 2.25], [0, 0, 1]),
    one(slab, base, "touching", 0, 8, [-1.4, 0.35, 0], [0, 0, 1]),
    one(main, duct, "clearance", 0, 0, [0, -0.01, 2.24], [0, 1, 0], 0.29),
  ];
  const report = stage.report(incidents, {
    title: "level 2, mechanical",
    command: "elbowroom check level2/*.stl --solid --clearance 0.3 --depth -o report.html",
    files: stage.objects.map((object) => ({ path: `level2/${object.name}.stl`, status: "ok" as const })),
    fps: null,
    unit: null,
    up: "z",
  });
  report.asked.clearance = 0.3;
  return { report, shot: stage.finish([], 0, { up: "z", ground: -0.3 }) };
}
