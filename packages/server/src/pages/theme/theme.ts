/** The theme of a deployment or tenant: name, logo and colours, checked for contrast. */
import { err, ok, type Result } from '@grantor/protocol/result'
import { type Asset, assetOf, mark } from '../assets/assets.ts'
import { type Colour, contrast, hexOf, mix, parseColour } from '@grantor/protocol/branding'
import { baseColours, black, type Mode, readable, sheetText, type ThemeColours, white } from './palette.ts'

export { baseColours } from './palette.ts'

/** `accent` is for buttons, links and focus. */
export interface ThemeInput extends ThemeColours {
  readonly name: string
  readonly logo?: { readonly bytes: Buffer; readonly contentType: string }
}

/** The theme as a page uses it: names of files, wherever they are served from. */
export interface PageTheme {
  readonly name: string
  readonly logo: Pick<Asset, 'name'>
  /** Custom properties that override those of style.css; null where no colour is named. */
  readonly stylesheet: Pick<Asset, 'name'> | null
  readonly colours: ThemeColours
}

/** The deployment's theme, with its files. */
export interface Theme extends PageTheme {
  readonly logo: Asset
  readonly stylesheet: Asset | null
}

export const defaultTheme: Theme = { name: 'Grantor', logo: mark, stylesheet: null, colours: {} }

/** The files of a theme, for the route that serves assets. */
export const themeFiles = (theme: Theme): readonly Asset[] =>
  theme.stylesheet === null ? [theme.logo] : [theme.logo, theme.stylesheet]

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
  const { name: _name, logo: _logo, ...colours } = input
  return ok({ name, logo, stylesheet: sheetOf(light, dark), colours })
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
  return assetOf('theme.css', 'text/css; charset=utf-8', Buffer.from(sheetText(light, dark)))
}
