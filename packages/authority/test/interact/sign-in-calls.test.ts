/** What a sign-in asks of the store, in turn. Each call is a statement on PostgreSQL; who adds one here pays it at every sign-in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localPeople, sharedLimiter } from '@grantor/authority'
import type { Store } from '@grantor/store'
import { databases, openDeployment, root } from '../support/deployment.ts'
import { Enrolling } from '../support/enrolled-person.ts'
import { declarePeople } from '../support/person.ts'

const alice = { username: 'alice', password: 'correct-horse', confirming: false }

type Part = Record<string, (...args: readonly unknown[]) => unknown>

/** Writes down the name of each call, but not of those that work in the background. */
function counting(store: Store): { readonly store: Store; taken(): readonly string[] } {
  let calls: string[] = []
  const parts = (['directory', 'sessions', 'limits', 'users', 'factors', 'events', 'identities'] as const).map(
    (name) => {
      const part = store[name] as unknown as Part
      const noted = Object.entries(part).map(([verb, call]) => [
        verb,
        (...args: readonly unknown[]) => {
          if (verb !== 'watch') calls.push(`${name}.${verb}`)
          return call(...args)
        },
      ])
      return [name, Object.fromEntries(noted)]
    },
  )
  const taken = (): readonly string[] => {
    const before = calls
    calls = []
    return before
  }
  return { store: { ...store, ...Object.fromEntries(parts) } as Store, taken }
}

for (const database of databases)
  test(`${database}: a sign-in reads the browser and the person once, and counts, begins and gives back in two commits`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const { clock, limiter: _memory, ...ports } = deployment.ports
    const { store, taken } = counting(deployment.store)
    const limiter = sharedLimiter({ store, clock, digest: (text) => text })
    const authority = deployment.node({ ...ports, clock, store, limiter, people: localPeople(store, clock) })
    const person = new Enrolling({ ...deployment, authority })
    const enter = async (): Promise<readonly string[]> => {
      const catalogue = await authority.browser.catalogue({ tenant: root })
      taken()
      const outcome = await authority.browser.accountSignIn.byPassword({ ...alice, catalogue }, person.visitor())
      if ('cookies' in outcome) person.keep(outcome.cookies)
      return [...taken(), outcome.did]
    }
    const stranger = ['sessions.knownIn', 'limits.takeUnits', 'users.byUsername', 'sessions.start']
    assert.deepEqual(await enter(), [...stranger, 'signed-in'])
    person.sessions = []
    const known = ['sessions.knownIn', 'users.byId', 'limits.takeUnits', 'users.byUsername', 'sessions.start']
    assert.deepEqual(await enter(), [...known, 'signed-in'])
    const offer = person.factors.offerTotp(await person.account())
    person.secret = offer.secret
    await person.factors.addTotp(await person.account(), { sealed: offer.sealed, otp: person.otp() }, person.visitor())
    person.sessions = []
    assert.deepEqual(await enter(), [...known, 'second-factor-pending'])
  })
