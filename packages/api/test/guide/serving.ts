/** The other examples of docs/resource-toolkit.md: a validator, serving, and the guard alone. */
import { createServer } from 'node:http'
import { createValidator, protectedResource, type Validator } from '@grantor/resource'
import { guard } from '@grantor/resource/fastify'
import { answerWith, protectedListener } from '@grantor/resource/node'
import { fastify } from 'fastify'
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
  app.decorateRequest('access', null)
  const protect = { validator, audience: 'https://api.example' }
  app.get('/report', { onRequest: guard(protect, 'reports:read') }, async (request) => ({
    for: request.access?.subject,
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
