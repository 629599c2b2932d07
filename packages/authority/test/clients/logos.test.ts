/** Logos: fetched by us in the background, shown when they are there, and never anything but a small picture. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FetchRequest, Fetched, Outbound, OutboundError } from '@grantor/authority'
import { type Client, pictureType, pictureTypes } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import { openDirectory } from '../../src/directory.ts'
import { openLogos } from '../../src/clients/logos.ts'
import { declare, machine, openDeployment, root } from '../support/deployment.ts'

const url = 'https://app.example.com/logo.png'
const pictures: Readonly<Record<string, string>> = {
  'image/png': '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
  'image/jpeg': '\xff\xd8\xff\xe0\0\x10JFIF',
  'image/gif': 'GIF89a\x01\0\x01\0',
  'image/webp': 'RIFF\x24\0\0\0WEBPVP8 ',
  'image/x-icon': '\0\0\x01\0\x01\0\x10\x10',
}
const bytes = (text: string) => Buffer.from(text, 'latin1')

test('a picture is what its bytes and its type agree on', () => {
  for (const [type, text] of Object.entries(pictures)) {
    assert.equal(pictureType(type, bytes(text)), type)
    for (const other of pictureTypes.filter((it) => it !== type && !it.includes('icon'))) {
      assert.equal(pictureType(other, bytes(text)), null, `${type} as ${other}`)
    }
  }
  assert.equal(pictureType('image/vnd.microsoft.icon', bytes(pictures['image/x-icon'] ?? '')), 'image/x-icon')
  for (const text of ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', '<html>', ' \x89PNG\r\n\x1a\n', 'RIFF']) {
    for (const type of [...pictureTypes, 'image/svg+xml']) assert.equal(pictureType(type, bytes(text)), null, text)
  }
})

/** A deployment with a client that has a logo, and somebody else's server that answers when it is told to. */
async function withLogo() {
  const deployment = await openDeployment()
  const clients = [{ ...machine('app', ''), logo_uri: url }, machine('plain', '')]
  await declare(deployment, { clients, tenants: [{ id: 'acme', clients: [machine('app', '')] }] })
  const asks: FetchRequest[] = []
  let answer: Result<Omit<Fetched, 'fetchedAt'>, OutboundError> = err('unreachable')
  const outbound: Outbound = {
    fetch: (ask) => {
      asks.push(ask)
      return Promise.resolve(answer.kind === 'ok' ? ok({ ...answer.value, fetchedAt: deployment.clock }) : answer)
    },
    submit: () => Promise.resolve(err('unreachable')),
    deliver: () => Promise.resolve(err('unreachable')),
    post: () => Promise.resolve(err('unreachable')),
    notify: () => Promise.resolve(err('unreachable')),
  }
  const directory = openDirectory(deployment.store)
  const logos = openLogos({ ...deployment.ports, outbound, directory })
  const client = (await deployment.store.clients.find(root, 'app')) as Client
  const says = (type: string, text: string) => (answer = ok({ type, body: bytes(text), maxAge: 600 }))
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    deployment,
    asks,
    logos,
    client,
    says,
    settled,
    authority: deployment.node({ outbound }),
    close: () => directory.close(),
  }
}

test('a logo is sent for when its client is first seen, nobody waits for it, and then it is there', async () => {
  const { deployment, asks, logos, client, says, settled, close } = await withLogo()
  says('image/png', pictures['image/png'] ?? '')
  for (let n = 0; n < 20; n++) assert.equal(logos.cachedVersion(client), null)
  await settled()
  const cause = { purpose: 'logo_uri', clientId: 'app' }
  assert.deepEqual(asks, [{ url, types: pictureTypes, maxBytes: 65_536, cause }])
  const version = logos.cachedVersion(client)
  assert.match(version ?? '', /^[\w-]{16}$/)
  const found = await logos.find(root, 'app')
  assert.deepEqual([found?.type, found?.version], ['image/png', version])
  // Of age it is looked for anew; until the new one is there the old one is shown.
  says('image/gif', pictures['image/gif'] ?? '')
  deployment.clock += 599_999
  assert.equal(logos.cachedVersion(client), version)
  await settled()
  assert.equal(asks.length, 2, 'not before its time')
  deployment.clock += 1
  assert.equal(logos.cachedVersion(client), version)
  await settled()
  assert.equal(asks.length, 3)
  assert.notEqual(logos.cachedVersion(client), version)
  close()
})

test('what is no small picture is no logo, and is not sent for with every page', async () => {
  const { deployment, asks, logos, client, says, settled, close } = await withLogo()
  for (const [type, text] of [
    ['image/svg+xml', '<svg/>'],
    ['image/png', '<svg/>'],
    ['image/png', pictures['image/gif'] ?? ''],
  ] as const) {
    says(type, text)
    const before = asks.length
    for (let n = 0; n < 10; n++) {
      assert.equal(logos.cachedVersion(client), null)
      await settled()
    }
    assert.equal(asks.length, before + 1)
    assert.equal(await logos.find(root, 'app'), null)
    deployment.clock += 60_000
  }
  close()
})

test('only a client of this tenant that has a logo has one', async () => {
  const { authority, says, close } = await withLogo()
  says('image/png', pictures['image/png'] ?? '')
  assert.equal((await authority.logo(root, 'app'))?.type, 'image/png')
  for (const [tenant, id] of [
    [root, 'plain'],
    [root, 'nobody'],
    ['acme' as TenantId, 'app'],
    ['nowhere' as TenantId, 'app'],
  ] as const) {
    assert.equal(await authority.logo(tenant, id), null)
  }
  close()
})

test('a logo that was there and is no longer is not shown any more, and one that is away is sent for by the minute', async () => {
  const start = 1_800_000_000_000
  let clock = start
  let there = true
  let asks = 0
  const outbound = {
    fetch: async () => {
      asks += 1
      const body = bytes(pictures['image/png'] ?? '')
      return there ? ok({ type: 'image/png', body, maxAge: 600, fetchedAt: clock }) : err('status')
    },
  }
  const logos = openLogos({ clock: { now: () => clock }, outbound } as never)
  const seen = async () => {
    const version = logos.cachedVersion({ id: 'app', metadata: { logo_uri: url } } as never)
    await new Promise((resolve) => setImmediate(resolve))
    return version !== null
  }
  assert.deepEqual([await seen(), await seen()], [false, true])
  there = false
  clock = start + 600_000
  assert.deepEqual([await seen(), await seen(), asks], [true, false, 2])
  clock += 59_999
  assert.deepEqual([await seen(), asks], [false, 2])
  clock += 1
  assert.deepEqual([await seen(), asks], [false, 3])
})
