/** `grantor export` */
import { stringify } from 'yaml'
import type { Command } from '../program/command.ts'
import { withDatabase } from '../program/deployment.ts'
import { adminFailure, done } from '../program/exit.ts'

export const exportAll: Command = {
  name: 'export',
  description: 'write everything that is declared as YAML (or JSON), without secrets',
  run: (context) =>
    withDatabase(context, async ({ authority }) => {
      const read = await authority.admin.declared.export()
      if (read.kind === 'error') return adminFailure(read.error)
      await context.out.document(read.value, stringify(read.value, { lineWidth: 0, aliasDuplicateObjects: false }))
      return done
    }),
}
