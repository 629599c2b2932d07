/** How V8 is told to treat the code of a server: nothing is optimized while it starts, and all that is used a lot after that. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { test } from 'node:test'

const heap = pathToFileURL(join(import.meta.dirname, '../../src/heap.ts')).href
/** As `bin/grantor.js` begins one. */
const flags = ['--no-opt', '--no-maglev', '--allow-natives-syntax', '--input-type=module']

const program = `
import { switchOnOptimizing } from '${heap}'
const add = (a, b) => a + b
const turns = async (rounds) => {
  for (let round = 0; round < rounds; round++) {
    let sum = 0
    for (let n = 0; n < 20_000; n++) sum = add(sum, n)
    await new Promise((next) => setImmediate(next))
    if (%ActiveTierIsMaglev(add) || %ActiveTierIsTurbofan(add)) return true
  }
  return false
}
const before = await turns(100)
switchOnOptimizing()
// Compiled by a thread of its own, which may have to wait for a core.
console.log(JSON.stringify([before, await turns(10_000)]))
`

test('what a server does often is optimized from when it serves, and not before', () => {
  const output = execFileSync(process.execPath, [...flags, '--eval', program], { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(output), [false, true])
})
