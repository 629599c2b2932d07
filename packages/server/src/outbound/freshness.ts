/** How long an answer may be used: its Cache-Control (RFC 9111 §5.2.2), within bounds of our own. */

const least = 60
const most = 86_400
const usual = 3_600

/** Seconds. Who forbids keeping a copy is asked again after the shortest time, not at every use. */
export function maxAgeOf(cacheControl: string | undefined): number {
  const words = (cacheControl ?? '')
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
  if (words.includes('no-store') || words.includes('no-cache')) return least
  const given = words.map((word) => /^max-age="?(\d{1,10})"?$/.exec(word)?.[1]).find((age) => age !== undefined)
  return given === undefined ? usual : Math.min(most, Math.max(least, Number(given)))
}
