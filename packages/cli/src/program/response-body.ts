/** The body of an answer as text, up to a bound: whoever answers with more is not what was asked for. */
import type { IncomingMessage } from 'node:http'

const maxBytes = 1024 * 1024

export async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
