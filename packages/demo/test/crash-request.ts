/** The one request of the crash test, the same before and after. */
import type { TestRequest } from '@grantor/api/testing'
import { err } from '@grantor/protocol/result'
import type { Validator } from '@grantor/resource'

const nobody: Validator = {
  validate: () => err({ code: 'keys_unavailable', status: 503, retryAfter: 1 }),
  record: () => undefined,
  ready: () => false,
  whenReady: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

export const place = { audience: 'https://localhost:8444', issuer: 'https://localhost:8443', validator: nobody }

export const request: TestRequest = {
  method: 'POST',
  url: '/v1/orders',
  as: { scope: 'orders:read orders:write' },
  headers: { 'idempotency-key': 'once-and-only-once' },
  body: { items: [{ sku: 'a', qty: 1 }], total: 10 },
}
