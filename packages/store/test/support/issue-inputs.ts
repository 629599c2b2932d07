/** Inputs of `tokens.issue` of every kind, each with objects of its own, so that they can be given in any order. */
import fc from 'fast-check'
import type { Basis, Issue, Store } from '../../src/index.ts'
import { type Entry, entryOf } from '../../src/verbs/entry.ts'
import type { Issuance } from '../../src/verbs/tokens/tokens.ts'
import { beside } from '../../suite/beside.ts'
import {
  acme,
  at,
  device,
  event,
  grantId,
  handle,
  issuance,
  opaqueToken,
  opening,
  other,
  refresh,
  statusEntry,
  tenantWithClient,
} from '../../suite/samples.ts'

/** One input in words; the n-th has objects of its own. */
const sampled = fc.sample(
  fc.record({
    basis: fc.constantFrom('now', 'now', 'now', 'now', 'older tenant', 'older client', 'tenant alone', 'no tenant'),
    grant: fc.constantFrom('none', 'none', 'alive', 'alive', 'alive', 'revoked', 'unknown'),
    spend: fc.constantFrom('none', 'none', 'code', 'refresh', 'device', 'retry', 'device-retry', 'last device-retry'),
    spendable: fc.constantFrom('unspent', 'unspent', 'spent', 'unknown'),
    successor: fc.boolean(),
    opaque: fc.boolean(),
    proof: fc.constantFrom('none', 'none', 'new', 'used'),
    binding: fc.boolean(),
    events: fc.constantFrom('none', 'one', 'one', 'one of a person', 'one of the feed', 'one elsewhere', 'two'),
  }),
  { numRuns: 250, seed: 3 },
)
type Input = (typeof sampled)[number]

/** Rare among the samples: what the fastest texts take, with a proof. */
const proven = (['new', 'used', 'used'] as const).map((proof): Input => ({
  basis: 'now',
  grant: 'none',
  spend: 'none',
  spendable: 'unspent',
  successor: false,
  opaque: false,
  events: 'one',
  proof,
  binding: false,
}))
const inputs = [...sampled, ...proven]

/** Bodies are made once, so that every text is given the same. */
const entriesOf = inputs.map(({ events }, n): readonly Entry[] => {
  const one = event('token.issued', { clientId: 'web', reason: `${n}` })
  if (events === 'one of a person') return [entryOf(event('session.started', { subject: 'ada', reason: `${n}` }))]
  if (events === 'one of the feed') return [entryOf({ ...one, name: 'token.revoked' })]
  if (events === 'one elsewhere') return [entryOf({ ...one, tenant: other })]
  return { none: [], one: [one], two: [one, event('token.refreshed', { reason: `${n}` })] }[events].map(entryOf)
})

/** Makes grant g with its code, and refresh token r or device d; 'spent' is for s. A retry comes after a first use. */
async function prepare(
  store: Store,
  basis: Basis,
  { grant, spend, spendable, proof }: Input,
  n: number,
): Promise<void> {
  if (proof === 'used') await store.tokens.useProof(acme, proofOf(n))
  if (grant === 'none' || grant === 'unknown') return
  await store.grants.open(opening(basis, `g${n}`, { consent: null, events: [] }))
  const issue = (more: Partial<Issue>) =>
    store.tokens.issue(issuance(basis, { grantId: grantId(`g${n}`), at: at(1_500), events: [], ...more }))
  if (spend === 'refresh' || spend === 'retry') await issue({ successor: refresh(`r${n}`, `g${n}`) })
  if (spend.includes('device')) await store.devices.open(device(`d${n}`), basis)
  const first = spendOf(spend.replace('last ', '').replace('-retry', '').replace('retry', 'refresh'), n)
  const again = spend.endsWith('retry') && spendable !== 'unknown'
  if (first !== null && (spendable === 'spent' || again)) {
    await issue({ spend: first, successor: spend === 'last device-retry' ? null : refresh(`s${n}`, `g${n}`) })
  }
  if (again && spendable === 'spent' && spend !== 'last device-retry') {
    await issue({ spend: { kind: 'refresh', handle: handle(`refresh s${n}`) } })
  }
  if (grant === 'revoked') await store.grants.revoke({ tenant: acme, id: grantId(`g${n}`), at: at(1_600), events: [] })
}

const proofOf = (n: number) => ({ handle: handle(`proof ${n}`), expiresAt: at(9_000 + n) })

function spendOf(kind: string, n: number): Issue['spend'] {
  const [device, token, successor] = [handle(`device d${n}`), handle(`refresh r${n}`), handle(`refresh s${n}`)]
  if (kind === 'code') return { kind, handle: handle(`code g${n}`) }
  if (kind === 'refresh') return { kind, handle: token, spentFor: `https://api.example a:read ${n}` }
  if (kind === 'device')
    return { kind, handle: device, ...(n % 2 === 0 ? {} : { spentFor: `https://api.example ${n}` }) }
  if (kind === 'retry') return { kind, handle: token, successor }
  if (kind === 'none') return null
  return { kind: 'device-retry', handle: device, successor: kind === 'device-retry' ? successor : null }
}

const entryOfToken = (grant: string | null, n: number) =>
  statusEntry(n, { grantId: grant, sessionId: n % 2 === 0 ? null : `s${n}` })

function issuanceOf(now: Basis, input: Input, n: number): Issuance {
  const basis = {
    now,
    'older tenant': { ...now, revision: now.revision - 1 },
    'older client': { ...now, client: { id: 'web', version: 0 } },
    'tenant alone': { ...now, client: null },
    'no tenant': { ...now, tenant: other, client: null },
  }[input.basis]
  // A refresh token hangs on a grant that is there.
  const { grant } = input
  const there = grant === 'alive' || grant === 'revoked'
  return {
    basis,
    at: at(2_000),
    grantId: grant === 'none' ? null : grantId(`g${n}`),
    spend: spendOf(input.spend, n),
    successor: input.successor && there ? refresh(`n${n}`, `g${n}`) : null,
    opaque: input.opaque ? opaqueToken(`${n}`, { grantId: there ? grantId(`g${n}`) : null }) : null,
    proof: input.proof === 'none' ? null : proofOf(n),
    binding: input.binding && there ? { jkt: `key ${n}` } : null,
    // Beside whatever else it has.
    ...(n % 3 === 0 ? { statusEntry: entryOfToken(there ? grantId(`g${n}`) : null, n) } : {}),
    entries: entriesOf[n] ?? [],
  }
}

/** All of them, over an empty store; beside them another tenant has the same under the same names. */
export async function issuances(store: Store): Promise<readonly Issuance[]> {
  const basis = await tenantWithClient(store)
  const neighbour = beside(store, (text) => (text === acme ? 'beside' : text))
  const there = await tenantWithClient(neighbour)
  await Promise.all(
    inputs.flatMap((input, n) => [prepare(store, basis, input, n), prepare(neighbour, there, input, n)]),
  )
  return inputs.map((input, n) => issuanceOf(basis, input, n))
}
