/** A validator beyond a relay, over real HTTP: the relay falls behind by more than the issuer keeps, and the validator by more than the relay does. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import {
  encodeFeedFrame,
  encodeFeedPage,
  type FeedFrame,
  feedFrameText,
  feedPaths,
  parseFeedCursor,
} from '@grantor/protocol/feed'
import { FeedRelay } from '../../src/revocation/feed-relay.ts'
import type { IssuerOptions } from '../../src/validate/validator-options.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { FakeAuthority } from '../fake-authority.ts'
import { eventually, FakeTime } from '../fake-time.ts'
import { accessToken, audience, bearer, claimsAt, signingKey } from '../tokens.ts'

const credentials = { clientId: 'orders', clientSecret: 'a-secret-of-32-or-more-characters-long' }

/** What a relay says, without asking who reads. */
async function serve(t: TestContext, relay: FeedRelay) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://relay')
    const header = request.headers['last-event-id']
    const after = parseFeedCursor(String(header ?? url.searchParams.get('after')))
    if (url.pathname === feedPaths.snapshot) return void response.end(await relay.snapshot())
    if (url.pathname === feedPaths.changes) {
      const frames = await relay.page(after, 0)
      if (frames === 'unavailable') return void response.writeHead(503).end()
      return void response.end(JSON.stringify(encodeFeedPage({ frames })))
    }
    if (url.pathname !== feedPaths.stream) return void response.writeHead(204).end()
    const send = (frames: readonly FeedFrame[]): void => {
      if (!response.writable) return
      response.write(frames.map((frame) => feedFrameText(encodeFeedFrame(frame))).join(''))
      if (frames.some(({ kind }) => kind === 'reset')) response.end()
    }
    const leave = await relay.open(after, send)
    if (leave === 'unavailable') return void response.writeHead(503).end()
    response.once('close', leave)
    return undefined
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => server.closeAllConnections(),
  }
}

async function chain(t: TestContext) {
  const time = new FakeTime()
  const key = signingKey('k1')
  const authority = await FakeAuthority.start(time, key)
  const relay = new FeedRelay(time)
  const { address, cut } = await serve(t, relay)
  const validatorOf = (feed: NonNullable<IssuerOptions['feed']>) =>
    createValidator({
      audience,
      issuers: [{ issuer: authority.issuer, credentials, feed, reports: false }],
      time,
      random: () => 0.5,
      onTrouble: () => {},
    })
  const near = validatorOf({ relay })
  const far = validatorOf({ address })
  t.after(async () => {
    await Promise.all([near.close(), far.close(), authority.stop()])
    cut()
  })
  await eventually('the relay is connected', () => near.ready() && authority.streams.size > 0)
  await eventually('the validator beyond it is ready', () => far.ready())
  const verdict = async (jti: string): Promise<string> => {
    const token = accessToken(key, claimsAt(time.wall, authority.issuer, { jti }))
    const said = await far.validate(bearer(token))
    return said.kind === 'ok' ? 'ok' : said.error.code
  }
  /** Lets time pass, so that whoever waits to connect anew does. */
  const comesToSay = (jti: string, word: string): Promise<void> =>
    eventually(`${jti} is ${word}`, async () => {
      await time.advance(200)
      authority.heartbeat()
      return (await verdict(jti)) === word
    })
  return { authority, cut, verdict, comesToSay }
}

test('the relay missed more than the issuer keeps: it starts over, and so does the validator beyond it', async (t) => {
  const { authority, verdict, comesToSay } = await chain(t)
  authority.revoke('first')
  await comesToSay('first', 'token_revoked')
  authority.silent = true
  authority.cutStreams()
  for (let n = 0; n < 50; n += 1) authority.revoke(`missed-${n}`)
  authority.forgotten = authority.head
  authority.silent = false
  await comesToSay('missed-49', 'token_revoked')
  for (let n = 0; n < 50; n += 1) assert.equal(await verdict(`missed-${n}`), 'token_revoked')
  assert.equal(await verdict('first'), 'token_revoked')
  await comesToSay('kept', 'ok')
  authority.revoke('last')
  await comesToSay('last', 'token_revoked')
})

test('the issuer is replaced by one with another log: the validator beyond the relay hears what that one says', async (t) => {
  const { authority, verdict, comesToSay } = await chain(t)
  authority.revoke('first')
  await comesToSay('first', 'token_revoked')
  const { port } = authority
  await authority.stop()
  authority.epoch = 'e2'
  authority.head = 0
  authority.log = []
  authority.revoke('other')
  await authority.listen(port)
  await comesToSay('other', 'token_revoked')
  assert.equal(await verdict('kept'), 'ok')
})

test('a validator that missed more than the relay keeps starts over by the snapshot, and misses nothing', async (t) => {
  const { authority, cut, verdict, comesToSay } = await chain(t)
  cut()
  for (let n = 0; n < 100_010; n += 1) authority.revoke(`missed-${n}`)
  await comesToSay('missed-100009', 'token_revoked')
  for (const n of [0, 1, 49_999, 50_000, 50_001, 100_008])
    assert.equal(await verdict(`missed-${n}`), 'token_revoked', String(n))
  await comesToSay('kept', 'ok')
})
