/** The colours of a brand, adjusted as little as needed for all text to be readable, in light and in dark. */
import { type Colour, contrast, hexOf, mix, parseColour } from '@grantor/protocol/branding'
import { type Asset, assetOf } from '../assets/assets.ts'

/** `#rrggbb`. A dark colour that is left out is derived from the light one. */
export interface ThemeColours {
  readonly accent?: string
  readonly accentDark?: string
  readonly background?: string
  readonly backgroundDark?: string
}

/** The fixed colours of style.css, for computing contrasts (a test compares the two). */
export const baseColours = {
  light: {
    page: '#f3f5f2',
    surface: '#ffffff',
    sunken: '#f6f8f6',
    ink: '#15201d',
    muted: '#55625d',
    accent: '#0b6b5b',
  },
  dark: {
    page: '#0e1413',
    surface: '#171e1c',
    sunken: '#1d2624',
    ink: '#e8efec',
    muted: '#a5b2ad',
    accent: '#6fd3bd',
  },
} as const
export type Mode = keyof typeof baseColours

export interface ModeColours {
  readonly accent: string
  readonly onAccent: string
  readonly page: string
}

export const white: Colour = [255, 255, 255]
export const black: Colour = [0, 0, 0]
/** WCAG 2.2 §1.4.3: normal text. */
export const readable = 4.5
/** The largest share of the accent that style.css mixes into backgrounds of text. */
const tint = 0.11
/** The contrast of text on the page itself; higher for dark pages, so that they stay dark. */
const onPage: Readonly<Record<Mode, number>> = { light: readable, dark: 7 }

export const palette = (colours: ThemeColours): Readonly<Record<Mode, ModeColours>> => ({
  light: modeColours('light', colours.accent, colours.background),
  dark: modeColours('dark', colours.accentDark ?? colours.accent, colours.backgroundDark ?? colours.background),
})

function modeColours(mode: Mode, accentText: string | undefined, backgroundText: string | undefined): ModeColours {
  const fixed = (name: keyof (typeof baseColours)[Mode]): Colour => parseColour(baseColours[mode][name]) ?? black
  const [ground, text] = mode === 'light' ? [white, black] : [black, white]
  const wantedAccent = parseColour(accentText ?? '')
  const wantedPage = parseColour(backgroundText ?? '')
  const reads = (colour: Colour, on: Colour, least = readable) => contrast(colour, on) >= least
  // A page colour that is still to be adjusted can always become plain white or black.
  const page = wantedPage === null ? fixed('page') : ground
  const accent =
    wantedAccent === null
      ? fixed('accent')
      : nearest(wantedAccent, text, (it) =>
          [fixed('surface'), fixed('sunken'), page].every((on) => reads(it, on) && reads(it, mix(on, it, tint))),
        )
  const readsOn = (on: Colour) =>
    reads(fixed('ink'), on, onPage[mode]) && reads(fixed('muted'), on, onPage[mode]) && reads(accent, on)
  const found =
    wantedPage === null ? page : nearest(wantedPage, ground, (it) => readsOn(it) && readsOn(mix(it, accent, tint)))
  return { accent: hexOf(accent), onAccent: hexOf(ground), page: hexOf(found) }
}

/** The colour itself, or the first one on the way to `goal` that fits. */
function nearest(colour: Colour, goal: Colour, fits: (colour: Colour) => boolean): Colour {
  for (let percent = 0; percent < 100; percent += 1) {
    const candidate = mix(colour, goal, percent / 100).map(Math.round) as unknown as Colour
    if (fits(candidate)) return candidate
  }
  return goal
}

/** Custom properties that override those of style.css. */
export function sheetText(light: readonly string[], dark: readonly string[]): string {
  return `:root{${light.join(';')}}@media (prefers-color-scheme:dark){:root{${dark.join(';')}}}`
}

/**
 * The stylesheet of a brand. Its name contains the colours, so that any node can serve it without having served the
 * page; and a hash of its content, so that caches may keep it for ever.
 */
export function brandSheet(colours: ThemeColours): Asset {
  const { light, dark } = palette(colours)
  const properties = ({ accent, onAccent, page }: ModeColours) => [
    `--accent:${accent}`,
    `--on-accent:${onAccent}`,
    `--page:${page}`,
  ]
  const { accent, accentDark, background, backgroundDark } = colours
  const parts = [accent, accentDark, background, backgroundDark].map((it) => it?.slice(1) ?? 'none')
  const text = sheetText(properties(light), properties(dark))
  return assetOf(`brand.${parts.join('.')}.css`, 'text/css; charset=utf-8', Buffer.from(text))
}

const sheetName = /^brand\.([0-9a-f]{6}|none)\.([0-9a-f]{6}|none)\.([0-9a-f]{6}|none)\.([0-9a-f]{6}|none)\.\w+\.css$/

/** The sheet with this name; null where the name is not exactly one that brandSheet gives. */
export function brandSheetNamed(name: string): Asset | null {
  const parts = sheetName.exec(name)?.slice(1)
  if (parts === undefined) return null
  const names = ['accent', 'accentDark', 'background', 'backgroundDark'] as const
  const colours: ThemeColours = Object.fromEntries(
    names.flatMap((it, i) => (parts[i] === 'none' ? [] : [[it, `#${parts[i]}`]])),
  )
  const sheet = brandSheet(colours)
  return sheet.name === name ? sheet : null
}
