/** How many people a browser is remembered for: its cookie is not a way to make us read, and the newest stay. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPolicy } from '@grantor/protocol/oauth'
import type { Instant, Secret } from '@grantor/protocol/types'
import { isRememberedBrowser, rememberBrowser } from '../../src/factors/remembered-browser.ts'
import { root } from '../support/deployment.ts'

const now = 1_000_000 as Instant
const fresh = 'fresh' as Secret
const held = (count: number) => Array.from({ length: count }, (_, n) => `s${n}` as Secret)
const person = { tenant: root, id: 'alice', passwordChangedAt: null } as never
const visitor = (remembered: readonly Secret[], userAgent: string | null = null) =>
  ({ tenant: root, remembered, userAgent, ip: null }) as never

/** As much of a node as this needs; `looked` are the handles that were read. */
function parts(of: { readonly outcome?: string; readonly known?: string } = {}) {
  const looked: string[] = []
  const kept: { userAgent: string | null }[] = []
  const factors = {
    browser: (_: string, handle: string) => {
      looked.push(handle)
      return Promise.resolve(handle === of.known ? { id: handle, subject: 'alice', expiresAt: now + 1 } : null)
    },
    seenBrowser: () => Promise.resolve(),
    rememberBrowser: (browser: { userAgent: string | null }) => {
      kept.push(browser)
      return Promise.resolve(of.outcome ?? 'remembered')
    },
  }
  const ids = { id: () => 'id', secret: () => fresh, handleOf: (text: string) => text }
  const clock = { now: () => now, margin: 0, until: () => Promise.resolve() }
  return { looked, kept, deps: { clock, ids, policy: defaultPolicy, store: { factors } } as never }
}

test('a browser is remembered beside the seven newest; who was outrun leaves the cookie as it is', async () => {
  for (const [before, expected] of [
    [0, [fresh]],
    [1, ['s0', fresh]],
    [7, [...held(7), fresh]],
    [8, [...held(8).slice(1), fresh]],
    [12, [...held(12).slice(5), fresh]],
  ] as const)
    assert.deepEqual(await rememberBrowser({ person, since: now }, visitor(held(before)), parts().deps), {
      remembered: expected,
    })
  const { deps } = parts({ outcome: 'outdated' })
  assert.deepEqual(await rememberBrowser({ person, since: now }, visitor(held(3)), deps), {})
})

test('of what a cookie names the eight newest are looked up, and as few as needed', async () => {
  const few = parts()
  assert.equal(await isRememberedBrowser(person, visitor(held(20)), few.deps), false)
  assert.deepEqual(few.looked, held(20).slice(12))
  const found = parts({ known: 's13' })
  assert.equal(await isRememberedBrowser(person, visitor(held(20)), found.deps), true)
  assert.deepEqual(found.looked, ['s12', 's13'])
})

test('of what a browser calls itself three hundred characters are kept', async () => {
  const { kept, deps } = parts()
  for (const name of [null, 'short', `${'x'.repeat(300)}y`])
    await rememberBrowser({ person, since: now }, visitor([], name), deps)
  assert.deepEqual(
    kept.map(({ userAgent }) => userAgent),
    [null, 'short', 'x'.repeat(300)],
  )
})
