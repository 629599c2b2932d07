/** The body of a request on its way to the API: its bytes are counted where no length was stated. */
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { err, ok, type Result } from '@grantor/protocol/result'
import { BodyTooLarge } from './upstream.ts'

/** null where the request has no body. */
export function requestBody(request: IncomingMessage, limit: number): Result<Readable | null, 'too_large'> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (coding === undefined) {
    if (length === undefined || length === '0') return ok(null)
    // The HTTP parser delivers no more bytes than Content-Length states.
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
