/** The other examples of docs/resource-toolkit.md: a validator, serving, and the guard alone. */
import { createServer } from 'node:http'
import {
  createPolicyService,
  createValidator,
  protectedResource,
  type RoutePolicy,
  type Validator,
  type ValidatorOptions,
} from '@grantor/resource'
import { guard } from '@grantor/resource/fastify'
import { answerWith, protectedListener } from '@grantor/resource/node'
import { fastify } from 'fastify'
import { Type } from 'typebox'
import type { ActionPlan } from '../../src/collection/handlers.ts'
import { fastifyApi } from '../../src/adapters/fastify.ts'
import { fetchHandler } from '../../src/adapters/fetch.ts'
import type { ResourceServer } from '../../src/serve/resource-server.ts'

export function validatorOf(clientSecret: string) {
  // #region validator
  const validator = createValidator({
    audience: 'https://api.example',
    issuers: [
      {
        issuer: 'https://issuer.example',
        tenants: true,
        credentials: { clientId: 'invoices-api', clientSecret },
      },
    ],
  })
  // #endregion
  return validator
}

interface Redis {
  set(key: string, value: string, options: { readonly NX: true; readonly PXAT: number }): Promise<string | null>
}

export function boundTokens(redis: Redis, nonceSecret: Uint8Array, options: ValidatorOptions) {
  // #region dpop
  const validator = createValidator({
    ...options,
    dpop: {
      replays: { use: async (id, until) => (await redis.set(id, '1', { NX: true, PXAT: until })) === 'OK' },
      nonceSecret, // 32 bytes, the same in every process; the refusal then carries `DPoP-Nonce`
    },
  })
  // #endregion
  return validator
}

export function behindProxy(options: ValidatorOptions) {
  // #region proxy
  const validator = createValidator({
    ...options,
    clientCertHeader: {
      name: 'Client-Cert',
      format: 'rfc9440', // or 'pem-urlencoded' (nginx), 'xfcc' (Envoy)
      proxies: ['10.1.0.0/16'], // addresses or blocks; 'loopback' for this machine
    },
  })
  // #endregion
  return validator
}

export function reminders(send: (customer: string, id: string) => Promise<void>, customers: readonly string[]) {
  // #region deferred
  const remind: ActionPlan<never> = {
    on: 'collection',
    scope: 'invoices:write',
    summary: 'Remind everybody who owes something',
    body: Type.Object({}),
    example: {},
    deferred: 'always', // or 'preferred': where the client sends `Prefer: respond-async`
    async run(_body, { signal, progress, intent }) {
      for (const [n, customer] of customers.entries()) {
        signal.throwIfAborted()
        await send(customer, `${intent}-${n}`) // the same id when it is begun again after a crash
        progress(n + 1, customers.length)
      }
      return { reminded: customers.length }
    },
  }
  // #endregion
  return remind
}

export async function onFastify(api: ResourceServer) {
  // #region fastify
  const app = fastify()
  await app.register(fastifyApi, { api })
  // #endregion
  return app
}

export function onFetch(api: ResourceServer) {
  // #region fetch
  const handler = fetchHandler(api) // (request: Request) => Promise<Response>
  // #endregion
  return handler
}

export function guarded(validator: Validator) {
  // #region guard
  const app = fastify()
  app.decorateRequest('caller', null)
  const protect = { validator, audience: 'https://api.example' }
  app.get('/report', { onRequest: guard(protect, 'reports:read') }, async (request) => ({
    for: request.caller?.subject,
  }))
  // #endregion
  return app
}

export function wholeResource(validator: Validator) {
  // #region resource
  const notes = protectedResource({
    validator,
    audience: 'https://api.example',
    issuers: ['https://issuer.example'],
    name: 'Notes',
    scope: 'notes:read',
    scopes: ['notes:read', 'notes:write'],
  })
  const listener = protectedListener(notes, (request, response, caller) => {
    const lacking = request.method === 'GET' ? null : notes.lacking('notes:write', caller)
    if (lacking !== null) return answerWith(response, lacking)
    response.end(`hello ${caller.subject}`)
  })
  const server = createServer(listener)
  // #endregion
  return server
}

export function judgedByPolicy(validator: Validator, token: string) {
  const app = fastify()
  app.decorateRequest('caller', null)
  // #region policy
  const policy: RoutePolicy = {
    service: createPolicyService({ url: 'https://pdp.example/access/v1/evaluation', token }),
    action: 'read',
    resource: ({ url }) => ({ type: 'invoice', id: new URL(url).pathname.slice('/invoices/'.length) }),
  }
  const protect = { validator, audience: 'https://api.example', policy }
  app.get('/invoices/:id', { onRequest: guard(protect, 'invoices:read') }, async (request) => ({
    for: request.caller?.subject,
  }))
  // #endregion
  return app
}
