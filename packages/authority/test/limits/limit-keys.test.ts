/** By what limits are counted: the same id in two tenants is two, and a link to an address is not a link to a password. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { changeAddress, checkAddress, type EmailAddressDependencies } from '../../src/account/email-address.ts'
import { authenticatorTimeout } from '../../src/factors/passkey-sign-in.ts'

function scene(allowed = true) {
  const taken: string[] = []
  const mailed: { readonly email: string; readonly life: number; readonly href: string }[] = []
  const deps = {
    clock: { now: () => 1_000_000 },
    ids: { secret: () => 'gp_secret', handleOf: (secret: string) => `handle of ${secret}`, id: () => 'id' },
    issuers: { issuerOf: (tenant: string) => `https://as.example/t/${tenant}` },
    limits: {
      take(limit: string, key: string) {
        taken.push(`${limit}: ${key}`)
        return { allowed, wait: allowed ? 0 : 5000, effectiveWindow: 5, policy: {}, state: null, remaining: 0 }
      },
    },
    policy: { addressCheckTtl: 86_400, recentSignIn: 600 },
    vault: { seal: (plain: Uint8Array) => plain },
    store: {
      links: {
        mail({
          links,
        }: {
          links: readonly { link: { email: string; expiresAt: number; madeAt: number }; mail: { sealed: Uint8Array } }[]
        }) {
          for (const { link, mail } of links) {
            const { facts } = JSON.parse(Buffer.from(mail.sealed).toString()) as { facts: { link: string } }
            mailed.push({ email: link.email, life: link.expiresAt - link.madeAt, href: facts.link })
          }
          return Promise.resolve()
        },
      },
    },
  } as unknown as EmailAddressDependencies
  return { taken, mailed, deps }
}

const accountOf = (tenant: string, at = 1_000_000) =>
  ({
    person: { tenant: tenant as TenantId, id: 'alice', username: 'alice', claims: { email: 'a@example.com' } },
    authentication: { at },
  }) as unknown as Parameters<typeof checkAddress>[0]
const asking = { visitor: { ip: null, userAgent: null }, language: null } as unknown as Parameters<
  typeof checkAddress
>[1]

test('links to an address are counted by tenant and person, and lead to the tenant’s own pages for a day', async () => {
  const { taken, mailed, deps } = scene()
  assert.equal(await checkAddress(accountOf('one'), asking, deps), 'sent')
  assert.equal(await checkAddress(accountOf('two'), asking, deps), 'sent')
  assert.deepEqual(taken, ['resetAccount: address one alice', 'resetAccount: address two alice'])
  assert.deepEqual(mailed, [
    { email: 'a@example.com', life: 86_400_000, href: 'https://as.example/t/one/account/address?token=gp_secret' },
    { email: 'a@example.com', life: 86_400_000, href: 'https://as.example/t/two/account/address?token=gp_secret' },
  ])
})

test('over the limit nothing is mailed, and how long to wait is said', async () => {
  const { mailed, deps } = scene(false)
  assert.deepEqual(await checkAddress(accountOf('one'), asking, deps), { did: 'throttled', seconds: 5 })
  assert.deepEqual(mailed, [])
})

test('another address is refused where it is none, the same in another spelling, or the sign-in is too old', async () => {
  const { deps, taken } = scene()
  const to = (email: string, at?: number) =>
    changeAddress(accountOf('one', at), { ...asking, email, password: 'x' }, deps)
  assert.equal(await to('nonsense'), 'malformed')
  assert.equal(await to(' A@EXAMPLE.com '), 'unchanged')
  assert.equal(await to('b@example.com', 1_000_000 - 600_001), 'stale')
  assert.deepEqual(taken, [])
})

test('an authenticator is given five minutes', () => assert.equal(authenticatorTimeout, 300_000))
