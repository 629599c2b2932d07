/** Colours and their contrast, as WCAG 2.2 defines it (§1.4.3, "relative luminance"). */

export type Colour = readonly [red: number, green: number, blue: number]

/** `#rgb` or `#rrggbb`; names and functions are refused, so that the checked colour is the shown one. */
export function parseColour(text: string): Colour | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text)
  const hex = short === null ? text : `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}`
  if (!/^#[0-9a-f]{6}$/i.test(hex)) return null
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export const hexOf = (colour: Colour): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

function luminance([red, green, blue]: Colour): number {
  const linear = (part: number): number => {
    const s = part / 255
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** From 1 (equal) to 21 (black on white). */
export function contrast(a: Colour, b: Colour): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

export const mix = (a: Colour, b: Colour, share: number): Colour => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
]
