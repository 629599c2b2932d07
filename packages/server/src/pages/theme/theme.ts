/** How a deployment or tenant looks: name, logo and colours, checked for contrast before anybody sees them. */
import { err, ok, type Result } from '@grantor/protocol/result'
import { type Asset, assetOf, mark } from '../assets/assets.ts'
import { type Colour, contrast, hexOf, mix, parseColour } from './colour.ts'

export interface ThemeInput {
  readonly name: string
  readonly logo?: { readonly bytes: Buffer; readonly contentType: string }
  /** Buttons, links and focus on the light page; the dark one is derived where it is not given. */
  readonly accent?: string
  readonly accentDark?: string
  readonly background?: string
  readonly backgroundDark?: string
}

export interface Theme {
  readonly name: string
  readonly logo: Asset
  /** Custom properties that override those of style.css; null where the input names no colour. */
  readonly stylesheet: Asset | null
}

export const defaultTheme: Theme = { name: 'Grantor', logo: mark, stylesheet: null }

/** The files of a theme, for the route that serves assets. */
export const themeFiles = (theme: Theme): readonly Asset[] =>
  theme.stylesheet === null ? [theme.logo] : [theme.logo, theme.stylesheet]

/** What colours are measured against: the fixed colours of style.css (a test holds the two together). */
export const baseColours = {
  light: { surface: '#ffffff', ink: '#15201d', muted: '#55625d' },
  dark: { surface: '#171e1c', ink: '#e8efec', muted: '#a5b2ad' },
} as const
type Mode = keyof typeof baseColours

const white: Colour = [255, 255, 255]
const black: Colour = [0, 0, 0]
/** WCAG 2.2 §1.4.3: normal text. */
const readable = 4.5

const logoTypes: Readonly<Record<string, string>> = {
  'image/svg+xml': 'svg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
}
const logoLimit = 256 * 1024

export function createTheme(input: ThemeInput): Result<Theme, readonly string[]> {
  const problems: string[] = []
  const name = input.name.trim()
  if (name === '' || name.length > 60) problems.push('name: between 1 and 60 characters')
  const logo = input.logo === undefined ? mark : logoOf(input.logo, problems)
  const light = propertiesOf('light', { accent: input.accent, background: input.background }, problems)
  const dark = propertiesOf(
    'dark',
    { accent: input.accentDark ?? brightened(input.accent), background: input.backgroundDark },
    problems,
  )
  if (problems.length > 0) return err(problems)
  return ok({ name, logo, stylesheet: sheetOf(light, dark) })
}

function logoOf(logo: NonNullable<ThemeInput['logo']>, problems: string[]): Asset {
  const extension = logoTypes[logo.contentType]
  if (extension === undefined) problems.push('logo: SVG, PNG, WebP or JPEG')
  if (logo.bytes.length > logoLimit) problems.push('logo: at most 256 KiB')
  return assetOf(`logo.${extension ?? 'bin'}`, logo.contentType, logo.bytes)
}

interface Colours {
  readonly accent: string | undefined
  readonly background: string | undefined
}

function propertiesOf(mode: Mode, input: Colours, problems: string[]): readonly string[] {
  const suffix = mode === 'dark' ? 'Dark' : ''
  return [
    ...checked(`accent${suffix}`, input.accent, problems, (accent) => {
      requireContrast(`accent${suffix} on the page`, accent, fixed(mode, 'surface'), problems)
      const on = contrast(accent, white) >= contrast(accent, black) ? white : black
      return [`--accent:${hexOf(accent)}`, `--on-accent:${hexOf(on)}`]
    }),
    ...checked(`background${suffix}`, input.background, problems, (background) => {
      requireContrast(`text on background${suffix}`, fixed(mode, 'ink'), background, problems)
      requireContrast(`small text on background${suffix}`, fixed(mode, 'muted'), background, problems)
      return [`--page:${hexOf(background)}`]
    }),
  ]
}

function checked(
  field: string,
  text: string | undefined,
  problems: string[],
  use: (colour: Colour) => readonly string[],
): readonly string[] {
  if (text === undefined) return []
  const colour = parseColour(text)
  if (colour !== null) return use(colour)
  problems.push(`${field}: write a colour as #rrggbb`)
  return []
}

function requireContrast(what: string, a: Colour, b: Colour, problems: string[]): void {
  const ratio = contrast(a, b)
  if (ratio < readable) problems.push(`${what}: contrast ${ratio.toFixed(2)}, needs ${readable}`)
}

const fixed = (mode: Mode, name: 'surface' | 'ink' | 'muted'): Colour => parseColour(baseColours[mode][name]) ?? black

/** The light accent, mixed with white until it reads on the dark surface. */
function brightened(accent: string | undefined): string | undefined {
  const colour = accent === undefined ? null : parseColour(accent)
  if (colour === null) return undefined
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(colour, white, share)
    if (contrast(candidate, fixed('dark', 'surface')) >= readable + 1) return hexOf(candidate)
  }
  return hexOf(white)
}

function sheetOf(light: readonly string[], dark: readonly string[]): Asset | null {
  if (light.length + dark.length === 0) return null
  const text = `:root{${light.join(';')}}@media (prefers-color-scheme:dark){:root{${dark.join(';')}}}`
  return assetOf('theme.css', 'text/css; charset=utf-8', Buffer.from(text))
}
