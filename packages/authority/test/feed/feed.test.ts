/** The feed as a reader sees it: from a snapshot or a cursor, by stream or by page, for one tenant or for all. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FeedCursor, type FeedFrame, parseFeedSnapshot } from '@grantor/protocol/feed'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import {
  declaration,
  declare,
  type Deployment,
  openDeployment,
  operator,
  root,
  tokenFrom,
} from '../support/deployment.ts'

const acme = 'acme' as TenantId
const now = { milliseconds: 0, over: () => false }

async function open(): Promise<Deployment> {
  const deployment = await openDeployment()
  await declare(deployment, { ...declaration, tenants: [{ id: acme, name: 'Acme', ...declaration }] })
  return deployment
}

const claimsOf = (jwt: string): JsonObject =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as JsonObject

/** Revokes a fresh token of that tenant and says its jti. */
async function revoke({ authority }: Deployment, tenant: TenantId = root): Promise<string> {
  const token = await tokenFrom(authority, 'scope=invoices:read', { tenant })
  const done = await authority.admin.tokens.revoke(operator, tenant, token)
  assert.ok(done.kind === 'ok', JSON.stringify(done))
  return claimsOf(token)['jti'] as string
}

const revoked = (frames: readonly FeedFrame[]) =>
  frames.flatMap((frame) => (frame.kind === 'event' && frame.message.kind === 'revoke' ? [frame.message.jti] : []))
const kinds = (frames: readonly FeedFrame[]) => frames.map(({ kind }) => kind)

async function here({ store }: Deployment): Promise<FeedCursor> {
  return { epoch: await store.epoch(), pos: await store.events.position() }
}

test('a page brings what came after the cursor, in order, and says how far the log was read', async () => {
  const deployment = await open()
  const after = await here(deployment)
  const jtis = [await revoke(deployment), await revoke(deployment)]
  const frames = await deployment.authority.feed.page({ tenant: root, after }, now)
  assert.equal(frames[0]?.kind, 'hello')
  assert.equal(frames.at(-1)?.kind, 'hb')
  assert.deepEqual(revoked(frames), jtis)
  let pos = after.pos
  for (const frame of frames) {
    if (frame.kind !== 'event' && frame.kind !== 'hb') continue
    assert.equal(frame.after, pos)
    pos = frame.pos
  }
  assert.equal(pos, (await here(deployment)).pos)
})

test('a node that was not there when it happened reads it from the log', async () => {
  const deployment = await open()
  const after = await here(deployment)
  const jtis = [await revoke(deployment), await revoke(deployment, acme)]
  const fresh = deployment.node()
  assert.deepEqual(revoked(await fresh.feed.page({ tenant: root, after }, now)), jtis)
  const end = await here(deployment)
  assert.deepEqual(kinds(await fresh.feed.page({ tenant: root, after: end }, now)), ['hello', 'hb'])
})

test('a reader of one tenant hears of that tenant alone; the root hears of all', async () => {
  const deployment = await open()
  const after = await here(deployment)
  const [ours, theirs] = [await revoke(deployment), await revoke(deployment, acme)]
  const page = async (tenant: TenantId) => revoked(await deployment.authority.feed.page({ tenant, after }, now))
  assert.deepEqual(await page(root), [ours, theirs])
  assert.deepEqual(await page(acme), [theirs])
})

test('a cursor of another epoch, or from beyond the end, starts over', async () => {
  const deployment = await open()
  const { epoch, pos } = await here(deployment)
  for (const after of [
    { epoch: 'another', pos },
    { epoch, pos: pos + 1 },
  ]) {
    const frames = await deployment.authority.feed.page({ tenant: root, after }, now)
    assert.deepEqual(frames.slice(1), [{ kind: 'reset', reason: 'epoch' }])
    const sent: FeedFrame[] = []
    const end = await deployment.authority.feed.open({ tenant: root, after }, (more) => void sent.push(...more))
    end()
    assert.deepEqual(kinds(sent), ['hello', 'reset'])
  }
})

test('a long poll ends with the first news for its reader, and not with the news of others', async () => {
  const deployment = await open()
  // The first token of a tenant makes its key, which is news as well.
  for (const tenant of [root, acme]) await tokenFrom(deployment.authority, 'scope=invoices:read', { tenant })
  const after = await here(deployment)
  const asked = deployment.authority.feed.page({ tenant: acme, after }, { milliseconds: 60_000, over: () => false })
  await revoke(deployment)
  const theirs = await revoke(deployment, acme)
  assert.deepEqual(revoked(await asked), [theirs])
})

test('a long poll without news ends with its time, says that it looked, and tells for how long it only waited', async () => {
  const deployment = await open()
  const after = await here(deployment)
  const told: number[] = []
  const waited = (milliseconds: number): void => void told.push(milliseconds)
  const longPoll = { milliseconds: 20, over: () => false, waited }
  const frames = await deployment.authority.feed.page({ tenant: root, after }, longPoll)
  assert.deepEqual(kinds(frames), ['hello', 'hb'])
  assert.ok(told.length === 1 && told.every((milliseconds) => milliseconds > 0), String(told))
})

test('a snapshot holds what lives of its tenant, signed by its issuer, and is made anew after a while', async () => {
  const deployment = await open()
  const [ours, theirs] = [await revoke(deployment), await revoke(deployment, acme)]
  const read = async (tenant: TenantId) => {
    const signed = await deployment.authority.feed.snapshot(tenant)
    assert.ok(signed !== null)
    const snapshot = parseFeedSnapshot(claimsOf(signed))
    assert.ok(snapshot !== null)
    const jtis = snapshot.messages.flatMap((message) => (message.kind === 'revoke' ? [message.jti] : []))
    return { issuer: snapshot.issuer, jtis, pos: snapshot.pos }
  }
  const { pos } = await here(deployment)
  assert.deepEqual(await read(root), { issuer: 'https://as.example', jtis: [ours, theirs], pos })
  assert.deepEqual(await read(acme), { issuer: 'https://as.example/t/acme', jtis: [theirs], pos })
  assert.equal(await deployment.authority.feed.snapshot('nobody' as TenantId), null)
  const [one, two] = [deployment.authority.feed.snapshot(root), deployment.authority.feed.snapshot(root)]
  assert.equal(await one, await two, 'many who ask at once are one signature')
})
