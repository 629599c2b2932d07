/** Searching clients: what no index knows is read for, part by part, and nothing is left out between the parts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@grantor/protocol/registration'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { searchClients } from '../../src/admin/clients/search.ts'

const tenant = 'default' as TenantId

/** Every hundredth is a machine; ids are in order. */
const all = Array.from({ length: 1_200 }, (_, n) => {
  const grants = n % 100 === 50 ? ['client_credentials'] : ['authorization_code']
  const metadata = { client_name: `App ${n}`, grant_types: grants, scope: '', token_endpoint_auth_method: 'none' }
  return { id: `c${String(n).padStart(5, '0')}`, origin: 'manual', metadata, disabledAt: null } as unknown as Client
})
const clients: Pick<Store['clients'], 'list'> = {
  list(_, { after, limit, descending = false }) {
    const ordered = descending ? all.toReversed() : all
    const from = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1
    return Promise.resolve(ordered.slice(from, from + limit))
  },
}

for (const descending of [false, true])
  test(`a search in parts finds each once, ${descending ? 'backwards' : 'forwards'}`, async () => {
    const found: string[] = []
    for (let after: string | null = null, more = true; more;) {
      const part = await searchClients(
        clients,
        tenant,
        { after, limit: 51, descending, kinds: ['machine'] },
        () => true,
      )
      assert.ok(part.kind === 'ok')
      found.push(...part.value.found.map(({ id }) => id))
      after = part.value.resumesAfter
      more = after !== null
    }
    const machines = all.filter((_, n) => n % 100 === 50).map(({ id }) => id)
    assert.deepEqual(found, descending ? machines.toReversed() : machines)
  })

test('as many as are asked for are given at once, and without a filter nothing is read in vain', async () => {
  const kinds = await searchClients(clients, tenant, { after: null, limit: 3, kinds: ['machine'] }, () => false)
  assert.deepEqual(kinds.kind === 'ok' && kinds.value.found.map(({ id }) => id), ['c00050', 'c00150', 'c00250'])
  const whole = await searchClients(clients, tenant, { after: 'c00003', limit: 2 }, () => true)
  assert.deepEqual(whole.kind === 'ok' && whole.value.found.map(({ id }) => id), ['c00004', 'c00005'])
})
