/** Lines that cannot be written: they wait in bounded memory, come in order, and what is lost is told. */
import assert from 'node:assert/strict'
import { mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { LineWriter } from '../src/line-writer.ts'

const dropped = (count: number): string => `dropped ${count}\n`

/** A file that takes nothing, everything, or a few bytes at a time. */
function fakeFile() {
  const file = { text: '', state: 'well' as 'well' | 'ENOSPC' | 'EAGAIN' | 'EPIPE' | 'EIO', atOnce: Infinity }
  const write = (_fd: number, bytes: Buffer, offset: number, length: number): number => {
    if (file.state !== 'well') throw Object.assign(new Error(file.state), { code: file.state })
    const taken = Math.min(length, file.atOnce)
    file.text += bytes.toString('utf8', offset, offset + taken)
    return taken
  }
  return { file, write: write as unknown as typeof writeSync }
}

for (const fault of ['ENOSPC', 'EAGAIN', 'EPIPE', 'EIO'] as const) {
  test(`${fault}: no line is lost that there is room for, and the ones beyond are counted and told`, () => {
    const { file, write } = fakeFile()
    const writer = new LineWriter(-1, { dropped, write })
    writer.write('first\n')
    file.state = fault
    const line = `${'x'.repeat(1023)}\n`
    for (let n = 0; n < 1500; n++) writer.write(line)
    assert.equal(file.text, 'first\n')
    file.state = 'well'
    writer.writeRest()
    assert.equal(file.text, `first\n${line.repeat(1024)}dropped 476\n`)
    writer.write('last\n')
    assert.ok(file.text.endsWith('dropped 476\nlast\n'))
  })
}

test('what waits is written by itself once that is possible', async () => {
  const { file, write } = fakeFile()
  const writer = new LineWriter(-1, { dropped, write })
  file.state = 'EAGAIN'
  writer.write('one\n')
  writer.write('two\n')
  file.state = 'well'
  while (file.text !== 'one\ntwo\n') await setTimeout(5)
})

test('property: whatever fails in between, and however little is taken at once, the lines come whole and in order', () => {
  const step = fc.oneof(
    fc.record({ line: fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\n', ' ')) }),
    fc.record({ state: fc.constantFrom('well', 'ENOSPC', 'EAGAIN') }),
    fc.record({ atOnce: fc.integer({ min: 1, max: 7 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { file, write } = fakeFile()
      // A character may be cut in two: bytes are compared, not text.
      const bytes: Buffer[] = []
      const taking = ((fd: number, from: Buffer, offset: number, length: number): number => {
        const taken = write(fd, from, offset, length)
        bytes.push(Buffer.from(from.subarray(offset, offset + taken)))
        return taken
      }) as unknown as typeof writeSync
      const writer = new LineWriter(-1, { dropped, write: taking })
      const lines: string[] = []
      for (const it of steps) {
        if ('line' in it) {
          lines.push(`${it.line}\n`)
          writer.write(`${it.line}\n`)
        } else Object.assign(file, it)
      }
      file.state = 'well'
      writer.writeRest()
      assert.equal(Buffer.concat(bytes).toString(), Buffer.from(lines.join('')).toString())
    }),
  )
})

test('in another file a half-written line is written whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-'))
  try {
    const [before, after] = [join(folder, 'before'), join(folder, 'after')]
    let room = 3
    const write = (fd: number, bytes: Buffer, offset: number, length: number): number => {
      if (room === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      const written = writeSync(fd, bytes, offset, Math.min(room, length))
      room -= written
      return written
    }
    const writer = new LineWriter(openSync(before, 'a'), { dropped, write: write as unknown as typeof writeSync })
    writer.write('whole\n')
    room = 100
    writer.moveTo(openSync(after, 'a'))
    writer.write('next\n')
    assert.deepEqual([readFileSync(before, 'utf8'), readFileSync(after, 'utf8')], ['who', 'whole\nnext\n'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
