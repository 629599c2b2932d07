/** English as a language that nobody speaks: accented, two fifths longer, in brackets. What stands outside was never translated. */
import { type Formats, type Language, languages } from '@grantor/server/pages'

const letters: ReadonlyMap<string, string> = new Map(
  'aàbƀcçdðeéfƒgĝhĥiîjĵkķlļmɱnñoôpþqǫrŕsštţuûvṽwŵxẋyýzžAÀBƁCÇDÐEÉFƑGĜHĤIÎJĴKĶLĻMṀNÑOÔPÞQǪRŔSŠTŢUÛVṼWŴXẊYÝZŽ'
    .match(/../gu)
    ?.map((pair) => [pair.charAt(0), pair.charAt(1)] as const),
)

/** `put` are the texts that were put in: they stay as they are. */
function pseudo(text: string, put: readonly string[] = []): string {
  const kept = new Set(put.filter((it) => it !== ''))
  const apart = [...kept].map((it) => it.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  const parts = apart === '' ? [text] : text.split(new RegExp(`(${apart})`))
  const written = parts.map((it) =>
    kept.has(it) ? it : it.replaceAll(/[a-z]/gi, (letter) => letters.get(letter) ?? letter),
  )
  const longer = ' ····'.repeat(Math.ceil((text.length * 0.4) / 5))
  return `⟦${written.join('')}${longer}⟧`
}

function translated<T>(messages: T): T {
  if (typeof messages === 'string') return pseudo(messages) as T
  if (typeof messages === 'function') {
    const write = messages as unknown as (...values: readonly unknown[]) => string
    const said = (...values: readonly unknown[]): string =>
      pseudo(
        write(...values),
        values.filter((value) => typeof value === 'string'),
      )
    return said as T
  }
  if (typeof messages !== 'object' || messages === null) return messages
  return Object.fromEntries(Object.entries(messages).map(([name, inner]) => [name, translated(inner)])) as T
}

const { en } = languages

const formats: Formats = {
  ...en.formats,
  date: (at) => pseudo(en.formats.date(at)),
  dateTime: (at) => pseudo(en.formats.dateTime(at)),
  ago: (at, now) => pseudo(en.formats.ago(at, now)),
  duration: (seconds) => pseudo(en.formats.duration(seconds)),
}

/** Its tag is not offered to anybody: no wish finds it. */
export const pseudoLanguage: Language = {
  ...en,
  tag: 'en-XA' as Language['tag'],
  messages: translated(en.messages),
  formats,
}

/** What of a text is in no brackets, not in our accents, and none of the `known`: no language can say it otherwise. */
export function untranslated(text: string, known: readonly string[]): string {
  const outside = outsideOf(text)
  const rest = known.reduce((left, it) => left.replaceAll(it, ' '), outside)
  return /[a-z]{2,}/i.test(rest) ? rest.trim() : ''
}

/** Brackets stand in brackets where one message is put into another. */
function outsideOf(text: string): string {
  const left = text.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')
  return left === text ? text : outsideOf(left)
}

/** Every text in a value, the longest first: what samples bring along was never ours to translate. */
export function textsIn(value: unknown): readonly string[] {
  const found = new Set<string>()
  const collect = (it: unknown): void => {
    if (typeof it === 'string') found.add(it.trim())
    else if (typeof it === 'object' && it !== null && !ArrayBuffer.isView(it)) Object.values(it).forEach(collect)
  }
  collect(value)
  return [...found].filter((text) => text.length > 1).toSorted((a, b) => b.length - a.length)
}
