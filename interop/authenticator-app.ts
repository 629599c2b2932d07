/** An authenticator app written from RFC 6238 alone: what it agrees on with the server, it agrees on by the standard. */
import { createHmac } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export class AuthenticatorApp {
  readonly #secret: Buffer
  #last = 0

  /** `typed`: the secret as a page shows it, in groups of base32 letters (RFC 4648 §6). */
  constructor(typed: string) {
    const bits = typed
      .replaceAll(/[^A-Z2-7]/g, '')
      .replaceAll(/./g, (it) => letters.indexOf(it).toString(2).padStart(5, '0'))
    this.#secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  }

  /** A code that was not shown before. The second is of the step ahead, as from a clock that is fast; there is no third. */
  code(): string {
    this.#last = Math.max(Math.floor(Date.now() / 30_000), this.#last + 1)
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(this.#last))
    const mac = createHmac('sha1', this.#secret).update(counter).digest()
    const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff
    return String(number % 1_000_000).padStart(6, '0')
  }
}
