/**
 * The container of typed arrays: eight bytes `elbshot1`, the length of the directory (u32, little-endian), the directory (JSON, UTF-8),
 * zeros up to a multiple of 8 bytes, then the data. Arrays are views into it, so that nothing is decoded before it is needed, but for those
 * stored as differences, which are added up once in place.
 */
import type { ArrayName, ArrayType, Directory } from "./data.ts";
import { SHOT_VERSION } from "./data.ts";

const MAGIC = "elbshot1";

export type Numbers = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array;

const TYPES = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
} as const;

type Of<T extends ArrayType> = InstanceType<(typeof TYPES)[T]>;

/** Reads a container; everything in it is checked when it is asked for. */
export class Container {
  readonly directory: Directory;
  readonly #data: ArrayBuffer;
  readonly #start: number;
  readonly #taken = new Map<ArrayName, Numbers>();

  constructor(data: ArrayBuffer) {
    const bytes = new Uint8Array(data);
    const magic = String.fromCharCode(...bytes.subarray(0, 8));
    if (magic !== MAGIC) throw new Error(`the shot begins with "${magic}", not with "${MAGIC}"`);
    const length = new DataView(data).getUint32(8, true);
    if (12 + length > data.byteLength) throw new Error("the shot is cut off in its directory");
    this.directory = JSON.parse(new TextDecoder().decode(bytes.subarray(12, 12 + length))) as Directory;
    if (this.directory.version !== SHOT_VERSION) {
      throw new Error(`the shot has version ${this.directory.version}; this page reads ${SHOT_VERSION}`);
    }
    this.#data = data;
    this.#start = align(12 + length);
  }

  /** An array by name, of one of the types that are right for it. */
  array<T extends ArrayType>(name: ArrayName, ...types: T[]): Of<T> {
    const known = this.#taken.get(name);
    if (known) return known as Of<T>;
    const entry = this.directory.arrays[name];
    if (!entry) throw new Error(`the shot has no array "${name}"`);
    if (!types.includes(entry.type as T)) throw new Error(`"${name}" is ${entry.type}, not ${types.join(" or ")}`);
    const start = this.#start + entry.at;
    const size = TYPES[entry.type].BYTES_PER_ELEMENT;
    if (start % size !== 0 || !(entry.length >= 0) || start + entry.length * size > this.#data.byteLength) {
      throw new Error(`"${name}" does not lie within the shot`);
    }
    const numbers = new TYPES[entry.type](this.#data, start, entry.length);
    if (entry.delta) addUp(numbers, entry.delta);
    this.#taken.set(name, numbers);
    return numbers as Of<T>;
  }
}

function addUp(numbers: Numbers, stride: number): void {
  // Typed arrays wrap around by themselves.
  for (let i = stride; i < numbers.length; i++) numbers[i] = numbers[i]! + numbers[i - stride]!;
}

const align = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** Writes containers: for the samples and the tests, and as the reference for other writers. */
export class ContainerWriter {
  readonly #arrays: Directory["arrays"] = {};
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** Adds an array and gives its name back. With `delta`, as differences from the number this many places before. */
  add(name: ArrayName, numbers: Numbers, delta?: number): ArrayName {
    const type = (Object.keys(TYPES) as ArrayType[]).find((key) => numbers instanceof TYPES[key])!;
    const stored = numbers.slice();
    if (delta) for (let i = stored.length - 1; i >= delta; i--) stored[i] = stored[i]! - stored[i - delta]!;
    this.#arrays[name] = { type, at: this.#length, length: numbers.length, ...(delta ? { delta } : {}) };
    const padded = new Uint8Array(align(stored.byteLength));
    padded.set(new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength));
    this.#parts.push(padded);
    this.#length += padded.length;
    return name;
  }

  /** The whole container. */
  finish(rest: Omit<Directory, "version" | "arrays">): Uint8Array {
    const directory = new TextEncoder().encode(JSON.stringify({ version: SHOT_VERSION, arrays: this.#arrays, ...rest }));
    const start = align(12 + directory.length);
    const out = new Uint8Array(start + this.#length);
    out.set(new TextEncoder().encode(MAGIC));
    new DataView(out.buffer).setUint32(8, directory.length, true);
    out.set(directory, 12);
    let at = start;
    for (const part of this.#parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }
}

/** Base64 and gzip, undone. */
export async function unpack(base64: string): Promise<ArrayBuffer> {
  const text = base64.trim();
  const from = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  const packed = from ? from.call(Uint8Array, text) : decoded(text);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** Base64, undone where the browser has no quicker way. */
function decoded(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const out = new Uint8Array(letters.length);
  for (let i = 0; i < out.length; i++) out[i] = letters.charCodeAt(i);
  return out;
}
