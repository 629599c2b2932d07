/** Rows that several nodes write at once are written in one order, so that none waits for another that waits for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { noteUses } from '../src/verbs/clients/client-uses.ts'
import { note } from '../src/verbs/validators.ts'
import type { Step, Value } from '../src/verbs/verb.ts'
import { validatorNote } from '../suite/validator-samples.ts'

/** The first values of the insertions that a verb makes, whatever the database says. */
const inserted = (verb: Iterable<Step>, values: number): readonly (readonly Value[])[] =>
  [...verb].flatMap((step) =>
    step.do === 'sql' && step.text.startsWith('insert') ? [step.values.slice(0, values)] : [],
  )

const [a, b] = ['a', 'b'] as [TenantId, TenantId]

test('uses of clients are noted by tenant, then by client', () => {
  const at = 5 as Instant
  const uses = [
    { tenant: b, id: 'x', at },
    { tenant: a, id: 'z', at },
    { tenant: a, id: 'y', at },
  ]
  const order = uses.toReversed().map(({ tenant, id }) => [id, tenant])
  for (const given of [uses, uses.toReversed(), [...uses.slice(1), ...uses.slice(0, 1)]])
    assert.deepEqual(
      inserted(noteUses(given), 3).map(([, tenant, id]) => [id, tenant]),
      order,
    )
})

test('validators are noted by tenant, then by client, then by their own name', () => {
  const one = (tenant: TenantId, clientId: string, id: string) => ({ ...validatorNote(id, []), tenant, clientId })
  const notes = [one(b, 'c', '1'), one(a, 'd', '1'), one(a, 'c', '2'), one(a, 'c', '1')]
  const order = notes.toReversed().map(({ tenant, clientId, id }) => [tenant, clientId, id])
  for (const given of [notes, notes.toReversed(), [...notes.slice(2), ...notes.slice(0, 2)]])
    assert.deepEqual(inserted(note(given), 3), order)
})
