/** Actions on the event log: wait for new events, export them as lines, and verify the log. */
import type { ActionPlan, ViewPlan } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { eventDocument } from '@grantor/protocol/events'
import { problem } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { apiResponse } from '@grantor/resource/http'
import { Type } from 'typebox'
import { adminProblem } from '../admin-problem.ts'
import { type EventDocument, eventEntry } from './event.ts'
import { tenantOf } from '../fields.ts'

type Acts = Authority['admin']['events']

const seq = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })
const mostFollowed = 200
/** Most waiting requests of a process, as each holds a connection; further ones are answered at once. */
const mostWaiting = 200

export function follow(acts: Acts): ActionPlan<EventDocument> {
  let waiting = 0
  return {
    on: 'collection',
    scope: 'admin:events:read',
    summary: 'Wait for events after a place in the log, and give those that came',
    body: Type.Object({
      after: seq('The last that is known; 0 for all'),
      wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, description: 'Seconds; 25 where left out' })),
    }),
    example: { after: 42, wait: 25 },
    async run({ after, wait = 25 }: { readonly after: number; readonly wait?: number }, context) {
      waiting++
      try {
        const patience = waiting > mostWaiting ? 0 : wait * 1000
        const found = await acts.awaitAfter(tenantOf(context), after, { limit: mostFollowed, patience })
        if (found.kind === 'error') return adminProblem(found.error)
        return {
          items: found.value.map(eventEntry) as unknown as JsonObject[],
          after: found.value.at(-1)?.seq ?? after,
        }
      } finally {
        waiting--
      }
    },
  }
}

/** Lines of one answer of an export, which must fit into memory. */
const linesAtOnce = 5_000
const jsonLines = 'application/x-ndjson'
const place = /^[0-9]{1,15}$/

/** `/v1/events/{seq}/export`: events after this sequence number; 0 is the beginning. */
export const exported = (acts: Acts, base: (tenant: string) => string): ViewPlan => ({
  summary: 'Events after this place in the log as JSON lines, at most 5 000; Link leads on',
  type: jsonLines,
  id: Type.String({ pattern: place.source, description: 'A place in the log; 0 is its beginning', examples: ['0'] }),
  async show(id, context) {
    if (!place.test(id)) return err(problem('not-found', 'A place in the log is a number.'))
    const found = await acts.after(tenantOf(context), Number(id), linesAtOnce)
    if (found.kind === 'error') return err(adminProblem(found.error))
    const last = found.value.at(-1)
    const next = found.value.length < linesAtOnce || last === undefined ? null : last.seq
    const body = found.value.map((event) => `${JSON.stringify(eventDocument(event))}\n`).join('')
    const headers = { 'content-type': jsonLines, 'cache-control': 'no-store' }
    const link = next === null ? {} : { link: `<${base(context.tenant)}/v1/events/${next}/export>; rel="next"` }
    return ok({ ...apiResponse(200, { ...headers, ...link }), body })
  },
})

export const verify = (acts: Acts): ActionPlan<EventDocument> => ({
  on: 'collection',
  scope: 'admin:events:read',
  summary: 'Find every event that was edited, removed, put in, moved or cut off',
  deferred: 'always',
  body: Type.Object({
    head: Type.Optional(
      Type.Object(
        { seq: seq('Its place'), hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) },
        { description: 'A head of the log that was kept elsewhere' },
      ),
    ),
  }),
  example: {},
  async run({ head }: { readonly head?: { readonly seq: number; readonly hash: string } }, context) {
    const watch = { signal: context.signal, progress: (done: number, total: number) => context.progress(done, total) }
    const report = await acts.verify(tenantOf(context), head ?? null, watch)
    if (report.kind === 'error') return adminProblem(report.error)
    const { events, from, head: newest, damage } = report.value
    return { ok: damage.length === 0, events, from, head: newest, damage: damage.map((it) => ({ ...it })) }
  },
})
