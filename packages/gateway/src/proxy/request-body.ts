/** The body of a request on its way through: counted where its length was not said before. */
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { err, ok, type Result } from '@grantor/protocol/result'
import { BodyTooLarge } from './upstream.ts'

/** null where there is none. */
export function requestBody(request: IncomingMessage, limit: number): Result<Readable | null, 'too_large'> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (coding === undefined) {
    if (length === undefined || length === '0') return ok(null)
    // The parser of HTTP hands over no more than was said.
    return Number(length) > limit ? err('too_large') : ok(request)
  }
  let size = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > limit) done(new BodyTooLarge('too large'))
      else done(null, chunk)
    },
  })
  request.on('error', (error) => counted.destroy(error))
  request.on('aborted', () => counted.destroy(new Error('the client went away')))
  return ok(request.pipe(counted))
}
