/** The admin API of many tenants: their descriptions come and go, and what was promised to one stays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issuerScopes } from '@grantor/protocol/oauth'
import { ok } from '@grantor/protocol/result'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { ApiIssuer } from '../../src/admin/validator.ts'
import { adminApis } from '../../src/admin/api.ts'
import { defaultTenant } from '../../src/issuer.ts'
import { openMeters } from '../../src/metrics/meters.ts'
import { startFeedDeployment } from '../feed/feed-deployment.ts'

const validatorOf = ({ issuer }: ApiIssuer) => ({
  validate: () =>
    ok({
      credential: 'access_token' as const,
      issuer,
      tenant: null,
      subject: 'admin',
      clientId: 'admin',
      scope: issuerScopes,
      authorizationDetails: [],
      jti: 'one',
      grantId: null,
      claims: {},
      expiresAt: Number.MAX_SAFE_INTEGER as Instant,
    }),
  record: () => {},
  ready: () => true,
  whenReady: () => Promise.resolve(),
  close: () => Promise.resolve(),
})

test('an operation is there after as many other tenants were asked for as are kept', async () => {
  await using it = await startFeedDeployment()
  const { host } = new URL(it.running.issuer)
  const log = { error: (fields: unknown) => assert.fail(JSON.stringify(fields)) }
  const apis = adminApis({ ...it.deployment, meters: openMeters(), log, validatorOf }, 2)
  const ask = (method: string, target: string, json = '') =>
    apis.of(defaultTenant).handle({
      method,
      target,
      headers: [
        ['host', host],
        ['authorization', 'Bearer one'],
        ['content-type', 'application/json'],
        ['idempotency-key', 'verify-the-log-once'],
      ],
      ip: null,
      body: () => Promise.resolve(ok(new TextEncoder().encode(json))),
    })
  const begun = await ask('POST', '/v1/events/verify', '{}')
  assert.equal(begun.status, 202, String(begun.body))
  const path = String(begun.headers['location'])
  for (const other of ['one', 'two']) apis.of(other as TenantId)
  assert.equal((await ask('GET', path)).status, 200)
  const again = await ask('POST', '/v1/events/verify', '{}')
  assert.equal(again.headers['location'], path, 'the same request is done once')
  await apis.close()
})
