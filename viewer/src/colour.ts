/**
 * Colours. The scale of depth goes one way in lightness, from the background to its opposite, so that it reads the same to all eyes and in grey: in light
 * from pale yellow to dark purple, in the dark the other way round. The two of an incident are blue and orange, which no common
 * colour blindness confuses.
 */
export interface Palette {
  dark: boolean;
  ink: string;
  soft: string;
  line: string;
  panel: string;
  accent: string;
  a: string;
  b: string;
  mark: string;
  sky: string;
  floor: string;
  other: string;
  scale: string[];
}

const LIGHT: Palette = {
  dark: false, ink: "#1c2430", soft: "#5b6675", line: "#dde2e8", panel: "#ffffff", accent: "#1f6feb", a: "#2f7fc1", b: "#e08e1b", mark: "#c2185b",
  sky: "#eef1f5", floor: "#d3d9e1", other: "#a9b3bf", scale: ["#fbe6a6", "#f7b955", "#e8763a", "#b83250", "#5c1a4f"],
};

const DARK: Palette = {
  dark: true, ink: "#e6eaf0", soft: "#96a1b0", line: "#2b323c", panel: "#191e25", accent: "#6ea8fe", a: "#5aa9ea", b: "#f0a63c", mark: "#ff4f8b",
  sky: "#12161b", floor: "#2a313a", other: "#6d7885", scale: ["#5b2750", "#a63a55", "#e06c43", "#f5b152", "#fff0b8"],
};

export const palette = (dark: boolean): Palette => (dark ? DARK : LIGHT);

type Rgb = [number, number, number];

export function rgb(hex: string): Rgb {
  const n = parseInt(hex.slice(1), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

/** The colour of a fraction of the worst. */
export function scaled(colours: Palette, fraction: number): string {
  const { scale } = colours;
  const at = Math.min(1, Math.max(0, fraction || 0)) * (scale.length - 1);
  const low = Math.min(scale.length - 2, Math.floor(at));
  const [from, to] = [rgb(scale[low]!), rgb(scale[low + 1]!)];
  const mixed = from.map((channel, i) => Math.round(channel + (at - low) * (to[i]! - channel)));
  return `rgb(${mixed.join(",")})`;
}

/** Lightness of a colour, 0 to 1, as the eye weighs it (WCAG relative luminance). */
export function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
