/** What every request is judged by, check by check: time, tenant, address, revocation, and how fresh that is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressBlock } from '@grantor/protocol/uri'
import type { Freshness } from '../../src/revocation/revocation-source.ts'
import { type JudgeOptions, judgeToken, mayAccept } from '../../src/validate/judge.ts'
import type { PresentedCredentials, StalePolicy } from '../../src/validate/presented-credentials.ts'
import type { VerifiedToken } from '../../src/validate/verified-token.ts'

const reference = { uri: 'https://as.example/status-lists/1', idx: 7 }

interface View {
  readonly freshness: Freshness
  readonly revoked: boolean
  readonly age: number
  revision: number | null
  asked: number
}
const view = (more: Partial<View> = {}): View => ({
  freshness: 'live',
  revoked: false,
  age: 0,
  revision: null,
  asked: 0,
  ...more,
})

interface Given {
  readonly revocation?: View | null
  /** The issuer that can be asked, of tokens of https://as.example. */
  readonly introspects?: string
  readonly lists?: boolean
  readonly introspected?: boolean
  readonly seen?: { readonly listed?: boolean; readonly asked?: boolean }
  readonly isAway?: boolean
  readonly token?: Partial<VerifiedToken>
}

/** Valid from 1 000 000 to 2 000 000, of the tenant acme. */
function verified({ revocation = view(), introspects, lists, introspected, token, ...it }: Given = {}): VerifiedToken {
  const source = revocation && {
    isRevoked: () => {
      revocation.asked += 1
      return revocation.revoked
    },
    freshness: () => revocation.freshness,
    age: () => revocation.age,
    ...(revocation.revision === null ? {} : { revision: () => revocation.revision }),
  }
  return {
    issuer: {
      issuer: 'https://as.example',
      revocation: source,
      introspector: introspects === undefined ? null : { issuer: introspects },
      statusLists: lists ? {} : null,
      seen: { listed: false, asked: false, ...it.seen },
      isAway: () => it.isAway === true,
    },
    key: introspected ? null : {},
    caller: { tenant: 'acme', expiresAt: 2_000_000 },
    revocable: {},
    foundGoodAt: undefined,
    status: null,
    validFrom: 1_000_000,
    addresses: null,
    ...token,
  } as unknown as VerifiedToken
}

const decisions: StalePolicy[] = []
const options = (now: number, more: Partial<JudgeOptions> = {}): JudgeOptions => ({
  time: { now: () => now } as unknown as JudgeOptions['time'],
  leeway: 60_000,
  onStale: 'refuse',
  serveStaleFor: 5_000,
  onStaleDecision: (policy) => void decisions.push(policy),
  ...more,
})

/** 'accept', 'introspect', the code of a refusal, or what a list is asked and what holds where it says nothing. */
function judged(it: VerifiedToken, presented: object = {}, by: JudgeOptions = options(1_500_000)): unknown {
  const about = { presented: presented as PresentedCredentials, scheme: 'bearer', token: 't' } as const
  const found = judgeToken(it, about, by)
  if (found.kind === 'error') return found.error.code
  if (typeof found.value === 'string') return found.value
  return [found.value.reference, found.value.otherwise?.code ?? null]
}

test('a token holds from its first moment to its last, each with the leeway', () => {
  for (const [now, verdict] of [
    [939_999, 'token_not_yet_valid'],
    [940_000, 'accept'],
    [2_059_999, 'accept'],
    [2_060_000, 'token_expired'],
  ] as const)
    assert.equal(judged(verified(), {}, options(now)), verdict, String(now))
})

test('it is of the tenant that is asked for, where one is', () => {
  assert.equal(judged(verified(), { tenant: 'acme' }), 'accept')
  assert.equal(judged(verified(), { tenant: 'other' }), 'tenant_mismatch')
})

test('it is used from the addresses it may be used from; from an unknown one it is not', () => {
  const addresses = [addressBlock('192.0.2.0/24')] as VerifiedToken['addresses']
  const from = (address?: string) => ({ request: address === undefined ? {} : { address: () => address } })
  assert.equal(judged(verified({ token: { addresses } }), from('192.0.2.7')), 'accept')
  assert.equal(judged(verified({ token: { addresses } }), from('198.51.100.7')), 'address_not_allowed')
  for (const unknown of [{}, from()])
    assert.equal(judged(verified({ token: { addresses } }), unknown), 'address_not_allowed')
  assert.equal(judged(verified(), from('198.51.100.7')), 'accept')
})

test('what is known to be dead is dead, however old the knowledge and whoever vouched', () => {
  for (const freshness of ['cold', 'live', 'lagging', 'stale'] as const)
    for (const introspected of [true, false])
      assert.equal(judged(verified({ revocation: view({ freshness, revoked: true }), introspected })), 'token_revoked')
})

test('it is looked for again after news only, and each time where nobody counts them', () => {
  const counted = view({ revision: 1 })
  const it = verified({ revocation: counted })
  for (const [revision, asked] of [
    [1, 1],
    [1, 1],
    [2, 2],
    [2, 2],
    [0, 3],
  ] as const) {
    counted.revision = revision
    assert.equal(judged(it), 'accept')
    assert.equal(counted.asked, asked)
  }
  const uncounted = view()
  const other = verified({ revocation: uncounted })
  for (const asked of [1, 2]) {
    judged(other)
    assert.equal(uncounted.asked, asked)
  }
  const dead = view({ revision: 1, revoked: true })
  const gone = verified({ revocation: dead })
  for (const asked of [1, 2]) {
    assert.equal(judged(gone), 'token_revoked')
    assert.equal(dead.asked, asked, 'what was found dead is not remembered as good')
  }
})

test('without a feed a token is accepted, or asked of its list where the issuer has lists', () => {
  assert.equal(judged(verified({ revocation: null })), 'accept')
  assert.equal(judged(verified({ revocation: null, lists: true })), 'token_malformed')
  const listed = verified({ revocation: null, lists: true, token: { status: reference } })
  assert.deepEqual(judged(listed), [reference, 'revocation_state_stale'])
  assert.equal(judged(verified({ revocation: null, lists: true, introspected: true })), 'accept')
})

test('a state that is fresh enough is not decided on, and one that is not by the policy', () => {
  decisions.length = 0
  for (const freshness of ['live', 'lagging'] as const)
    assert.equal(judged(verified({ revocation: view({ freshness }) }), { onStale: 'refuse' }), 'accept')
  assert.equal(judged(verified({ revocation: view({ freshness: 'stale' }), introspected: true })), 'accept')
  assert.deepEqual(decisions, [])
  for (const freshness of ['cold', 'stale'] as const)
    assert.equal(judged(verified({ revocation: view({ freshness }) })), 'revocation_state_stale')
  assert.deepEqual(decisions, ['refuse', 'refuse'])
})

const stale = { revocation: view({ freshness: 'stale', age: 5_000 }) }

test('of two policies the one of the request counts', () => {
  decisions.length = 0
  const serving = options(1_500_000, { onStale: 'serve' })
  assert.equal(judged(verified(stale), {}, serving), 'accept')
  assert.equal(judged(verified(stale), { onStale: 'refuse' }, serving), 'revocation_state_stale')
  assert.equal(judged(verified(stale), { onStale: 'serve' }), 'accept')
  assert.deepEqual(decisions, ['serve', 'refuse', 'serve'])
})

test('the issuer is asked where it can be; else the token is refused', () => {
  const asking = { onStale: 'introspect' }
  assert.equal(judged(verified({ ...stale, introspects: 'https://as.example' }), asking), 'introspect')
  assert.equal(judged(verified(stale), asking), 'revocation_state_stale')
  const refusing = { onStale: 'refuse' }
  assert.equal(judged(verified({ ...stale, introspects: 'https://as.example' }), refusing), 'revocation_state_stale')
})

test('who issued a token is asked about it, and nobody else: a root knows nothing of the tokens of its tenants', () => {
  const asking = { onStale: 'introspect' }
  const introspects = 'https://other.example'
  assert.equal(judged(verified({ ...stale, introspects }), asking), 'revocation_state_stale')
  const listed = verified({ ...stale, introspects, lists: true, token: { status: reference } })
  assert.deepEqual(judged(listed, asking), [reference, 'revocation_state_stale'])
})

test('a stale state is served by for so long and no longer, and a cold one never', () => {
  const serving = { onStale: 'serve' }
  const late = { revocation: view({ freshness: 'stale', age: 5_001 }) }
  assert.equal(judged(verified(late), serving), 'revocation_state_stale')
  assert.equal(judged(verified({ revocation: view({ freshness: 'cold' }) }), serving), 'revocation_state_stale')
})

test('a list is asked where the token names one and the issuer has lists', () => {
  const token = { status: reference }
  assert.deepEqual(judged(verified({ ...stale, lists: true, token })), [reference, 'revocation_state_stale'])
  assert.deepEqual(judged(verified({ ...stale, lists: true, token }), { onStale: 'serve' }), [reference, null])
  assert.equal(judged(verified({ ...stale, token })), 'revocation_state_stale')
  assert.equal(judged(verified({ ...stale, lists: true })), 'revocation_state_stale')
})

test('whoever must wait is told for how long', () => {
  const about = { presented: {}, scheme: 'bearer', token: 't' } as const
  const refused = judgeToken(verified(stale), about as never, options(1_500_000))
  assert.ok(refused.kind === 'error')
  assert.equal((refused.error as { readonly retryAfter?: number }).retryAfter, 5)
  const listed = judgeToken(
    verified({ revocation: null, lists: true, token: { status: reference } }),
    about as never,
    options(1_500_000),
  )
  assert.ok(listed.kind === 'ok' && typeof listed.value === 'object')
  assert.equal((listed.value.otherwise as { readonly retryAfter?: number } | null)?.retryAfter, 5)
})

test('whether any token could be accepted follows what would become of one', () => {
  const may = (given: Given, routes: readonly StalePolicy[] = [], by = options(1_500_000)): boolean =>
    mayAccept(verified(given).issuer, routes, by)
  for (const freshness of ['live', 'lagging'] as const) assert.equal(may({ revocation: view({ freshness }) }), true)
  assert.equal(may({ revocation: null }), true, 'nobody tells of revocations, by choice')
  assert.equal(may(stale), false)
  assert.equal(may({ revocation: view({ freshness: 'cold' }) }, ['serve']), false)
  assert.deepEqual([may(stale, ['serve']), may(stale, [], options(1_500_000, { onStale: 'serve' }))], [true, true])
  assert.equal(may({ revocation: view({ freshness: 'stale', age: 5_001 }) }, ['serve']), false)

  const asks = { ...stale, introspects: 'https://as.example' }
  assert.equal(may(asks), false, 'nothing was ever asked about')
  assert.deepEqual([may(asks, ['introspect']), may({ ...asks, seen: { asked: true } })], [true, true])
  assert.equal(may({ ...stale, seen: { asked: true } }), false, 'nobody can be asked')
  const looks = { ...stale, lists: true }
  assert.deepEqual([may(looks), may({ ...looks, seen: { listed: true } })], [false, true])
  assert.equal(may({ ...stale, seen: { listed: true } }), false, 'no lists are looked at')
  for (const one of [asks, looks])
    assert.equal(may({ ...one, seen: { asked: true, listed: true }, isAway: true }, ['introspect']), false)
  assert.equal(may({ revocation: null, lists: true, isAway: true }), true, 'nothing else fetches the next list')
})
