/** Text that people read and decide by: nothing invisible, nothing blank, nothing that reads otherwise than it is stored. */
import { textLimits } from './text-limits.ts'

/** Controls, halves of characters, private use and what Unicode has not assigned: no two screens show these alike. */
const unassigned = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/u
/** Unicode §5.21: zero-width, bidirectional controls, fillers, tags, variation selectors; and a Braille cell without dots. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u
/** Where two of them are part of writing: joiners inside Arabic and Indic words, and what makes emoji of several. */
const joiners =
  /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?)\ufe0f|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Gujr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}])[\u200c\u200d](?=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Gujr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}])/gu
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** What is wrong with a text that people are shown; null where nothing is. */
export function displayTextProblem(value: unknown, limit: number = textLimits.name): string | null {
  if (typeof value !== 'string') return 'must be a text'
  if (value === '') return 'must not be empty'
  if (value.length > limit) return `must not be longer than ${limit} characters`
  if (unassigned.test(value)) return 'must not hold control characters, or any that no screen shows'
  if (invisible.test(value.replaceAll(joiners, ''))) return 'must not hold invisible characters'
  if (!visible.test(value)) return 'must not be blank'
  return /\p{M}{5}/u.test(value) ? 'must not hold piles of marks' : null
}

/** At most so long, with no character cut in two: half of one is no text that UTF-8 can carry. */
export const shortened = (text: string, limit: number): string => text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
