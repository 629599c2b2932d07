/** A segment of a template with parameters in it, as `{year}-{month}.csv`, and which segments of a path it covers. */

/** What stands around the parameters; the first and the last of it may be empty. */
export type SegmentPattern = readonly string[]

export const segmentPattern = (segment: string): SegmentPattern => segment.split(/\{[^{}]*\}/)

/**
 * Each parameter holds at least one character. What stands between two of them is looked for from left to right: where it
 * comes first leaves most to the rest, so one look suffices, however often it comes. A regular expression would try them all.
 */
export function coversSegment([before = '', ...rest]: SegmentPattern, segment: string): boolean {
  const between = rest.slice(0, -1)
  const after = rest.at(-1) ?? ''
  if (!segment.startsWith(before) || !segment.endsWith(after)) return false
  let at = before.length
  for (const text of between) {
    const found = segment.indexOf(text, at + 1)
    if (found < 0) return false
    at = found + text.length
  }
  return at + 1 <= segment.length - after.length
}
