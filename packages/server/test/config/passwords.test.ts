/** The list of breached passwords: whatever stands in it is found, nothing else is, and what is no list does not start. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { StoreUnavailable } from '@grantor/store'
import fc from 'fast-check'
import { isOnList } from '../../src/breached-passwords.ts'
import { passwordPolicyFrom } from '../../src/config/passwords.ts'
import { defaults } from './default-settings.ts'

const folder = await mkdtemp(join(tmpdir(), 'grantor-passwords-'))
after(() => rm(folder, { recursive: true }))
const path = join(folder, 'list.txt')

const sha1 = (password: string): string => hash('sha1', password, 'hex').toUpperCase()

test('property: exactly what is on the list is found, with counts, line ends of either kind, and without the last one', async () => {
  const words = fc.uniqueArray(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: 60 })
  const form = fc.record({
    counted: fc.boolean(),
    end: fc.constantFrom('\n', '\r\n'),
    last: fc.boolean(),
    upper: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      words,
      fc.string({ maxLength: 12 }),
      form,
      async (listed, other, { counted, end, last, upper }) => {
        const lines = listed.map((it) => (upper ? sha1(it) : sha1(it).toLowerCase())).sort()
        const text = lines.map((it, n) => (counted ? `${it}:${10 ** (n % 9)}` : it)).join(end)
        await writeFile(path, last ? text + end : text)
        for (const word of listed) assert.ok(await isOnList(path, word), word)
        assert.equal(await isOnList(path, other), listed.includes(other))
      },
    ),
    { numRuns: 60 },
  )
})

test('a list that is none or away is told at the start, with its setting; one that goes away later is an outage', async () => {
  const settings = { ...defaults(), breachedPasswords: path }
  await writeFile(path, 'password\n123456\n')
  await assert.rejects(passwordPolicyFrom(settings), /password\.breached_list is no list of SHA-1 values/)
  await rm(path)
  await assert.rejects(passwordPolicyFrom(settings), /password\.breached_list cannot be read/)
  await writeFile(path, `${sha1('correct-horse')}:7\n`)
  const policy = await passwordPolicyFrom(settings)
  assert.equal(await policy.isBreached('correct-horse'), true)
  assert.equal(await policy.isBreached('battery-staple'), false)
  await rm(path)
  await assert.rejects(policy.isBreached('correct-horse'), StoreUnavailable)
})
