/** Whatever is sent, the answer is a 4xx or a 200 with the right headers: never a 5xx, never a stack. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Authority } from '@grantor/authority'
import fc from 'fast-check'
import { testbed } from './testbed.ts'

const headerValue = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
})
const formish = fc.string({
  unit: fc.constantFrom('a', '=', '&', '%', '4', '1', 'f', '+', ';', '\0', 'é', '"'),
  maxLength: 60,
})
const contentType = fc.oneof(fc.constant('application/x-www-form-urlencoded'), headerValue)

test('no body, content type or Authorization header makes the transport fail', async () => {
  const { app } = testbed()
  const body = fc.oneof(
    formish.map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  )
  await fc.assert(
    fc.asyncProperty(body, contentType, headerValue, async (payload, type, authorization) => {
      const headers = { 'content-type': type, authorization }
      const answer = await app.inject({ method: 'POST', url: '/token', headers, payload })
      assert.ok([200, 400, 415].includes(answer.statusCode), `${answer.statusCode} ${answer.body}`)
      assert.equal(answer.headers['cache-control'], 'no-store')
    }),
    { numRuns: 400 },
  )
})

test('no path makes the transport fail', async () => {
  // The front page asks for no more than this.
  const browser: Partial<Authority['browser']> = { mail: null, catalogue: async () => null }
  const { app } = testbed({ browser: browser as Authority['browser'] })
  await fc.assert(
    fc.asyncProperty(
      fc.webPath(),
      fc.constantFrom('', '/t/', '/.well-known/', '/problems/', '/assets/'),
      async (path, before) => {
        const answer = await app.inject({ url: before + path.replaceAll(/^\/+/g, '') || '/' })
        assert.ok([200, 400, 401, 404, 405].includes(answer.statusCode), `${answer.statusCode} ${answer.body}`)
      },
    ),
    { numRuns: 400 },
  )
})
