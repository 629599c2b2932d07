/** The newest timeline of a database, kept in the data folder. */
import { deepEqual, equal } from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { timelineMemory } from '../src/database-timeline.ts'

test('the timeline is kept in a folder that need not be there yet, and the next process reads it', (t) => {
  const base = mkdtempSync(join(tmpdir(), 'grantor-timeline-'))
  t.after(() => rmSync(base, { recursive: true }))
  const folder = join(base, 'data')
  equal(timelineMemory(folder).read(), null)
  timelineMemory(folder).keep({ system: '7', timeline: 4 })
  timelineMemory(folder).keep({ system: '7', timeline: 5 })
  deepEqual(timelineMemory(folder).read(), { system: '7', timeline: 5 })
  timelineMemory(folder).keep({ system: '7', timeline: 4 })
  deepEqual(timelineMemory(folder).read(), { system: '7', timeline: 5 }, 'another process has seen more')
  timelineMemory(folder).keep({ system: '8', timeline: 1 })
  deepEqual(timelineMemory(folder).read(), { system: '8', timeline: 1 }, 'another cluster counts its own')
  deepEqual(readdirSync(folder), ['postgres-timeline.json'])
  equal(statSync(folder).mode & 0o777, 0o700)
})

test('what is not readable as one says nothing, and where nothing can be written nothing fails', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-timeline-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { place, read } = timelineMemory(folder)
  for (const text of ['', 'null', '{}', '{"system":7,"timeline":4}', '{"system":"7","timeline":"4"}', '[', '"x"']) {
    writeFileSync(place, text)
    equal(read(), null, text)
  }
  const blocked = timelineMemory(join(place, 'below a file'))
  blocked.keep({ system: '7', timeline: 4 })
  equal(blocked.read(), null)
})
