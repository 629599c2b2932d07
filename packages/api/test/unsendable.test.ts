/** What a handler says of an answer may be none that HTTP can carry: the process goes on, and the client hears of a fault. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { apiResponse } from '@grantor/resource/http'
import express from 'express'
import { expressApi } from '../src/adapters/express.ts'
import { nodeListener } from '../src/adapters/node.ts'
import type { ResourceServer } from '../src/serve/resource-server.ts'
import { all, sample } from './sample.ts'

const broken = { ...sample().api, handle: async () => apiResponse(200, { link: 'a\nb' }, null) } as ResourceServer

test('a header that node:http does not write is a 500, and no end of the process', async (t) => {
  t.mock.method(console, 'error', () => {})
  // What Express says of it is the application's choice.
  const application = express().use(expressApi(broken)).set('env', 'production')
  for (const listener of [nodeListener(broken), application]) {
    const server = createServer(listener).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/parcels`)
    assert.equal(answer.status, 500)
    assert.ok(!(await answer.text()).includes('Invalid character'))
    server.closeAllConnections()
  }
})

test('RFC 3986: a status link of letters beyond ASCII is written as an address', async () => {
  const { client, put } = sample({ plan: { statusLink: (_before, after) => `deliveries?label=${after?.label ?? ''}` } })
  const { version } = put('p1')
  assert.ok(version)
  const body = { label: '订单 "1" <x>' }
  const { status, headers } = await client({ method: 'PATCH', url: '/v1/parcels/p1', body, as: { scope: all } })
  assert.equal(status, 200)
  assert.equal(headers['link'], '</v1/deliveries?label=%E8%AE%A2%E5%8D%95%20%221%22%20%3Cx%3E>; rel="status"')
})
