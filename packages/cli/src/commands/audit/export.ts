/** `grantor audit export` */
import { eventDocument } from '@grantor/protocol/events'
import { jsonText } from '../../output/printable.ts'
import { type Command, countOption } from '../../program/command.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { withLog } from './log-of-tenant.ts'

const page = 1_000

export const auditExport: Command = {
  name: 'export',
  description: 'write all events of a tenant as JSON lines',
  options: [{ flag: '--after', takes: 'count', placeholder: 'seq', description: 'resume after this sequence number' }],
  tenant: true,
  run: (context) =>
    withLog(context, async ({ authority }) => {
      for (let seq = countOption(context, '--after') ?? 0; ;) {
        const read = await authority.admin.events.after(context.tenant, seq, page)
        if (read.kind === 'error') return adminFailure(read.error)
        for (const event of read.value) await context.out.line(eventDocument(event), jsonText(eventDocument(event)))
        seq = read.value.at(-1)?.seq ?? seq
        if (read.value.length < page) return done
      }
    }),
}
