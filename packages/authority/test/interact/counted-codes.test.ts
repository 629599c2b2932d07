/** By what a typed code of a device is counted (RFC 8628 §5.1): by whom, and by all of a tenant together. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterUserCode } from '../../src/interact/enter-user-code.ts'

interface Scene {
  readonly browser?: string | null
  readonly ip?: string | null
  /** Whether somebody signed in with this browser before. */
  readonly known?: boolean
  readonly remaining?: readonly number[]
  readonly refused?: boolean
}

async function entered(
  { browser = null, ip = '192.0.2.9', known = false, remaining = [], refused = false }: Scene,
  typed = 'BCDF-GHJK',
) {
  const counted: (readonly [string, string])[][] = []
  const told: unknown[] = []
  const outcome = await enterUserCode(
    typed,
    { tenant: 'acme', browser, ip, sessions: [] } as never,
    {
      clock: { now: () => 0 },
      ids: { id: () => 'id', handleOf: (text: string) => `handle of ${text}` },
      limits: {
        takeAll: async (keys: readonly (readonly [string, string])[]) => {
          counted.push([...keys])
          const decision = { allowed: false, policy: { quota: 1, window: 60 }, wait: 5000, remaining: 0 }
          return { decisions: remaining.map((left) => ({ remaining: left })), refused: refused ? decision : null }
        },
        giveBack: () => assert.fail('a wrong code is not given back'),
      },
      store: {
        keys: { derived: (purpose: string) => Buffer.from(purpose) },
        sessions: { knownIn: async () => (known ? [{ subject: 'u1' }] : []) },
        devices: { byUserCode: async () => null },
        events: {
          append: async (events: readonly { name: string; data: unknown }[]) =>
            void told.push(...events.map(({ name, data }) => [name, data])),
        },
      },
    } as never,
  )
  return { outcome, keys: counted.flat().map(([limit, key]) => `${limit}: ${key}`), told }
}

test('strangers are counted by browser, by address, and all of a tenant together', async () => {
  const address = 'device: address 192.0.2.9'
  const browser = 'device: browser handle of b'
  const all = 'deviceTenant: acme'
  assert.deepEqual((await entered({})).keys, [address, all])
  assert.deepEqual((await entered({ ip: null })).keys, [all])
  assert.deepEqual((await entered({ browser: 'b' })).keys, [browser, address, all])
  assert.deepEqual((await entered({ browser: 'b', ip: null })).keys, [browser, all])
  assert.deepEqual(
    (await entered({ browser: 'b', known: true })).keys,
    [browser, 'deviceTenant: acme known'],
    'neighbours cannot lock it out',
  )
})

test('a wrong code is told to the log, with the limits that it used up', async () => {
  const { outcome, told } = await entered({ browser: 'b', remaining: [0, 3, 0] })
  assert.deepEqual(outcome, { did: 'unknown' })
  assert.deepEqual(told, [['device.guessed', { limits_reached: ['browser', 'tenant'] }]])
})

test('who is over a limit is told when to come again, and nothing is looked up', async () => {
  const { outcome, told } = await entered({ refused: true })
  assert.deepEqual([outcome.did, told], ['throttled', []])
})

test('what no device shows is no guess, and counts nothing', async () => {
  const { outcome, keys, told } = await entered({}, 'not a code')
  assert.deepEqual([outcome, keys, told], [{ did: 'malformed' }, [], []])
})
