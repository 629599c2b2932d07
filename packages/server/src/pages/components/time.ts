/** A time, for people and for machines. */
import { type Html, html } from '../html.ts'
import type { Language } from '../language/index.ts'

const machine = (at: number): string => new Date(at).toISOString()

/** "2 hours ago": right in every time zone; the exact moment is in the title. */
export const ago = (language: Language, at: number, now: number): Html =>
  html`<time datetime="${machine(at)}" title="${language.formats.dateTime(at)}">${language.formats.ago(at, now)}</time>`

export const day = (language: Language, at: number): Html =>
  html`<time datetime="${machine(at)}" title="${language.formats.dateTime(at)}">${language.formats.date(at)}</time>`
