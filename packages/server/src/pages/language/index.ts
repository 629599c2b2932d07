/** The languages of the pages with their messages, and how one is chosen. */
import { type LanguageRow, type LanguageTag, languageTable, uiLocales } from '@grantor/protocol/oidc'
import { catalogues } from './catalogues.ts'
import type { Messages } from './en.ts'
import { type Formats, formatsOf } from './formats.ts'
import { isolated } from './isolated.ts'
import { lookupAmong } from './lookup.ts'

export interface Language extends LanguageRow<LanguageTag> {
  readonly messages: Messages
  readonly formats: Formats
}

function languageWith(row: LanguageRow<LanguageTag>, messages: Messages): Language {
  return {
    ...row,
    messages: row.direction === 'rtl' ? isolated(messages) : messages,
    formats: formatsOf(row.tag),
  }
}

export const languages = Object.fromEntries(
  languageTable.map((row) => [row.tag, languageWith(row, catalogues[row.tag])]),
) as Readonly<Record<LanguageTag, Language>>

export const fallback: Language = languages[languageTable[0].tag]

const lookup = lookupAmong(uiLocales)

/** The best language for ranges in their order: a list of tags, such as `ui_locales` split at spaces. */
export const chooseLanguage = (ranges: readonly string[]): Language => {
  const found = lookup(ranges)
  return found === null ? fallback : languages[found]
}

/** More than any browser sends; what comes after is not read. */
const longestHeader = 1024

/** The tags of an Accept-Language header, best first (RFC 9110 §12.5.4). Whatever does not parse is left out. */
export function acceptedLanguages(header: string): readonly string[] {
  const parts = header.slice(0, longestHeader).split(',')
  // What was cut in two would be another tag.
  return (header.length > longestHeader ? parts.slice(0, -1) : parts)
    .map((part) => /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(part))
    .filter((found) => found !== null)
    .map((found) => ({ tag: found[1] ?? '', weight: found[2] === undefined ? 1 : Number(found[2]) }))
    .filter((tag) => tag.weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map((tag) => tag.tag)
}
