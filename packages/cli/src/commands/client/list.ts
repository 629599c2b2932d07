/** `grantor client list` */
import type { Client } from '@grantor/protocol/registration'
import { clientColumns, clientDocument, clientRow } from '../../documents/client.ts'
import type { Command } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { done } from '../../program/exit.ts'
import { readAllPages } from '../../program/pages.ts'

export const clientList: Command = {
  name: 'list',
  description: 'list the clients of a tenant',
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const read = await readAllPages<Client>((page) => authority.admin.clients.list(context.tenant, page))
      if (read.kind === 'error') return read
      const clients = read.value
      await context.out.list(clients.map(clientDocument), {
        columns: clientColumns,
        rows: clients.map(clientRow),
        empty: 'no clients yet; `grantor client create` makes one',
      })
      return done
    }),
}
