/** The secret of an authenticator app, as its page shows it (RFC 4648 §6). */

export function fromBase32(text: string): Uint8Array {
  const bits = text.replace(/./g, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
