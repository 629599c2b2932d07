/** `grantor api-key list` */
import type { ApiKey } from '@grantor/protocol/oauth'
import { apiKeyColumns, apiKeyDocument, apiKeyRow } from '../../documents/api-key.ts'
import { type Command, textOption } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { done } from '../../program/exit.ts'
import { readAllPages } from '../../program/pages.ts'

export const apiKeyList: Command = {
  name: 'list',
  description: 'list the keys that clients carry to APIs, without what opens with them',
  options: [
    { flag: '--client', takes: 'text', placeholder: 'id', description: 'only those of this client' },
    { flag: '--resource', takes: 'text', placeholder: 'identifier', description: 'only those of this API' },
  ],
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const clientId = textOption(context, '--client') ?? null
      const resource = textOption(context, '--resource') ?? null
      const read = await readAllPages<ApiKey>((page) =>
        authority.admin.apiKeys.list(context.tenant, { ...page, clientId, resource, descending: false }),
      )
      if (read.kind === 'error') return read
      const documents = read.value.map((key) => ({ id: key.id, ...apiKeyDocument(key) }))
      const rows = read.value.map(apiKeyRow)
      await context.out.list(documents, { columns: apiKeyColumns, rows, empty: 'no API keys' })
      return done
    }),
}
