/** Time-based one-time passwords: RFC 6238 over RFC 4226, with the parameters that every app knows. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../types.ts'

/** SHA-1, six digits, half a minute: apps ignore other wishes or fail on them. RFC 4226 §4 asks for 160 bits of secret. */
export const totp = Object.freeze({ period: 30, digits: 6, secretBytes: 20 })

/** RFC 6238 §5.2: one step to either side, for clocks that differ and people who type slowly. */
const drift = 1

/**
 * Steps between the earliest and the latest code that fit at one moment. A last step further ahead than this was used
 * while the clock was ahead, and says nothing about now: the store knows every step by itself.
 */
export const totpWindow = 2 * drift

/** When no clock takes a code of that step any more. */
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
  /** The last step whose code was used; null before the first. RFC 6238 §5.2: never a second time. */
  readonly lastStep: number | null
}

/** The step whose code this is; null where it is none that may be used now. */
export function matchingStep(code: string, { secret, lastStep }: TotpState, now: Instant): number | null {
  const shown = Buffer.from(typed(code))
  if (shown.length !== totp.digits) return null
  let found: number | null = null
  // Every step is compared whatever came before: how long it takes tells nothing.
  for (let step = totpStep(now) - drift; step <= totpStep(now) + drift; step++) {
    const isIt = timingSafeEqual(Buffer.from(totpCode(secret, step)), shown)
    if (isIt && (lastStep === null || step > lastStep || lastStep > step + totpWindow)) found ??= step
  }
  return found
}

/** Apps show codes in two groups, and people type them so. */
const typed = (code: string): string => (code.length > 20 ? '' : code.replace(/[\s-]/g, ''))

/** RFC 4648 §6, without padding: how apps take a secret that is typed in. */
export function base32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** What the QR code holds: the Key URI Format that apps read. */
export function otpauthUri(secret: Uint8Array, by: { readonly service: string; readonly account: string }): string {
  const [service, account] = [by.service, by.account].map(labelled)
  return `otpauth://totp/${service}:${account}?secret=${base32(secret)}&issuer=${service}`
}

/** Short enough for a QR code that a phone can read; the colon parts the two names. */
const labelled = (name: string): string =>
  encodeURIComponent(Array.from(name.toWellFormed().replaceAll(':', ' ')).slice(0, 60).join(''))
