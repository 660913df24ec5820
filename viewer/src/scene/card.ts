/**
 * Whether a graphics card draws. Browsers without one draw in software and refuse a context that asks for more; one that was told to draw in software refuses
 * nothing, but names what it draws with. It is a hint for where to begin: how long frames take decides the rest (quality.ts).
 */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

export function hasCard(): boolean {
  const context = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (!context) return false;
  const named = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  // Browsers limit the number of contexts at a time.
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return !SOFTWARE.test(name);
}
