/** `express-oauth2-jwt-bearer`, unmodified, as the resource server: it accepts our tokens, strictly by RFC 9068. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Agent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import express from 'express'
import { auth, requiredScopes } from 'express-oauth2-jwt-bearer'
import { ClientSecretBasic, clientCredentialsGrant, customFetch, discovery } from 'openid-client'
import { api, deployments, ledger, secret } from '../deployments.ts'

for (const { on, open } of deployments) {
  test(`express-oauth2-jwt-bearer accepts a token of ${on} in strict mode, and refuses one with another audience or scope`, async () => {
    await using deployment = await open()
    const { server, issuer } = deployment
    const app = express()
    const agent = new Agent({ ca: server.ca ?? '' })
    const check = (audience: string) =>
      auth({ issuerBaseURL: server.issuer, audience, strict: true, agent, tokenSigningAlg: 'ES256' })
    const hello: express.RequestHandler = (_request, response) => void response.send('hello')
    app.get('/read', check(api), requiredScopes('invoices:read'), hello)
    app.get('/write', check(api), requiredScopes('invoices:write'), hello)
    app.get('/elsewhere', check(ledger), hello)
    const refuse: express.ErrorRequestHandler = (error: { status: number }, _request, response, _next) => {
      response.status(error.status).end()
    }
    app.use(refuse)
    const listening: Server = app.listen(0, '127.0.0.1')
    await once(listening, 'listening')
    try {
      const config = await discovery(issuer, 'basic', undefined, ClientSecretBasic(secret('basic')), {
        [customFetch]: deployment.fetch,
      })
      const { access_token: token } = await clientCredentialsGrant(config, { scope: 'invoices:read' })
      const call = async (path: string) => {
        const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}${path}`
        return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status
      }
      assert.deepEqual([await call('/read'), await call('/write'), await call('/elsewhere')], [200, 403, 401])
    } finally {
      listening.closeAllConnections()
      listening.close()
      agent.destroy()
    }
  })
}
