/** One shader for all that is posed: vertices are a weighted sum over joints, whose matrices are rows of a texture, three texels a joint. */
import * as THREE from "three";

const VERTEX = /* glsl */ `
uniform highp sampler2D poses;
in vec4 joints;
in vec4 weights;
in float row;
in vec4 tint;
out vec3 seen;
out vec3 facing;
out vec4 paint;

mat4 joint(float j) {
  ivec2 at = ivec2(3 * int(j + 0.5), int(row + 0.5));
  return transpose(mat4(texelFetch(poses, at, 0), texelFetch(poses, at + ivec2(1, 0), 0), texelFetch(poses, at + ivec2(2, 0), 0), vec4(0, 0, 0, 1)));
}

void main() {
  mat4 moved = weights.x * joint(joints.x);
  if (weights.y > 0.0) moved += weights.y * joint(joints.y);
  if (weights.z > 0.0) moved += weights.z * joint(joints.z);
  if (weights.w > 0.0) moved += weights.w * joint(joints.w);
  mat4 view_from_bound = viewMatrix * modelMatrix * moved;
  vec4 at = view_from_bound * vec4(position, 1);
  seen = at.xyz;
  facing = mat3(view_from_bound) * normal;
  paint = tint;
  gl_Position = projectionMatrix * at;
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

void main() {
  vec3 n = flatFaces ? cross(dFdx(seen), dFdy(seen)) : facing;
  n = normalize(n);
  // Both sides of a face are shown; whichever is seen faces us.
  if (dot(n, seen) > 0.0) n = -n;
  vec3 up = normalize(mat3(viewMatrix) * vec3(0, 1, 0));
  float sky = 0.5 + 0.5 * dot(n, up);
  float key = max(0.0, dot(n, normalize(vec3(0.45, 0.7, 0.6))));
  float edge = pow(1.0 - abs(dot(n, normalize(seen))), 3.0);
  vec3 lit = paint.rgb * (0.40 + 0.34 * sky + 0.36 * key) + vec3(0.10) * edge;
  if (unlit) lit = paint.rgb * (0.82 + 0.18 * key);
  float far = clamp((length(seen) - haze.x) / (haze.y - haze.x), 0.0, 1.0);
  colour = vec4(mix(lit, skyColour, 0.75 * far), paint.a);
}
`;

export interface Look {
  /** Faces instead of smooth surfaces. */
  flat?: boolean;
  faint?: boolean;
  /** For marks: in front of the surface, hardly shaded. */
  mark?: "over" | "through";
}

/** Values that all materials share. */
export interface Shared {
  poses: { value: THREE.Texture | null };
  skyColour: { value: THREE.Vector3 };
  haze: { value: THREE.Vector2 };
}

export function material(shared: Shared, look: Look): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    glslVersion: THREE.GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { ...shared, flatFaces: { value: look.flat === true }, unlit: { value: look.mark !== undefined } },
    side: THREE.DoubleSide,
    transparent: look.faint === true || look.mark !== undefined,
    depthWrite: look.faint !== true && look.mark === undefined,
    depthTest: look.mark !== "through",
    polygonOffset: look.mark === "over",
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -4,
  });
}
