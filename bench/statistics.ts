/** The statistics of the reports: medians over rounds, because other load on the machine causes outliers. */

/** The quantile of values in ascending order, by nearest rank. */
export function quantile(ascending: ArrayLike<number>, q: number): number {
  const rank = Math.min(ascending.length - 1, Math.floor(q * ascending.length))
  return ascending[rank] ?? Number.NaN
}

export const median = (values: readonly number[]): number => {
  const ascending = values.toSorted((a, b) => a - b)
  const middle = ascending.length >> 1
  const upper = ascending[middle] ?? Number.NaN
  return ascending.length % 2 === 1 ? upper : (upper + (ascending[middle - 1] ?? upper)) / 2
}

export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

export const spread = (values: readonly number[], digits = 1): Spread => ({
  median: rounded(median(values), digits),
  least: rounded(Math.min(...values), digits),
  most: rounded(Math.max(...values), digits),
})

export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits))

/**
 * The probability that a value of `a` is greater than one of `b` (ties count half): 0.5 if they cannot be
 * distinguished.
 * The area under the ROC curve, which is Mann and Whitney's U over both sizes.
 */
export function chanceGreater(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, mine: true })), ...b.map((value) => ({ value, mine: false }))]
  all.sort((x, y) => x.value - y.value)
  let ranks = 0
  for (let i = 0; i < all.length;) {
    let end = i
    while (end < all.length && all[end]?.value === all[i]?.value) end += 1
    const rank = (i + 1 + end) / 2
    for (; i < end; i++) if (all[i]?.mine === true) ranks += rank
  }
  return (ranks - (a.length * (a.length + 1)) / 2) / (a.length * b.length)
}
