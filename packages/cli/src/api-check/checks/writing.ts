/** Checks of writing, only with --write: idempotent retries, no lost updates. Created resources are deleted again. */
import { randomUUID } from 'node:crypto'
import type { Json } from '@grantor/protocol/types'
import {
  type Check,
  type CheckContext,
  expect,
  failed,
  type MadeResource,
  nothingMade,
  passed,
  skipped,
} from '../check.ts'
import type { Answer } from '../exchange.ts'
import { isObject } from '../model.ts'
import { isMade, madeTarget, seen } from '../targets.ts'

const posted = ({ api, send }: CheckContext, key: string, body: string): Promise<Answer> =>
  send({
    method: 'POST',
    target: api.create?.template ?? '/',
    headers: { 'content-type': api.create?.mediaType ?? 'application/json', 'idempotency-key': key },
    body,
  })

/** A body that differs in a number or a text, and may or may not still be valid. */
function otherBody(body: string): string | null {
  const value = JSON.parse(body) as Json
  if (!isObject(value)) return null
  const members = Object.entries(value)
  for (const [name, member] of members)
    if (typeof member === 'number') return JSON.stringify({ ...value, [name]: member + 1 })
  for (const [name, member] of members)
    if (typeof member === 'string') return JSON.stringify({ ...value, [name]: `${member}x` })
  return null
}

/** Deletes at once a resource that was created in addition to the one kept until the end. */
async function removeOther(context: CheckContext, made: MadeResource, answer: Answer): Promise<boolean> {
  const target = madeTarget(answer, context)
  if (target === null || target === made.path) return false
  await context.remove(target, answer)
  return true
}

/** Sends the example of the change, as not every member of a create can be changed; an empty example is not used. */
function changed(
  { api: { change }, send }: CheckContext,
  made: MadeResource,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const headers = { 'content-type': change?.mediaType ?? 'application/json', ...more }
  const example = change?.example ?? '{}'
  const body = example === '{}' ? made.body : example
  return send({ method: change?.method ?? 'PATCH', target: made.path, headers, body })
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
      // Repeats the first create, because a new one could violate uniqueness of members.
      const again = await posted(context, made.key, made.body)
      if (await removeOther(context, made, again)) return failed('the second request made another one')
      if (again.status !== made.answer.status) return failed(`first ${made.answer.status}, then ${seen(again)}`)
      return expect(madeTarget(again, context) === made.path, 'the second answer does not name what was made')
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
      if (made === null) return nothingMade
      const other = otherBody(made.body)
      if (other === null) return skipped('the example has no number or text that could be another')
      const second = await posted(context, made.key, other)
      await removeOther(context, made, second)
      if (second.status === 400 || second.status === 415) return skipped(`another body ${seen(second)}`)
      if (second.status !== 422) return failed(seen(second))
      // Many APIs answer 422 to any invalid body: it concerns the key only if the same body with another key succeeds.
      const own = await posted(context, randomUUID(), other)
      await removeOther(context, made, own)
      return own.status === 422 ? skipped(`another body ${seen(own)}, with a key of its own too`) : passed()
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
      if (made === null || !isMade(made.answer) || context.api.change === null) return nothingMade
      const answer = await changed(context, made, { 'if-match': '"grantor-api-check"' })
      if ([400, 415, 422].includes(answer.status)) return skipped(`a change from the example ${seen(answer)}`)
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
      if (made === null || !isMade(made.answer) || context.api.change === null) return nothingMade
      const answer = await changed(context, made)
      if (answer.status === 428) return passed('428: a version is required')
      return answer.status < 300 && answer.status > 0
        ? passed('taken: the API leaves it to clients')
        : skipped(`a change from the example ${seen(answer)}`)
    },
  },
]
