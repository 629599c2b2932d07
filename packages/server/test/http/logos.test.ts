/** GET /logos: somebody else's picture, from our origin, harmless even when it is opened by itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Authority, Logo } from '@grantor/authority'
import { logoAddress } from '../../src/routes/logos.ts'
import { testbed } from './testbed.ts'

const picture: Logo = { type: 'image/png', bytes: Buffer.from('\x89PNG', 'latin1'), version: 'abcdefgh12345678' }

function serving() {
  const asked: string[] = []
  const logo: Authority['logo'] = async (tenant, clientId) => {
    asked.push(`${tenant} ${clientId}`)
    return clientId === 'https://app.example/c?a=b&c' ? picture : null
  }
  return { asked, ...testbed({ logo }) }
}

test('a logo is served under its address, kept for good, and runs nothing', async () => {
  const { app, asked, logged } = serving()
  const url = logoAddress('/t/acme', 'https://app.example/c?a=b&c', picture.version) ?? ''
  const answer = await app.inject({ url })
  assert.deepEqual([answer.statusCode, asked], [200, ['acme https://app.example/c?a=b&c']])
  assert.deepEqual(answer.rawPayload, picture.bytes)
  assert.equal(answer.headers['content-type'], 'image/png')
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  assert.match(String(answer.headers['content-security-policy']), /^default-src 'none';.* sandbox$/)
  assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin')
  assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(answer.headers['set-cookie'], undefined)
  assert.ok(!logged.some((line) => line.includes('app.example')))
})

test('under the address of another version it is not kept for long', async () => {
  const { app } = serving()
  for (const version of ['', '&v=another']) {
    const url = `/logos?client_id=${encodeURIComponent('https://app.example/c?a=b&c')}${version}`
    assert.equal((await app.inject({ url })).headers['cache-control'], 'public, max-age=300')
  }
})

test('no client, an unknown one, two at once and broken text have no logo, and nobody waits for what is not there', async () => {
  const { app } = serving()
  assert.equal(logoAddress('', 'web', null), null)
  for (const [query, status] of [
    ['', 404],
    ['?client_id=', 404],
    ['?client_id=nobody', 404],
    ['?client_id=a&client_id=b', 400],
    ['?client_id=%ff', 400],
    ['?client_id=%00', 400],
  ] as const) {
    assert.equal((await app.inject({ url: `/logos${query}` })).statusCode, status, query)
  }
})
