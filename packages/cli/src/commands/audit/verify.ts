/** `grantor audit verify` */
import { done, failure, type Failure, refused } from '../../program/exit.ts'
import { isObject } from '../../declaration/shape.ts'
import { readSource } from '../../declaration/source.ts'
import { textOf as textOfFile } from '../../declaration/text-file.ts'
import { withHouse } from '../../program/deployment.ts'
import { type Call, textOf, type Verb } from '../../program/command.ts'

export const auditVerify: Verb = {
  name: 'verify',
  says: 'find every event that was edited, removed, inserted, reordered or cut off',
  options: [
    {
      flag: '--head',
      takes: 'text',
      placeholder: 'file',
      says: 'a head kept from `grantor audit head --json`: finds a cut tail and a rewritten past too',
    },
  ],
  tenant: true,
  run: async (call) => {
    const kept = await keptHead(call)
    if (kept !== null && 'kind' in kept) return kept
    return withHouse(call, async ({ authority }) => {
      const verified = await authority.admin.events.verify(call.tenant, kept)
      if (!verified.ok) return refused(verified.refusal)
      const { events, from, head, damage } = verified.value
      await call.out.record({ ok: damage.length === 0, ...verified.value }, [
        ['tenant', call.tenant],
        ['events', events],
        ['from', from],
        ['head', head === null ? null : `${head.seq} ${head.hash}`],
        ['damage', damage.length === 0 ? 'none' : damage.length],
      ])
      if (damage.length === 0) return done
      return failure('damaged', 'the log is not as it was written', {
        where: damage.map(({ seq, kind, says }) => `event ${seq}: ${kind}: ${says}`),
        fix: 'keep a copy of the database as it is, and find out who could write to it',
      })
    })
  },
}

interface KeptHead {
  readonly seq: number
  readonly hash: string
}

async function keptHead(call: Call): Promise<KeptHead | Failure | null> {
  const name = textOf(call, '--head')
  if (name === undefined) return null
  const text = await textOfFile(name, call.world)
  if (typeof text !== 'string') return text
  const source = readSource(text)
  const value = source.ok && isObject(source.value.value) ? source.value.value : {}
  const { seq, hash, tenant } = value
  if (typeof seq !== 'number' || typeof hash !== 'string')
    return failure('invalid', `${name} holds no head; make one with \`grantor audit head --json\``)
  if (tenant !== undefined && tenant !== call.tenant) return failure('invalid', `${name} is the head of another tenant`)
  return { seq, hash }
}
