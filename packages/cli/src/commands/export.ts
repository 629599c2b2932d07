/** `grantor export` */
import { stringify } from 'yaml'
import { done, refused } from '../program/exit.ts'
import { withHouse } from '../program/deployment.ts'
import type { Verb } from '../program/command.ts'

export const exportAll: Verb = {
  name: 'export',
  says: 'write everything that is declared as YAML (or JSON), without secrets',
  run: (call) =>
    withHouse(call, async ({ authority }) => {
      const read = await authority.admin.declared.export()
      if (!read.ok) return refused(read.refusal)
      await call.out.document(read.value, stringify(read.value, { lineWidth: 0, aliasDuplicateObjects: false }))
      return done
    }),
}
