/** HTTP dates: RFC 9110 §5.6.7. One form is written, three are read. */
import type { Instant } from '../types.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const month = months.join('|')
const fixdate = new RegExp(
  `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d\\d) (${month}) (\\d{4}) (\\d\\d):(\\d\\d):(\\d\\d) GMT$`,
)
const rfc850 = new RegExp(`^\\w{6,9}, (\\d\\d)-(${month})-(\\d\\d) (\\d\\d):(\\d\\d):(\\d\\d) GMT$`)
const asctime = new RegExp(`^\\w{3} (${month}) ([ \\d]\\d) (\\d\\d):(\\d\\d):(\\d\\d) (\\d{4})$`)

export function httpDate(at: number): string {
  return new Date(Math.floor(at / 1000) * 1000).toUTCString()
}

/** null for an invalid date: RFC 9110 §13.1.3 says to ignore such a condition. */
export function parseHttpDate(value: string): Instant | null {
  const text = value.trim()
  const fixed = fixdate.exec(text)
  if (fixed !== null) return instant(fixed[3], fixed[2], fixed[1], fixed.slice(4))
  const old = rfc850.exec(text)
  // Two-digit years up to 69 are of this century; the form has been obsolete since 1994.
  if (old !== null)
    return instant(String(Number(old[3]) + (Number(old[3]) < 70 ? 2000 : 1900)), old[2], old[1], old.slice(4))
  const c = asctime.exec(text)
  return c === null ? null : instant(c[6], c[1], c[2], c.slice(3, 6))
}

function instant(year = '', name = '', day = '', time: readonly string[] = []): Instant | null {
  const [hour = 0, minute = 0, second = 0] = time.map(Number)
  if (hour > 23 || minute > 59 || second > 60) return null
  const date = new Date(Date.UTC(Number(year), months.indexOf(name), Number(day)))
  if (date.getUTCDate() !== Number(day)) return null
  return (date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000) as Instant
}
