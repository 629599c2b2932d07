/** Makes text safe for a terminal: the name of a client must not move the cursor or reverse the line. */

// C0, DEL, C1 (0x9b begins a control sequence), line and paragraph separators, and the bidirectional overrides.
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

export const printable = (text: string): string => text.replace(unprintable, escaped)

/** JSON on one line (or indented) with control characters escaped, so that it is safe for a terminal. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(unprintable, (character) =>
    character === '\n' ? character : escaped(character),
  )

/** Columns that a text takes on a terminal: combining marks take none, East Asian wide letters and emoji two. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1
  return width
}

export const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u
