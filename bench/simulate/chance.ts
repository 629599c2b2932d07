/** Pseudorandom numbers, which are the same for the same seed, and a histogram. */

/** The standard deviations below which 99 % of a normal distribution lie. */
const p99 = 2.326

export interface Chance {
  /** The next number in [0, 1). */
  next(): number
  /** A random value of a distribution with this median and this ratio of p99 to median. */
  around(median: number, ratio: number): number
}

/** A multiplicative congruential mix of 32 bits. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    around(median, ratio) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
      return median * Math.exp((Math.log(ratio) / p99) * normal)
    },
  }
}

/** Buckets are 2 % wide, from a hundredth of a millisecond to many days. */
const width = Math.log(1.02)
const lowest = Math.round(Math.log(0.01) / width)
const buckets = 1600

/** Counts in buckets: a hundred million values take no more memory than a thousand. */
export class Histogram {
  readonly #counts = new Float64Array(buckets)
  #count = 0
  #most = 0

  add(value: number, times = 1): void {
    const bucket = Math.round(Math.log(Math.max(value, 0.01)) / width) - lowest
    const place = Math.min(buckets - 1, bucket)
    this.#counts[place] = (this.#counts[place] ?? 0) + times
    this.#count += times
    if (value > this.#most) this.#most = value
  }

  get most(): number {
    return this.#most
  }

  percentile(share: number): number {
    let seen = 0
    for (const [place, count] of this.#counts.entries()) {
      seen += count
      if (count > 0 && seen >= share * this.#count) return Math.min(this.#most, Math.exp((place + lowest) * width))
    }
    return 0
  }
}
