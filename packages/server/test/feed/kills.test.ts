/** Whatever ends a token's life at the authority ends it at every validator: the feed, end to end, over TLS. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account } from '@grantor/authority'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { authorizeQuery, PersonAtBrowser, redemption } from '../../../authority/test/support/person.ts'
import {
  databases,
  declaration,
  type FeedDeployment,
  startFeedDeployment,
  operator,
  eventually,
  verdictOf,
} from './feed-deployment.ts'
import { type Granted, granted, invoices } from './granted.ts'

const root = 'default' as TenantId

async function accountOf({ person }: Granted): Promise<Account> {
  const [account] = await person.authority.browser.accounts(person.visitor())
  assert.ok(account)
  return account
}

const headerOf = (token: string): { readonly kid: string } =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }

interface Doomed {
  readonly token: string
  end(): Promise<unknown>
  /** What validators say of it then; `token_revoked` where left out. */
  readonly says?: string
}

/** Every way to die, in an order in which none spoils the next. */
const deaths: readonly (readonly [string, (it: FeedDeployment) => Promise<Doomed>])[] = [
  [
    'an access token revoked by its client',
    async (it) => {
      const token = await it.token()
      return { token, end: () => it.post('/revoke', 'svc', { token }) }
    },
  ],
  [
    'a refresh token revoked by its client',
    async (it) => {
      const { token, refresh } = await granted(it)
      return { token, end: () => it.post('/revoke', 'web', { token: refresh }) }
    },
  ],
  [
    'a code that is replayed',
    async (it) => {
      const person = new PersonAtBrowser(it.deployment.authority)
      const form = Object.fromEntries(new URLSearchParams(redemption(await person.code(authorizeQuery(invoices)))))
      const { access_token: token } = (await it.post('/token', 'web', form)).json()
      return { token: String(token), end: () => it.post('/token', 'web', form) }
    },
  ],
  [
    'an application that its person disconnects',
    async (it) => {
      const grant = await granted(it)
      const [account, visitor] = [await accountOf(grant), grant.person.visitor()]
      return {
        token: grant.token,
        end: () => it.deployment.authority.browser.account.disconnect('web', account, visitor),
      }
    },
  ],
  [
    'a session that ends',
    async (it) => {
      const { token, person } = await granted(it)
      return { token, end: () => it.deployment.authority.browser.signOut(person.visitor()) }
    },
  ],
  [
    'OIDC Core §8: a session that ends, of a client that knows it by a sid of its own',
    async (it) => {
      const { token, person } = await granted(it, 'alice', 'pairwise')
      return { token, end: () => it.deployment.authority.browser.signOut(person.visitor()) }
    },
  ],
  [
    'a session that ends after one that it renewed, for a web client without offline_access',
    async (it) => {
      const { refresh, person } = await granted(it, 'alice', 'web', { scope: 'invoices:read' })
      await person.begin(authorizeQuery({ ...invoices, prompt: 'login' }))
      await person.signIn()
      const next = await it.post('/token', 'web', { grant_type: 'refresh_token', refresh_token: refresh })
      const end = () => it.deployment.authority.browser.signOut(person.visitor())
      return { token: String(next.json()['access_token']), end }
    },
  ],
  [
    'a session that a new sign-in replaces',
    async (it) => {
      const { token, person } = await granted(it)
      await person.begin(authorizeQuery({ ...invoices, prompt: 'login' }))
      return { token, end: () => person.signIn() }
    },
  ],
  [
    'a password that its person changes',
    async (it) => {
      const grant = await granted(it)
      const [account, visitor] = [await accountOf(grant), grant.person.visitor()]
      const by = { current: 'correct-horse', next: 'another-correct-horse' }
      return {
        token: grant.token,
        end: () => it.deployment.authority.browser.account.changePassword(account, by, visitor),
      }
    },
  ],
  [
    'a person who is disabled',
    async (it) => {
      const { token } = await granted(it, 'bob')
      const change = { username: 'bob', disabled: true }
      return { token, end: () => it.deployment.authority.admin.users.setDisabled(operator, root, change) }
    },
  ],
  [
    'OIDC Core §8: a person known by a pairwise subject who is disabled',
    async (it) => {
      const { token } = await granted(it, 'carol', 'pairwise')
      const change = { username: 'carol', disabled: true }
      return { token, end: () => it.deployment.authority.admin.users.setDisabled(operator, root, change) }
    },
  ],
  [
    'OIDC Core §8: a token refreshed after its session, when the person known by a pairwise subject gets a new password',
    async (it) => {
      const { refresh, person } = await granted(it, 'dave', 'pairwise')
      await it.deployment.authority.browser.signOut(person.visitor())
      const next = await it.post('/token', 'pairwise', { grant_type: 'refresh_token', refresh_token: refresh })
      const change = { username: 'dave', password: 'another-correct-horse' }
      const { users } = it.deployment.authority.admin
      return { token: String(next.json()['access_token']), end: () => users.resetPassword(operator, root, change) }
    },
  ],
  [
    'a client that is disabled',
    async (it) => {
      const token = await it.token()
      const [svc] = declaration['clients'] as readonly JsonObject[]
      const wanted = { clients: [{ ...svc, disabled: true }] }
      return { token, end: () => it.deployment.authority.admin.declared.apply(operator, wanted) }
    },
  ],
  [
    'a client that is deleted',
    async (it) => {
      const token = await it.token('other')
      return { token, end: () => it.deployment.authority.admin.clients.remove(operator, root, 'other') }
    },
  ],
  [
    'a signing key that is dropped',
    async (it) => {
      const token = await it.token('svc', { scope: 'invoices:read' }, '/t/globex')
      const { kid } = headerOf(token)
      const { keys } = it.deployment.authority.admin
      return { token, end: () => keys.drop(operator, 'globex' as TenantId, kid), says: 'unknown_signing_key' }
    },
  ],
  [
    'a tenant that is disabled',
    async (it) => {
      const token = await it.token('svc', { scope: 'invoices:read' }, '/t/acme')
      return { token, end: () => it.deployment.authority.admin.tenants.setDisabled(operator, 'acme' as TenantId, true) }
    },
  ],
  [
    'the signing key of the root, which signed the tokens of the readers, too',
    async (it) => {
      const [svc] = declaration['clients'] as readonly JsonObject[]
      await it.deployment.authority.admin.declared.apply(operator, { clients: [{ ...svc, client_id: 'svc2' }] })
      const token = await it.token('svc2')
      const { kid } = headerOf(token)
      return {
        token,
        end: () => it.deployment.authority.admin.keys.drop(operator, root, kid),
        says: 'unknown_signing_key',
      }
    },
  ],
]

for (const database of databases) {
  test(`${database}: whatever ends a token ends it at every validator, by stream, by long poll and by snapshot`, async () => {
    await using it = await startFeedDeployment(database)
    const poll = { feed: { transport: 'poll' } } as const
    const validators = [it.validator(), it.validator(), it.validator(poll)]
    await Promise.all(validators.map((validator) => validator.whenReady()))
    for (const [death, prepare] of deaths) {
      const { token, end, says = 'token_revoked' } = await prepare(it)
      for (const validator of validators) assert.equal(await verdictOf(validator, token), 'accepted', death)
      await end()
      for (const validator of validators)
        await eventually(async () => (await verdictOf(validator, token)) === says, death)
      // Who comes later has it from the snapshot and the key set; of a tenant that is gone there are no keys.
      const late = it.validator()
      await late.whenReady()
      assert.match(await verdictOf(late, token), new RegExp(`^(${says}|keys_unavailable|issuer_untrusted)$`), death)
      await late.close()
    }
  })
}
