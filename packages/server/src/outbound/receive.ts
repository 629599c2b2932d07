/** Reads an answer if it has the right status and type, no content coding, and at most the allowed size. */
import type { IncomingMessage } from 'node:http'
import type { FetchRequest, Fetched, OutboundError } from '@grantor/authority'
import { err, ok, type Result } from '@grantor/protocol/result'
import { maxAgeOf } from './freshness.ts'

interface ReceiveOptions {
  readonly ask: FetchRequest
  readonly now: () => number
  readonly signal: AbortSignal
}

export async function receive(
  answer: IncomingMessage,
  { ask, now, signal }: ReceiveOptions,
): Promise<Result<Fetched, OutboundError>> {
  const { headers, statusCode } = answer
  const type = mediaType(headers['content-type'])
  const refused =
    statusCode !== 200
      ? 'status'
      : !isAmong(ask.types, type) || isEncoded(headers['content-encoding'])
        ? 'type'
        : Number(headers['content-length'] ?? 0) > ask.maxBytes
          ? 'size'
          : null
  if (refused !== null) {
    discard(answer)
    return err(refused)
  }
  const body = await bodyOf(answer, ask.maxBytes)
  if (body === 'size') return err('size')
  if (body === 'cut') return err(signal.aborted ? 'time' : 'unreachable')
  return ok({ type, body, fetchedAt: now(), maxAge: maxAgeOf(headers['cache-control']) })
}

/** RFC 6839 §3.1: `application/*+json` stands for every type that is JSON by its suffix. */
const isAmong = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (types.includes('application/*+json') && /^application\/[\w.+-]+\+json$/.test(type))

/** Drops an answer and its connection with whatever still arrives on it. */
export function discard(answer: IncomingMessage): void {
  answer.on('error', () => {})
  answer.destroy()
}

async function bodyOf(answer: IncomingMessage, most: number): Promise<Uint8Array | 'size' | 'cut'> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      size += chunk.length
      // Leaving the loop ends the connection.
      if (size > most) return 'size'
      chunks.push(chunk)
    }
  } catch {
    return 'cut'
  }
  // A body that ends before its stated length is refused.
  return answer.complete ? Buffer.concat(chunks) : 'cut'
}

/** RFC 9110 §8.3.1: without parameters, in lower case. */
const mediaType = (header: string | undefined): string => (header ?? '').split(';', 1).join('').trim().toLowerCase()

const isEncoded = (header: string | undefined): boolean => header !== undefined && header.toLowerCase() !== 'identity'
