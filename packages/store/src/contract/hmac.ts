/**
 * HMAC-SHA256 (RFC 2104) by two one-shot hashes. Node's own Hmac costs twice as much, nearly all of it to set up, and a
 * busy log needs one for every tenant in every commit.
 */
import { hash } from 'node:crypto'

const block = 64

interface Pads {
  readonly inner: string
  readonly outer: string
}

const padsOfKey = new WeakMap<Uint8Array, Pads>()

function padsOf(key: Uint8Array): Pads {
  const known = padsOfKey.get(key)
  if (known !== undefined) return known
  if (key.length > block) throw new Error('a longer key would have to be hashed first')
  const padded = (by: number): string => {
    const bytes = Buffer.alloc(block)
    bytes.set(key)
    return Buffer.from(bytes.map((byte) => byte ^ by)).toString('latin1')
  }
  const pads = { inner: padded(0x36), outer: padded(0x5c) }
  padsOfKey.set(key, pads)
  return pads
}

/** The message has room for a block before it, which is overwritten. Answers a character for each byte. */
export function hmacOf(key: Uint8Array, message: Buffer): string {
  const { inner, outer } = padsOf(key)
  message.write(inner, 'latin1')
  const joined = Buffer.allocUnsafe(block + 32)
  joined.write(outer, 'latin1')
  joined.write(hash('sha256', message, 'latin1'), block, 'latin1')
  return hash('sha256', joined, 'latin1')
}

export const hmacRoom = block
