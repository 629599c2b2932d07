/** A segment of a template with parameters, as `{year}-{month}.csv`, and which segments of a path it covers. */

/** The texts around the parameters; the first and the last may be empty. */
export type SegmentPattern = readonly string[]

export const segmentPattern = (segment: string): SegmentPattern => segment.split(/\{[^{}]*\}/)

/**
 * Each parameter stands for at least one character. The texts between parameters are searched from left to right: the
 * first occurrence leaves most for the rest, so one search suffices. A regular expression would backtrack over them
 * all.
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
