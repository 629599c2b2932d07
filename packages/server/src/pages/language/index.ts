/** The list of languages, and how one is chosen. */
import { de } from './de.ts'
import { en, type Messages } from './en.ts'
import { type Formats, formatsOf } from './formats.ts'

export type LanguageTag = 'en' | 'de'

export interface Language {
  readonly tag: LanguageTag
  /** Its own name for itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  readonly messages: Messages
  readonly formats: Formats
}

const language = (tag: LanguageTag, name: string, messages: Messages): Language => ({
  tag,
  name,
  direction: 'ltr',
  messages,
  formats: formatsOf(tag),
})

export const languages: Readonly<Record<LanguageTag, Language>> = {
  en: language('en', 'English', en),
  de: language('de', 'Deutsch', de),
}

export const fallback: Language = languages.en

/** The first tag that we speak, by its primary subtag (RFC 4647 §3.4 lookup). `ui_locales` split at spaces fits. */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split('-', 1)[0] ?? ''
    if (Object.hasOwn(languages, primary)) return languages[primary as LanguageTag]
  }
  return fallback
}

/** The tags of an Accept-Language header, best first (RFC 9110 §12.5.4). Whatever does not parse is left out. */
export function acceptedLanguages(header: string): readonly string[] {
  return header
    .slice(0, 512)
    .split(',')
    .map((part) => /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(part))
    .filter((found) => found !== null)
    .map((found) => ({ tag: found[1] ?? '', weight: found[2] === undefined ? 1 : Number(found[2]) }))
    .filter((tag) => tag.weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map((tag) => tag.tag)
}
