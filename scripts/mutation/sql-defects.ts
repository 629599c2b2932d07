/** Defects in the texts of SQL: a condition less, a boundary moved, null for not null. */
import type { Defect } from './defect.ts'

/** A condition with the word before it, as far as the next one or the end of the clause. */
const condition = /\s(?:and|or)\s(?:(?!\s(?:and|or|returning|order by|limit|on conflict|where|group by)\s|[()`]).)+/gis
const swaps: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/(?<=\s)(?:<=|>=|<|>)(?=\s)/g, (found) => (found.length === 2 ? found.slice(0, 1) : `${found}=`)],
  [/\bis (?:not )?null\b/gi, (found) => (/not/i.test(found) ? 'is null' : 'is not null')],
  [/\b(?:asc|desc)\b/gi, (found) => (/desc/i.test(found) ? 'asc' : 'desc')],
  [/(?<=\b(?:where|and|or|on)\s+[\w.]+)\s=\s/gi, () => ' <> '],
]

export function sqlDefects(
  source: string,
  { start, end }: { readonly start: number; readonly end: number },
): readonly Defect[] {
  const text = source.slice(start, end)
  const at = (operator: string, index: number, length: number, becomes: string): Defect => ({
    operator,
    start: start + index,
    end: start + index + length,
    becomes,
  })
  const dropped = [...text.matchAll(condition)].map((found) => at('sql condition', found.index, found[0].length, ' '))
  // The first condition is dropped by what is always true.
  const first = [...text.matchAll(/(?<=\swhere )((?:\w+\.)?tenant = \$\{[^}]*\})(?= and)/gi)].map((found) =>
    at('sql condition', found.index, found[0].length, '1 = 1'),
  )
  const swapped = swaps.flatMap(([pattern, to]) =>
    [...text.matchAll(pattern)].map((found) => at('sql comparison', found.index, found[0].length, to(found[0]))),
  )
  return [...dropped, ...first, ...swapped]
}
