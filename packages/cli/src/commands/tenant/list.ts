/** `grantor tenant list` */
import type { Tenant } from '@grantor/protocol/oauth'
import { timestampOrNull } from '../../output/time.ts'
import type { Command } from '../../program/command.ts'
import { withDeployment } from '../../program/deployment.ts'
import { done } from '../../program/exit.ts'
import { readAllPages } from '../../program/pages.ts'

export const tenantList: Command = {
  name: 'list',
  description: 'list the tenants',
  run: (context) =>
    withDeployment(context, async ({ authority }) => {
      const read = await readAllPages<Tenant>((page) => authority.admin.tenants.list(page))
      if (read.kind === 'error') return read
      const tenants = read.value
      const documents = tenants.map(({ id, name, disabledAt }) => ({
        id,
        name,
        disabled_at: timestampOrNull(disabledAt),
      }))
      await context.out.list(documents, {
        columns: ['TENANT', 'NAME', 'STATE'],
        rows: tenants.map(({ id, name, disabledAt }) => [id, name, disabledAt === null ? 'active' : 'disabled']),
        empty: 'no tenants',
      })
      return done
    }),
}
