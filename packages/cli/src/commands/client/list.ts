/** `grantor client list` */
import type { Client } from '@grantor/protocol/registration'
import { clientColumns, clientDocument, clientRow } from '../../documents/client.ts'
import { done, adminFailure } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import type { Command } from '../../program/command.ts'

const page = 500

export const clientList: Command = {
  name: 'list',
  description: 'list the clients of a tenant',
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const clients: Client[] = []
      for (let after: string | null = null; ;) {
        const read = await authority.admin.clients.list(context.tenant, { after, limit: page })
        if (!read.ok) return adminFailure(read.refusal)
        clients.push(...read.value)
        after = read.value.at(-1)?.id ?? null
        if (read.value.length < page) break
      }
      await context.out.list(clients.map(clientDocument), {
        columns: clientColumns,
        rows: clients.map(clientRow),
        empty: 'no clients yet; `grantor client create` makes one',
      })
      return done
    }),
}
