/** Bodies of the registration endpoint (RFC 7591 §3.1): JSON up to 64 KiB, read strictly, and nothing else. */
import { isUtf8 } from 'node:buffer'
import { readJson } from '@grantor/protocol/http'
import type { Refusal } from '@grantor/protocol/oauth'
import { err, type Result } from '@grantor/protocol/result'
import type { Json } from '@grantor/protocol/types'
import type { FastifyInstance } from 'fastify'
import { bodyLimit } from './form-body.ts'

/** Deeper than any metadata, key sets included. */
const maxDepth = 8

/** For `app` only, which must be a scope of its own: elsewhere JSON bodies are refused unread. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit }, (request, body, done) => {
    const { 'content-encoding': encoding } = request.headers
    const plain = encoding === undefined || encoding === 'identity'
    done(null, plain ? jsonIn(body as Buffer) : expected)
  })
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, expected))
}

const expected = err<Refusal>({ reason: 'metadata_expected' })

function jsonIn(body: Buffer): Result<Json, Refusal> | undefined {
  if (body.length === 0) return undefined
  const read = isUtf8(body) ? readJson(body.toString('utf8'), maxDepth) : null
  if (read?.kind === 'ok') return read
  return err({ reason: 'client_metadata_invalid', field: '', problem: problems[read?.error.code ?? 'malformed_json'] })
}

const problems = {
  malformed_json: 'must be JSON in UTF-8',
  too_deep: 'must not be nested deeper than 8 levels',
  repeated_member: 'must not hold a member twice',
  forbidden_member: 'must not hold a member of this name',
  broken_text: 'must not hold half of a character, or U+0000',
} as const
