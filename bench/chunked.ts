/** Bodies in chunks (RFC 9112 §7.1): how servers answer that send before they know the length. */

const ending = Buffer.from('\r\n0\r\n\r\n')

/** Of everything received since the answer began: one request is under way at a time, so nothing follows its last chunk. */
export const endsChunked = (received: Buffer): boolean => received.subarray(-ending.length).equals(ending)

export function joinChunks(received: Buffer, from: number): string {
  const chunks: Buffer[] = []
  let at = from
  for (;;) {
    const begin = received.indexOf('\r\n', at) + 2
    const size = Number.parseInt(received.toString('latin1', at, begin), 16)
    if (size === 0) return Buffer.concat(chunks).toString()
    chunks.push(received.subarray(begin, begin + size))
    at = begin + size + 2
  }
}
