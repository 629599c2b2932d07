/** Writing, only with --write: retries that happen once, and changes that lose nothing. What is made is deleted again. */
import { randomUUID } from 'node:crypto'
import { type Check, type CheckContext, expect, failed, nothingMade, passed, skipped } from '../check.ts'
import type { Answer } from '../exchange.ts'
import { idOf, itemTarget, jsonOf, seen } from '../targets.ts'

const posted = ({ api, send }: CheckContext, key: string, body: string): Promise<Answer> =>
  send({
    method: 'POST',
    target: api.create?.template ?? '/',
    headers: { 'content-type': api.create?.mediaType ?? 'application/json', 'idempotency-key': key },
    body,
  })

/** A body that differs and still fits: another order of members is the same, so one is left out or nothing can be said. */
function otherBody(body: string): string | null {
  const value = JSON.parse(body) as unknown
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'number') return JSON.stringify({ ...value, [name]: member + 1 })
    if (typeof member === 'string') return JSON.stringify({ ...value, [name]: `${member}x` })
  }
  return null
}

const changed = (context: CheckContext, path: string, more: Readonly<Record<string, string>>, body: string) => {
  const { change } = context.api
  const headers = { 'content-type': change?.mediaType ?? 'application/json', ...more }
  return context.send({ method: change?.method ?? 'PATCH', target: path, headers, body })
}

export const writingChecks: readonly Check[] = [
  {
    name: 'a create is 201 with Location',
    group: 'writing',
    clause: 'RFC 9110 §15.3.2, §10.2.2',
    remedy: 'answer 201 with the address of what was made in Location (or 202 for work that goes on)',
    writes: true,
    async run(context) {
      const made = await context.made()
      if (made === null) return nothingMade
      if (made.answer.status === 202) return passed('202: it is done later')
      return expect(
        made.answer.status === 201 && made.answer.headers.has('location'),
        `${seen(made.answer)}, Location: ${made.answer.headers.get('location') ?? 'none'}`,
      )
    },
  },
  {
    name: 'the same key gives the same answer',
    group: 'idempotency',
    clause: 'draft-ietf-httpapi-idempotency-key-header-07 §2.6',
    remedy: 'keep the answer to a key, and give it again to the same request',
    writes: true,
    async run(context) {
      const made = await context.made()
      if (made === null) return nothingMade
      const key = randomUUID()
      const [first, again] = [await posted(context, key, made.body), await posted(context, key, made.body)]
      const ids = [first, again].map((answer) => idOf(jsonOf(answer), context.api))
      for (const id of new Set(ids)) await remove(context, id)
      if (first.status >= 300) return failed(`with a key it ${seen(first)}`)
      if (ids[0] !== ids[1]) return failed('the second request made another one')
      return expect(again.status === first.status, `first ${first.status}, then ${seen(again)}`)
    },
  },
  {
    name: 'a key for another request is 422',
    group: 'idempotency',
    clause: 'draft-ietf-httpapi-idempotency-key-header-07 §2.7',
    remedy: 'refuse a key that was used with another body with 422',
    writes: true,
    async run(context) {
      const made = await context.made()
      const other = made === null ? null : otherBody(made.body)
      if (made === null || other === null) return nothingMade
      const key = randomUUID()
      const [first, second] = [await posted(context, key, made.body), await posted(context, key, other)]
      for (const answer of [first, second]) await remove(context, idOf(jsonOf(answer), context.api))
      if (first.status >= 300) return failed(`with a key it ${seen(first)}`)
      return expect(second.status === 422, seen(second))
    },
  },
  {
    name: 'a change of another version is 412',
    group: 'conditions',
    clause: 'RFC 9110 §13.1.1, §15.5.13',
    remedy: 'compare If-Match with the present ETag, and answer 412 where they differ',
    writes: true,
    async run(context) {
      const made = await context.made()
      if (made === null || context.api.change === null) return nothingMade
      const answer = await changed(context, made.path, { 'if-match': '"grantor-api-check"' }, made.body)
      return expect(answer.status === 412, seen(answer))
    },
  },
  {
    name: 'a change without a version is 428, or taken by choice',
    group: 'conditions',
    clause: 'RFC 6585 §3',
    remedy: 'ask for If-Match with 428 where lost updates matter',
    writes: true,
    async run(context) {
      const made = await context.made()
      if (made === null || context.api.change === null) return nothingMade
      const answer = await changed(context, made.path, {}, made.body)
      if (answer.status === 428) return passed('428: a version is required')
      return answer.status < 300 && answer.status > 0
        ? passed('taken: the API leaves it to clients')
        : skipped(`a change from the example ${seen(answer)}`)
    },
  },
]

async function remove(context: CheckContext, id: string | null): Promise<void> {
  const target = id === null ? null : itemTarget(context.api, id)
  if (target !== null && context.api.remove !== null) await context.send({ method: 'DELETE', target })
}
