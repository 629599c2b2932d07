/** A node that has not heard yet of what another node or a command changed: it refuses nothing that is allowed by now. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { asking, databases, declaration, declare, machine, openDeployment } from '../support/deployment.ts'

interface Change {
  /** Why the node refuses before it. */
  readonly refused: string
  /** As the node knows it, where that is not `narrow`. */
  readonly known?: JsonObject
  readonly declared: JsonObject
  readonly body: string
}

const added = { identifier: 'https://new.example', name: 'New' }

const asks = (scope: string): string => `grant_type=client_credentials&scope=${scope}`
/** As the node knows it: it may ask for less, by one type of grant. */
const narrow = machine('svc', 'invoices:read')

const changes: Readonly<Record<string, Change>> = {
  'a scope, and a client that may ask for it': {
    refused: 'scope_unknown',
    declared: {
      ...declaration,
      resources: [...declaration.resources, added],
      scopes: [...declaration.scopes, { name: 'new:read', description: 'See news', resource: added.identifier }],
      clients: [machine('svc', 'invoices:read new:read')],
    },
    body: asks('new:read'),
  },
  'what a client may ask for': {
    refused: 'scope_exceeds_client',
    declared: { ...declaration, clients: [machine('svc', 'invoices:read invoices:write')] },
    body: asks('invoices:write'),
  },
  'that a client need not prove a key any more': {
    refused: 'proof_missing',
    known: { ...narrow, dpop_bound_access_tokens: true },
    declared: { ...declaration, clients: [narrow] },
    body: asks('invoices:read'),
  },
}

for (const database of databases)
  describe(`changes that a node has not heard of on ${database}`, () => {
    for (const [name, { refused, known = narrow, declared, body }] of Object.entries(changes))
      test(name, async () => {
        const deployment = await openDeployment(database)
        await declare(deployment, { ...declaration, clients: [known] })
        const { store } = deployment.ports
        const deaf = deployment.node({ store: { ...store, directory: { ...store.directory, watch: () => () => {} } } })
        const before = await deaf.token(asking(body))
        assert.equal(before.kind === 'error' && before.error.reason, refused)
        await declare(deployment, declared)
        assert.equal((await deaf.token(asking(body))).kind, 'ok')
      })
  })
