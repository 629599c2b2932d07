/** Which sessions a provider means (Back-Channel Logout §2.6), over a store that is a table; and what is said of their end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { sessionEnded, sessionsMeant } from '../../src/providers/backchannel-logout.ts'

const tenant = 'acme' as TenantId
const at = { tenant, provider: 'corp', issuer: 'https://idp.example' }
const session = (n: number, subject: string, provider: string | null, sid = `s${n}`) => ({
  tenant,
  id: `session-${n}`,
  authentication: { subject },
  ...(provider === null ? {} : { upstream: { provider, sid } }),
})
const rows = [
  ...Array.from({ length: 205 }, (_, n) => session(n, 'u1', n % 2 === 0 ? 'corp' : null)),
  session(900, 'u2', 'corp', 's0'),
  session(901, 'u1', 'other'),
]

function scene() {
  const reads: number[] = []
  const store = {
    identities: {
      find: async (_: string, name: { provider: string; issuer: string; upstreamSubject: string }) =>
        name.provider === 'corp' && name.issuer === at.issuer && name.upstreamSubject === 'ada'
          ? { subject: 'u1' }
          : null,
    },
    sessions: {
      byUpstream: async (_: string, provider: string, sid: string) =>
        rows.filter(({ upstream }) => upstream?.provider === provider && upstream.sid === sid),
      livingOf: async (_: string, subject: string, { before, limit }: { before: object | null; limit: number }) => {
        reads.push(limit)
        const own = rows.filter((it) => it.authentication.subject === subject)
        const from = before === null ? 0 : own.findIndex((it) => it === before) + 1
        return own.slice(from, from + limit)
      },
    },
  }
  const deps = { clock: { now: () => 1000 }, ids: { id: () => 'e' }, store } as never
  return { deps, reads }
}

const meant = async (claims: object) => {
  const { deps, reads } = scene()
  const found = await sessionsMeant(at, { claims } as never, deps)
  return { ids: found.map(({ id }) => id), reads }
}

test('a session of theirs is found by its sid, with a sub only that person’s', async () => {
  assert.deepEqual((await meant({ sid: 's0' })).ids, ['session-0', 'session-900'])
  assert.deepEqual((await meant({ sid: 's0', sub: 'ada' })).ids, ['session-0'])
  assert.deepEqual((await meant({ sid: 's0', sub: 'somebody else' })).ids, [])
})

test('a person alone means every session that came from that provider, over any number of pages', async () => {
  const { ids, reads } = await meant({ sub: 'ada' })
  assert.deepEqual([ids.length, new Set(ids).size, ids.includes('session-901')], [103, 103, false])
  assert.deepEqual(reads, [100, 100, 100])
  assert.deepEqual((await meant({ sub: 'nobody' })).ids, [])
  assert.deepEqual((await meant({})).ids, [])
})

test('it ends with an event that says by whom', () => {
  const event = sessionEnded(session(7, 'u1', 'corp') as never, 'corp', scene().deps)
  assert.deepEqual(
    [event.tenant, event.name, event.subject, event.reason, event.data, event.actor],
    [tenant, 'session.ended', 'u1', 'provider', { sid: 'session-7', provider: 'corp' }, { kind: 'system', id: null }],
  )
})
