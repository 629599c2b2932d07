/** Changes that rest on what was read, and lose to another every time: tried again so often, then given up and said so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Authority, usualPasswords } from '@grantor/authority'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { keepAccount } from '../src/account/deletion.ts'
import { resetPassword } from '../src/account/reset-password.ts'
import { retryStale } from '../src/retry-stale.ts'
import { openScimUsers } from '../src/scim/users.ts'
import { asking, bounded, declaration, type Deployment, openDeployment, operator, root } from './support/deployment.ts'
import { declareDevices } from './support/device-client.ts'

/** A verb that lost as often as was told, and counts. */
class Losing {
  count = 0
  readonly lost = (): Promise<'changed-meanwhile'> => ((this.count += 1), Promise.resolve('changed-meanwhile'))
}

interface Scene {
  readonly deployment: Deployment
  /** A node over that store. */
  over(more: object): Authority
}

interface Outrun {
  readonly tries: number
  readonly told: string
  attempt(scene: Scene, losing: Losing): Promise<string>
}

const reasonOf = (answer: { kind: string; error?: { reason?: string; status?: number } }): string =>
  String(answer.error?.reason ?? answer.error?.status ?? answer.kind)

const overDirectory = ({ deployment, over }: Scene, { lost }: Losing): Authority =>
  over({ directory: { ...deployment.store.directory, apply: lost } })

const clock = { now: () => 1000 as Instant, margin: 0, until: () => Promise.resolve() }
const ids = { id: () => 'id', handleOf: (text: string) => text }
const user = { tenant: root, id: 'u', username: 'ursula', version: 1, deletionDueAt: 1 as Instant, administrator: null }
const provisioned = { ...user, claims: {}, disabledAt: null, createdAt: 0, passwordHash: null }
const byId = () => Promise.resolve(provisioned)

const table: Readonly<Record<string, Outrun>> = {
  'a file that is applied': {
    tries: 5,
    told: 'conflict',
    attempt: async (scene, losing) => {
      const wanted = { ...declaration, resources: [...declaration.resources, { identifier: 'https://new.example' }] }
      return reasonOf(await overDirectory(scene, losing).admin.declared.apply(operator, wanted))
    },
  },
  'a scope': {
    tries: 5,
    told: 'conflict',
    attempt: async (scene, losing) => {
      const input = { name: 'x:read', description: 'See x', resource: 'https://api.example' }
      return reasonOf(await overDirectory(scene, losing).admin.scopes.put(operator, root, { input, expected: null }))
    },
  },
  'a provider': {
    tries: 5,
    told: 'conflict',
    attempt: async (scene, losing) => {
      const input = {
        id: 'corp',
        name: 'Corp',
        kind: 'oidc',
        issuer: 'https://idp.example',
        client_id: 'c',
        client_secret: 's',
      }
      return reasonOf(await overDirectory(scene, losing).admin.providers.put(operator, root, { input, expected: null }))
    },
  },
  'an account that is kept': {
    tries: 4,
    told: 'undefined',
    attempt: async (_, { lost }) =>
      String(
        await keepAccount(
          user as never,
          { tenant: root } as never,
          {
            clock,
            ids,
            store: { users: { byId, change: lost } },
          } as never,
        ),
      ),
  },
  'a password that a link sets': {
    tries: 4,
    told: 'gone',
    attempt: async (_, { lost }) => {
      const email = 'ursula@example.com'
      const link = { purpose: 'reset', expiresAt: 2000, subject: 'u', email }
      const users = { byId: () => Promise.resolve({ ...provisioned, claims: { email } }) }
      const links = { find: () => Promise.resolve(link), spend: lost }
      const by = { secret: 'x' as Secret, next: 'a-long-enough-passphrase' }
      return resetPassword(
        by,
        { tenant: root } as never,
        { clock, ids, passwords: usualPasswords, store: { links, users } } as never,
      )
    },
  },
  'a person by SCIM, whatever they are by then': {
    tries: 5,
    told: '412',
    attempt: async (_, { lost }) => removedBy(null, lost),
  },
  'a person by SCIM, as they were': {
    tries: 1,
    told: '412',
    attempt: async (_, { lost }) => removedBy(() => true, lost),
  },
  'codes of a device that others have': {
    tries: 5,
    told: 'unavailable',
    attempt: async ({ deployment, over }, { lost }) => {
      const node = over({ devices: { ...deployment.store.devices, open: lost } })
      return reasonOf(await node.deviceAuthorization({ ...asking('scope=openid', { as: 'tv' }), userAgent: null }))
    },
  },
  'anything decided on what is remembered': {
    tries: 4,
    told: 'unavailable',
    attempt: async (_, losing) => {
      const forgotten: string[] = []
      const answer = await retryStale(
        root,
        { forget: (id) => forgotten.push(id) },
        async () => (await losing.lost(), 'stale'),
      )
      assert.deepEqual(forgotten, [root, root, root, root], 'and forgets each time')
      return typeof answer === 'string' ? answer : reasonOf(answer)
    },
  },
}

async function removedBy(isMeant: (() => boolean) | null, remove: Losing['lost']): Promise<string> {
  const store = { users: { byId, remove }, groups: {} } as unknown as Pick<Store, 'groups' | 'users'>
  const call = { by: operator, origin: { tenant: root, ip: null, traceId: null }, wants: () => false } as never
  return reasonOf(await openScimUsers({ clock, ids, store, passwords: {} } as never).remove(call, { id: 'u', isMeant }))
}

test('whatever is outrun is tried again so often and no more, and told of', bounded, async (t) => {
  const deployment = await openDeployment()
  await declareDevices(deployment)
  const over = (more: object) => deployment.node({ store: { ...deployment.store, ...more } })
  for (const [what, { tries, told, attempt }] of Object.entries(table))
    await t.test(what, async () => {
      const losing = new Losing()
      const said = await attempt({ deployment, over }, losing)
      assert.deepEqual([losing.count, said], [tries, told])
    })
})
