/** Descriptions of the header fields of requests. */
import { idempotencyKeyPattern, longestIdempotencyKey, versionTag, writeTag } from '@grantor/protocol/http'
import type { OpenApiNode } from './node.ts'
import type { DescribedCollection } from './operation.ts'

export function condition(of: DescribedCollection, name: string, description: string, required: boolean): OpenApiNode {
  const example = writeTag(versionTag(JSON.stringify(of.collection.example['id']), 1))
  return { name, in: 'header', required, description, schema: { type: 'string' }, example }
}

export function idempotencyKey(required: boolean): OpenApiNode {
  const description = 'A fresh string per intention: the request then happens once, however often it is sent.'
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required,
    description,
    schema: { type: 'string', minLength: 1, maxLength: longestIdempotencyKey, pattern: idempotencyKeyPattern },
  }
}

export const preferLater: OpenApiNode = {
  name: 'Prefer',
  in: 'header',
  description:
    '`respond-async`: accepted with 202 and done later; needs an Idempotency-Key. `wait=5`: waits so many seconds first.',
  schema: { type: 'string' },
}

export const prefer: OpenApiNode = {
  name: 'Prefer',
  in: 'header',
  description: '`return=minimal`: no body. `handling=lenient`: unknown members are passed over (RFC 7240).',
  schema: { type: 'string' },
}
