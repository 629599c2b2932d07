/** `grantor audit tail` */
import { eventDocument } from '@grantor/protocol/events'
import { eventLine } from '../../documents/event.ts'
import { type Command, countOption, hasFlag } from '../../program/command.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { followEvents } from './follow.ts'
import { withLog } from './log-of-tenant.ts'

export const auditTail: Command = {
  name: 'tail',
  description: 'show the newest events of a tenant, oldest first',
  options: [
    { flag: '--count', takes: 'count', placeholder: 'n', description: 'how many (default: 20)' },
    { flag: '--follow', description: 'go on with what comes, until interrupted' },
  ],
  tenant: true,
  run: (context) =>
    withLog(context, async ({ authority }) => {
      const { events } = authority.admin
      const count = countOption(context, '--count') ?? 20
      // Even with --count 0 the newest event is read, because following begins after it.
      const read = await events.last(context.tenant, Math.max(1, count))
      if (read.kind === 'error') return adminFailure(read.error)
      for (const event of count === 0 ? [] : read.value)
        await context.out.line(eventDocument(event), eventLine(event, context.out.style))
      if (hasFlag(context, '--follow')) return followEvents(context, events, read.value.at(-1)?.seq ?? null)
      if (read.value.length === 0) await context.out.remark('no events yet')
      return done
    }),
}
