/** `grantor audit export` */
import { eventDocument } from '../../documents/event.ts'
import { done, refused } from '../../program/exit.ts'
import { withHouse } from '../../program/deployment.ts'
import { jsonText } from '../../output/printable.ts'
import { countOf, type Verb } from '../../program/command.ts'

const page = 1_000

export const auditExport: Verb = {
  name: 'export',
  says: 'write all events of a tenant as JSON lines',
  options: [{ flag: '--after', takes: 'count', placeholder: 'seq', says: 'resume after this sequence number' }],
  tenant: true,
  run: (call) =>
    withHouse(call, async ({ authority }) => {
      for (let seq = countOf(call, '--after') ?? 0; ;) {
        const read = await authority.admin.events.after(call.tenant, seq, page)
        if (!read.ok) return refused(read.refusal)
        for (const event of read.value) await call.out.line(eventDocument(event), jsonText(eventDocument(event)))
        seq = read.value.at(-1)?.seq ?? seq
        if (read.value.length < page) return done
      }
    }),
}
