/** A validator of the toolkit beside a deployment for tests: its view is read from the deployment's own feed, when told to. */
import assert from 'node:assert/strict'
import type { Authority } from '@grantor/authority'
import { encodeFeedPage, type FeedFrame, parseFeedPage, parseFeedSnapshot } from '@grantor/protocol/feed'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import { createValidator, GivenKeys, RevocationView, systemTime, type Validator } from '@grantor/resource'
import { FeedReader } from '../../../resource/src/revocation/feed-reader.ts'
import { Staleness } from '../../../resource/src/revocation/staleness.ts'
import { api, type Deployment, root } from './deployment.ts'

/** Seconds. A token that was issued after a cutoff of the same second says the next one. */
export const validatorLeeway = 2

export interface DeploymentValidator {
  /** Reads the key sets and all that the feed has to tell. */
  catchUp(): Promise<void>
  accepts(token: string): Promise<boolean>
  close(): Promise<void>
}

export function validatorOf(deployment: Deployment, tenants: readonly TenantId[]): DeploymentValidator {
  const { authority, ports } = deployment
  const now = () => deployment.clock as Instant
  const view = new RevocationView({ leeway: validatorLeeway * 1000, capacity: 100_000, now })
  const keys = new Map(tenants.map((tenant) => [tenant, new GivenKeys({ keys: [] })]))
  const reader = new FeedReader({
    view,
    staleness: new Staleness(() => performance.now()),
    onKeyMessage: ({ action, kid }) => {
      if (action === 'dropped') for (const held of keys.values()) held.drop(kid)
    },
  })
  const revocation = {
    isRevoked: view.isRevoked.bind(view),
    freshness: () => 'live' as const,
    age: () => 0,
  }
  const validator: Validator = createValidator({
    audience: api,
    leeway: validatorLeeway,
    time: { ...systemTime, now },
    issuers: tenants.map((tenant) => ({
      issuer: ports.issuers.issuerOf(tenant),
      keys: keys.get(tenant) as GivenKeys,
      revocation,
      tenant: () => (tenant === root ? null : tenant),
    })),
  })
  const fetchKeys = async () => {
    for (const [tenant, held] of keys) {
      const set = await authority.keySet(tenant)
      if (set.kind === 'ok') held.replace(set.value.body)
    }
  }
  return {
    async catchUp() {
      await fetchKeys()
      while (!(await readOn(authority, reader))) await loadSnapshot(authority, reader)
    },
    async accepts(token) {
      const validate = () => validator.validate({ authorization: `Bearer ${token}` })
      const first = await validate()
      if (first.kind === 'ok' || first.error.code !== 'unknown_signing_key') return first.kind === 'ok'
      // As every validator does: a server that is slow to answer itself gives the key set it knew last.
      await fetchKeys()
      return (await validate()).kind === 'ok'
    },
    close: () => validator.close(),
  }
}

/** False where only a snapshot helps. */
async function readOn({ feed }: Authority, reader: FeedReader): Promise<boolean> {
  if (reader.cursor === null) return false
  const take = reader.connection(performance.now())
  for (const frame of await page(feed, reader)) if (take(frame, performance.now()) === 'reset') return false
  return true
}

/** As it travels: written down and read again. */
async function page(feed: Authority['feed'], { cursor }: FeedReader): Promise<readonly FeedFrame[]> {
  const frames = await feed.page({ tenant: root, after: cursor }, { milliseconds: 0, over: () => false })
  const read = parseFeedPage(JSON.parse(JSON.stringify(encodeFeedPage({ frames }))))
  assert.ok(read)
  return read.frames
}

async function loadSnapshot({ feed }: Authority, reader: FeedReader): Promise<void> {
  const claims = Buffer.from((await feed.snapshot(root))?.split('.')[1] ?? '', 'base64url').toString()
  const snapshot = parseFeedSnapshot(JSON.parse(claims) as JsonObject)
  assert.ok(snapshot)
  reader.loadSnapshot(snapshot, performance.now())
}
