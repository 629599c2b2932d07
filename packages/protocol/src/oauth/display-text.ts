/**
 * Checks text that people read and decide by: nothing invisible, nothing blank, nothing that displays differently than
 * it is stored.
 */
import { textLimits } from './text-limits.ts'

/** Controls, surrogates, private use and unassigned code points: they display differently everywhere. */
const unassigned = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/u
/**
 * Unicode §5.21: zero-width characters, bidirectional controls, fillers, tags, variation selectors; and the blank
 * Braille cell.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u
/**
 * Contexts in which two of them are part of writing: joiners inside Arabic and Indic words, and inside emoji sequences.
 */
const joiners =
  /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?)\ufe0f|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Gujr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}])[\u200c\u200d](?=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Gujr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}])/gu
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** The problem of a text that people are shown; null where it has none. */
export function displayTextProblem(value: unknown, limit: number = textLimits.name): string | null {
  if (typeof value !== 'string') return 'must be a text'
  if (value === '') return 'must not be empty'
  if (value.length > limit) return `must not be longer than ${limit} characters`
  if (unassigned.test(value)) return 'must not hold control characters, or any that no screen shows'
  if (invisible.test(value.replaceAll(joiners, ''))) return 'must not hold invisible characters'
  if (!visible.test(value)) return 'must not be blank'
  return /\p{M}{5}/u.test(value) ? 'must not hold piles of marks' : null
}

/** At most `limit` long, without a split surrogate pair, which UTF-8 cannot encode. */
export const shortened = (text: string, limit: number): string => text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
