/** `grantor audit verify` */
import { ok } from '@grantor/protocol/result'
import { isObject } from '../../declaration/shape.ts'
import { readSource } from '../../declaration/source.ts'
import { readTextFile } from '../../declaration/text-file.ts'
import { type Command, type CommandContext, textOption } from '../../program/command.ts'
import { withDatabase } from '../../program/deployment.ts'
import { adminFailure, type CommandResult, done, failure } from '../../program/exit.ts'
import { noLog } from './log-of-tenant.ts'

export const auditVerify: Command = {
  name: 'verify',
  description: 'find every event that was edited, removed, inserted, reordered or cut off',
  options: [
    {
      flag: '--head',
      takes: 'text',
      placeholder: 'file',
      description: 'a head kept from `grantor audit head --json`: finds a cut tail and a rewritten past too',
    },
  ],
  tenant: true,
  run: async (context) => {
    const head = await readHeadFile(context)
    if (head.kind === 'error') return head
    return withDatabase(context, async ({ authority, store }) => {
      const verified = await context.out.progress('verifying', (progress) =>
        authority.admin.events.verify(context.tenant, head.value, { progress, signal: new AbortController().signal }),
      )
      if (verified.kind === 'error') return adminFailure(verified.error)
      const { events, from, head: newest, damage } = verified.value
      if (newest === null && damage.length === 0 && (await store.directory.catalogue(context.tenant)) === null)
        return noLog(context)
      await context.out.record({ ok: damage.length === 0, ...verified.value }, [
        ['tenant', context.tenant],
        ['events', events],
        ['from', from],
        ['head', newest === null ? null : `${newest.seq} ${newest.hash}`],
        ['damage', damage.length === 0 ? 'none' : damage.length],
      ])
      if (damage.length === 0) return done
      return failure('damaged', 'the log is not as it was written', {
        where: damage.map(({ seq, kind, description }) => `event ${seq}: ${kind}: ${description}`),
        fix: 'keep a copy of the database as it is, and find out who could write to it',
      })
    })
  },
}

interface StoredHead {
  readonly seq: number
  readonly hash: string
}

async function readHeadFile(context: CommandContext): Promise<CommandResult<StoredHead | null>> {
  const name = textOption(context, '--head')
  if (name === undefined) return ok(null)
  const text = await readTextFile(name, context.environment)
  if (text.kind === 'error') return text
  const source = readSource(text.value)
  const value = source.kind === 'ok' && isObject(source.value.value) ? source.value.value : {}
  const { seq, hash, tenant } = value
  if (typeof seq !== 'number' || typeof hash !== 'string')
    return failure('invalid', `${name} holds no head; make one with \`grantor audit head --json\``)
  if (tenant !== undefined && tenant !== context.tenant)
    return failure('invalid', `${name} is the head of another tenant`)
  return ok({ seq, hash })
}
