/** `grantor tenant list` */
import type { Tenant } from '@grantor/protocol/oauth'
import type { TenantId } from '@grantor/protocol/types'
import { done, adminFailure } from '../../program/exit.ts'
import { withDeployment } from '../../program/deployment.ts'
import { timestampOrNull } from '../../output/time.ts'
import type { Command } from '../../program/command.ts'

const page = 500

export const tenantList: Command = {
  name: 'list',
  description: 'list the tenants',
  run: (context) =>
    withDeployment(context, async ({ authority }) => {
      const tenants: Tenant[] = []
      for (let after: TenantId | null = null; ;) {
        const read = await authority.admin.tenants.list({ after, limit: page })
        if (!read.ok) return adminFailure(read.refusal)
        tenants.push(...read.value)
        after = read.value.at(-1)?.id ?? null
        if (read.value.length < page) break
      }
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
