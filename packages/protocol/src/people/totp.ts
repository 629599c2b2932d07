/** Time-based one-time passwords: RFC 6238 over RFC 4226, with the parameters that every app supports. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../types.ts'

/**
 * SHA-1, six digits, half a minute: apps ignore other parameters or fail with them. RFC 4226 §4 asks for 160 bits of
 * secret.
 */
export const totp = Object.freeze({ period: 30, digits: 6, secretBytes: 20 })

/** RFC 6238 §5.2: one step to either side, for clocks that differ and people who type slowly. */
const drift = 1

/**
 * Steps between the earliest and the latest code that are valid at one moment. A last step further ahead was used while
 * the clock was ahead, and is ignored: the store knows every used step.
 */
export const totpWindow = 2 * drift

/** When a code of that step is no longer valid by any clock. */
export const totpEnd = (step: number): Instant => ((step + 1 + drift) * totp.period * 1000) as Instant

/** RFC 6238 §4.2: T. */
export const totpStep = (now: Instant): number => Math.floor(now / 1000 / totp.period)

/** RFC 4226 §5.3: dynamic truncation. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** totp.digits).padStart(totp.digits, '0')
}

export interface TotpState {
  readonly secret: Uint8Array
  /** The last step whose code was used; null before the first. RFC 6238 §5.2: no step is used twice. */
  readonly lastStep: number | null
}

/** The step of a code; null where the code is not valid now. */
export function matchingStep(code: string, { secret, lastStep }: TotpState, now: Instant): number | null {
  const shown = Buffer.from(typed(code))
  if (shown.length !== totp.digits) return null
  let found: number | null = null
  // Every step is compared, so that the time reveals nothing.
  for (let step = totpStep(now) - drift; step <= totpStep(now) + drift; step++) {
    const isIt = timingSafeEqual(Buffer.from(totpCode(secret, step)), shown)
    if (isIt && (lastStep === null || step > lastStep || lastStep > step + totpWindow)) found ??= step
  }
  return found
}

/** Apps show codes in two groups, and people type them that way. */
const typed = (code: string): string => (code.length > 20 ? '' : code.replace(/[\s-]/g, ''))

/** RFC 4648 §6, without padding: the form in which apps accept a typed secret. */
export function base32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** The content of the QR code: the Key URI Format of apps. */
export function otpauthUri(secret: Uint8Array, by: { readonly service: string; readonly account: string }): string {
  const [service, account] = [by.service, by.account].map(labelled)
  return `otpauth://totp/${service}:${account}?secret=${base32(secret)}&issuer=${service}`
}

/** Short enough for a QR code that a phone can read; a colon separates the two names. */
const labelled = (name: string): string =>
  encodeURIComponent(Array.from(name.toWellFormed().replaceAll(':', ' ')).slice(0, 60).join(''))
