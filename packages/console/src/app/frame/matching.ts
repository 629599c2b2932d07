/** Finds names by what is typed of them: beginnings of words first, then any part, in the order they were in. */

export function matching<T extends { readonly name: string }>(entries: readonly T[], typed: string): readonly T[] {
  const wanted = folded(typed)
  if (wanted === '') return entries
  const ranked = entries.map((entry) => ({ entry, rank: rankOf(folded(entry.name), wanted) }))
  return ranked
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry)
}

const rankOf = (name: string, wanted: string): number =>
  name.startsWith(wanted)
    ? 3
    : name.split(/\s+/).some((word) => word.startsWith(wanted))
      ? 2
      : name.includes(wanted)
        ? 1
        : 0

/** Without case and accents. */
const folded = (text: string): string => text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
