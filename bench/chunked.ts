/** Finds the end of chunked bodies (RFC 9112 §7.1), which servers send if they do not know the length. */

const ending = Buffer.from('\r\n0\r\n\r\n')

/** `received` is everything since the answer began: a connection has one request at a time, so nothing follows. */
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
