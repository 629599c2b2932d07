/** Parses durations as people write them: 600s, 10m, 24h, 30d. */
const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** Undefined if the text is not a duration of at least one second. */
export function secondsIn(text: string): number | undefined {
  const [, count = '', unit = 's'] = /^([1-9]\d{0,8})([smhd])?$/.exec(text) ?? []
  return count === '' ? undefined : Number(count) * units[unit as keyof typeof units]
}

export const durationForms = 'write 600s, 10m, 24h or 30d'
