/**
 * One shader for all that is posed: vertices are a weighted sum over joints, whose matrices are in a texture, a row for everyone: three texels a joint, and the colour in the
 * last one.
 */
import * as THREE from "three";

const VERTEX = /* glsl */ `
uniform highp sampler2D poses;
in vec4 joints;
in vec4 weights;
#ifdef MERGED
uniform int only;
in float row;
in vec4 tint;
#else
uniform float base;
uniform vec4 dye;
#ifdef REPEATED
in float copy;
#endif
#endif
out vec3 seen;
out vec3 facing;
out vec4 paint;

// Three rows of a matrix that takes a vertex as bound to where it is.
void add(int line, float j, float weight, inout vec4 x, inout vec4 y, inout vec4 z) {
  ivec2 at = ivec2(3 * int(j + 0.5), line);
  x += weight * texelFetch(poses, at, 0);
  y += weight * texelFetch(poses, at + ivec2(1, 0), 0);
  z += weight * texelFetch(poses, at + ivec2(2, 0), 0);
}

void main() {
  // Vertices by the million: points go through matrices, and no two matrices are multiplied.
#ifdef MERGED
  int line = int(row + 0.5);
#elif defined(REPEATED)
  int line = int(base + copy + 0.5);
#else
  int line = int(base + 0.5) + gl_InstanceID;
#endif
  vec4 x = vec4(0), y = vec4(0), z = vec4(0);
  add(line, joints.x, weights.x, x, y, z);
  if (weights.y > 0.0) add(line, joints.y, weights.y, x, y, z);
  if (weights.z > 0.0) add(line, joints.z, weights.z, x, y, z);
  if (weights.w > 0.0) add(line, joints.w, weights.w, x, y, z);
  vec4 bound = vec4(position, 1);
  vec4 at = modelViewMatrix * vec4(dot(x, bound), dot(y, bound), dot(z, bound), 1);
  seen = at.xyz;
  facing = mat3(modelViewMatrix) * vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
  gl_Position = projectionMatrix * at;
#ifdef MERGED
  paint = tint;
  // 1: what is solid, 2: what is faint. All others, and what has no colour at all, is put beyond the far plane.
  if (tint.a == 0.0 || (tint.a < 1.0) != (only == 2)) gl_Position = vec4(0, 0, 2, 1);
#else
  paint = dye.a >= 0.0 ? dye : texelFetch(poses, ivec2(textureSize(poses, 0).x - 1, line), 0);
#endif
}
`;

const FRAGMENT = /* glsl */ `
uniform bool flatFaces;
uniform bool unlit;
uniform vec3 skyColour;
uniform vec2 haze;
in vec3 seen;
in vec3 facing;
in vec4 paint;
out vec4 colour;

// From the upper right, of length one.
const vec3 LIGHT = vec3(0.43866, 0.68236, 0.58488);

void main() {
  vec3 n = flatFaces ? cross(dFdx(seen), dFdy(seen)) : facing;
  n = normalize(n);
  // Both sides of a face are shown; whichever is seen faces us.
  if (dot(n, seen) > 0.0) n = -n;
  float away = length(seen);
  // Upwards is the second column of the camera's rotation.
  float sky = 0.5 + 0.5 * dot(n, viewMatrix[1].xyz);
  float key = max(0.0, dot(n, LIGHT));
  float edge = 1.0 - abs(dot(n, seen)) / away;
  vec3 lit = paint.rgb * (0.40 + 0.34 * sky + 0.36 * key) + vec3(0.10) * edge * edge * edge;
  if (unlit) lit = paint.rgb * (0.82 + 0.18 * key);
  float far = clamp((away - haze.x) / (haze.y - haze.x), 0.0, 1.0);
  colour = vec4(mix(lit, skyColour, 0.75 * far), paint.a);
}
`;

export interface Look {
  /** Faces instead of smooth surfaces. */
  flat?: boolean;
  faint?: boolean;
  /** Draw only what is solid, or only what is faint, where both are in one geometry that says for each vertex whose it is. */
  only?: "solid" | "faint";
  /** All copies are in one geometry, which says for each vertex which copy it is of. */
  isRepeated?: boolean;
  /** For marks: in front of the surface, hardly shaded. */
  mark?: "over" | "through";
}

/** Values that all materials share. */
export interface Shared {
  poses: { value: THREE.Texture | null };
  skyColour: { value: THREE.Vector3 };
  haze: { value: THREE.Vector2 };
}

export function material(shared: Shared, look: Look, own: Record<string, THREE.IUniform> = {}): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    glslVersion: THREE.GLSL3,
    defines: look.only ? { MERGED: 1 } : look.isRepeated ? { REPEATED: 1 } : {},
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: {
      ...shared, ...own, flatFaces: { value: look.flat === true }, unlit: { value: look.mark !== undefined }, only: { value: look.only === "faint" ? 2 : 1 },
    },
    side: THREE.DoubleSide,
    transparent: look.faint === true || look.mark !== undefined,
    depthWrite: look.faint !== true && look.mark === undefined,
    depthTest: look.mark !== "through",
    polygonOffset: look.mark === "over",
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -4,
  });
}
