/** Statements about many rows at once. */

/** Two sizes of statements, so that each is prepared once; a partial batch is padded by repeating its last value. */
type Size = 1 | 100

const ids = (size: Size): string => Array.from({ length: size }, (_, at) => `?${at + 3}`).join(', ')

/** One text for each size; the ids begin with the third value. */
export const of100 = (of: (ids: string) => string): Readonly<Record<Size, string>> => ({
  1: of(ids(1)),
  100: of(ids(100)),
})

export function* parts(all: readonly string[]): Generator<{ readonly size: Size; readonly part: readonly string[] }> {
  for (let at = 0; at < all.length; at += 100) {
    const part = all.slice(at, at + 100)
    const lastOne = part.at(-1) ?? ''
    if (part.length === 1) yield { size: 1, part }
    else yield { size: 100, part: [...part, ...Array.from({ length: 100 - part.length }, () => lastOne)] }
  }
}
