/** The limits are the ones that docs/configuration.md publishes; guesses are counted by all nodes, sheer load by each. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { limits } from '@grantor/authority'
import { sharedLimits } from '../../src/limits/limits.ts'

const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
const published = [...page.matchAll(/^\| `limit\.(\w+)` .*\| `(\d+)\/(\d+)([smhd])` \|/gm)].map(
  ([, setting = '', quota, count, unit = '']) => ({
    name: setting.replaceAll('_', '-'),
    quota: Number(quota),
    window: Number(count) * (seconds[unit] ?? 0),
  }),
)
const byName = (a: { readonly name: string }, b: { readonly name: string }) => a.name.localeCompare(b.name)

test('every limit is published with its number and its time, and every one that is published is kept', () => {
  assert.ok(published.length > 10)
  assert.deepEqual(Object.values(limits).toSorted(byName), published.toSorted(byName))
})

test('what strangers could guess, register or have sent is counted by all nodes together', () => {
  const alone = Object.values(limits).filter(({ name }) => !sharedLimits.has(name))
  const load = ['authorize', 'device-requests', 'request-objects', 'scim', 'ssf', 'token']
  assert.deepEqual(alone.map(({ name }) => name).toSorted(), load)
})
