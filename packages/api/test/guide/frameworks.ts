/** The examples of docs/resource-toolkit.md for each framework, for owners and for versions. */
import type { ProtectOptions, Validator } from '@grantor/resource'
import { guard as expressGuard } from '@grantor/resource/express'
import { guard as honoGuard, guardHandler } from '@grantor/resource/hono'
import express from 'express'
import { Hono } from 'hono'
import { expressApi } from '../../src/adapters/express.ts'
import { honoApi } from '../../src/adapters/hono.ts'
import { nodeListener } from '../../src/adapters/node.ts'
import { createServer } from 'node:http'
import type { Instant } from '@grantor/protocol/types'
import type { Collection } from '../../src/collection/collection.ts'
import type { Handlers, PageQuery, RequestContext, StoredResource } from '../../src/collection/handlers.ts'
import { type ResourceServer, resourceServer } from '../../src/serve/resource-server.ts'

export function guardedOnExpress(protect: ProtectOptions) {
  // #region guardExpress
  const app = express()
  app.get('/report', expressGuard(protect, 'reports:read'), (request, response) => {
    response.json({ for: request.caller?.subject })
  })
  // #endregion
  return app
}

export function guardedOnHono(protect: ProtectOptions) {
  // #region guardHono
  const app = new Hono()
  app.get('/report', honoGuard(protect, 'reports:read'), (c) => c.json({ for: c.get('caller').subject }))
  app.get(
    '/total',
    guardHandler(protect, 'reports:read', (c) => c.json({ of: c.get('caller').subject })),
  )
  // #endregion
  return app
}

export function served(api: ResourceServer) {
  // #region served
  const onExpress = express().use(expressApi(api)) // before express.json(): the API reads bodies itself
  const onHono = new Hono().use(honoApi(api))
  const onNode = createServer(nodeListener(api))
  // #endregion
  return { onExpress, onHono, onNode }
}

export interface Note {
  readonly id: string
  readonly text: string
}

interface Owner {
  readonly tenant: string
  readonly owner: string
}

export interface NoteStore {
  page(of: Owner, query: PageQuery): readonly StoredResource<Note>[]
  find(of: Owner, id: string): StoredResource<Note> | null
  add(of: Owner, id: string, text: string): StoredResource<Note>
}

export function ownedNotes(store: NoteStore) {
  // #region owned
  const ownerOf = ({ caller, tenant }: RequestContext) => ({ tenant, owner: caller.subject })
  const handlers: Handlers<Note, Pick<Note, 'text'>> = {
    list: (query, context) => store.page(ownerOf(context), query), // WHERE tenant = ? AND owner = ? AND …
    get: (id, context) => store.find(ownerOf(context), id), // somebody else's is null: 404, as if it were not there
    create: ({ text }, context) => store.add(ownerOf(context), context.intent, text),
  }
  // #endregion
  return handlers
}

export function versioned(validator: Validator, v1: Collection, v2: Collection) {
  // #region versions
  const api = resourceServer({
    name: 'Invoices',
    audience: 'https://api.example',
    issuers: ['https://issuer.example'],
    validator,
    versions: [
      { name: 'v1', collections: [v1], deprecatedAt: Date.UTC(2026, 10, 1) as Instant, successor: 'v2' },
      { name: 'v2', collections: [v2] },
    ],
  })
  // #endregion
  return api
}
