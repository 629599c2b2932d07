/** `grantor audit tail` */
import { eventDocument, eventLine } from '../../documents/event.ts'
import { done, refused } from '../../program/exit.ts'
import { withHouse } from '../../program/deployment.ts'
import { countOf, isSet, type Verb } from '../../program/command.ts'
import { follow } from './follow.ts'

export const auditTail: Verb = {
  name: 'tail',
  says: 'show the newest events of a tenant, oldest first',
  options: [
    { flag: '--count', takes: 'count', placeholder: 'n', says: 'how many (default: 20)' },
    { flag: '--follow', says: 'go on with what comes, until interrupted' },
  ],
  tenant: true,
  run: (call) =>
    withHouse(call, async ({ authority }) => {
      const { events } = authority.admin
      const read = await events.last(call.tenant, countOf(call, '--count') ?? 20)
      if (!read.ok) return refused(read.refusal)
      for (const event of read.value) await call.out.line(eventDocument(event), eventLine(event, call.out.style))
      if (isSet(call, '--follow')) return follow(call, events, read.value.at(-1)?.seq ?? null)
      if (read.value.length === 0) await call.out.remark('no events yet')
      return done
    }),
}
