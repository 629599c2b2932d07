/** The theme from the settings; the logo is read once, when the server starts. */
import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import type { Settings } from './settings.ts'
import { type Theme, createTheme, type ThemeInput } from '../pages/theme/theme.ts'
import { StartError } from '../start-error.ts'

const logoTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
}

type ThemeSettings = Pick<
  Settings,
  'themeName' | 'themeLogo' | 'themeAccent' | 'themeAccentDark' | 'themeBackground' | 'themeBackgroundDark'
>

export function themeFrom(settings: ThemeSettings): Theme {
  const { themeLogo } = settings
  const themed = createTheme({
    ...themeInputFrom(settings),
    ...(themeLogo === null ? {} : { logo: logoAt(themeLogo) }),
  })
  if (themed.kind === 'error') throw new StartError(`the theme cannot be shown: ${themed.error.join('; ')}`)
  return themed.value
}

/** All but the logo, so that it can be checked without reading a file. */
export const themeInputFrom = (settings: Omit<ThemeSettings, 'themeLogo'>): ThemeInput => ({
  name: settings.themeName,
  ...(settings.themeAccent === null ? {} : { accent: settings.themeAccent }),
  ...(settings.themeAccentDark === null ? {} : { accentDark: settings.themeAccentDark }),
  ...(settings.themeBackground === null ? {} : { background: settings.themeBackground }),
  ...(settings.themeBackgroundDark === null ? {} : { backgroundDark: settings.themeBackgroundDark }),
})

/** Bytes, far more than a theme accepts: only keeps a wrong path from filling the memory. */
const readable = 16 * 1024 * 1024

function logoAt(path: string): { readonly bytes: Buffer; readonly contentType: string } {
  const contentType = logoTypes[extname(path).toLowerCase()]
  if (contentType === undefined) throw new StartError(`GRANTOR_THEME_LOGO must be SVG, PNG, WebP or JPEG: ${path}`)
  try {
    const { size } = statSync(path)
    if (size > readable) throw new Error('is too large')
    return { bytes: readFileSync(path), contentType }
  } catch (cause) {
    throw new StartError(`GRANTOR_THEME_LOGO cannot be read: ${path}`, { cause })
  }
}
