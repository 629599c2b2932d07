/** Authorities that were exchanged on the disk: believed without a restart, and what cannot be read is told and changes nothing. */
import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openAuthorityFile } from '../../src/tls/authority-file.ts'

function read(path: string): string {
  if (path.endsWith('absent')) throw new Error('not there')
  return contents.get(path) ?? assert.fail(path)
}
const contents = new Map<string, string>()

test('what lies there is read again when it was changed, at most once a second', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-authorities-'))
  const path = join(folder, 'ca.pem')
  const write = (text: string): void => {
    contents.set(path, text)
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  }
  let now = 0
  const told: string[] = []
  const failing = { on: false }
  const careful = (at: string): string => {
    if (failing.on) throw new Error('no certificate')
    return read(at)
  }
  try {
    write('first')
    const authorities = openAuthorityFile({ path, read: careful, failed: (reason) => told.push(reason) }, () => now)
    assert.equal(authorities(), 'first')
    write('second!')
    assert.equal(authorities(), 'first', 'not within the same second')
    now += 1_000
    assert.equal(authorities(), 'second!')
    failing.on = true
    write('broken')
    now += 1_000
    assert.equal(authorities(), 'second!')
    now += 1_000
    assert.equal(authorities(), 'second!')
    assert.deepEqual(told, ['no certificate'], 'told once for each change')
    failing.on = false
    write('third')
    now += 1_000
    assert.equal(authorities(), 'third')
    rmSync(path)
    failing.on = true
    now += 1_000
    assert.equal(authorities(), 'third')
    assert.equal(told.length, 2)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('at the start what cannot be read is thrown', () => {
  assert.throws(() => openAuthorityFile({ path: '/nowhere/absent', read, failed: assert.fail }), /not there/)
})
