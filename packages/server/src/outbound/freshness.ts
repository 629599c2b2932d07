/** How long an answer may be used: by its Cache-Control (RFC 9111 §5.2.2), within bounds of our own. */

const least = 60
const most = 86_400
const usual = 3_600

/** Seconds. An answer that forbids caching is still used for the shortest time, not fetched at every use. */
export function maxAgeOf(cacheControl: string | undefined): number {
  const words = (cacheControl ?? '')
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
  if (words.includes('no-store') || words.includes('no-cache')) return least
  const given = words.map((word) => /^max-age="?(\d{1,10})"?$/.exec(word)?.[1]).find((age) => age !== undefined)
  return given === undefined ? usual : Math.min(most, Math.max(least, Number(given)))
}
