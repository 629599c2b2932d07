/** Where a directory provisions people, how it gets a credential, and which clients may. */
import { useQuery } from '@tanstack/react-query'
import type { AdminApi } from '../../api/client.ts'
import { readPage } from '../../api/lists.ts'
import { useConsole } from '../../app/console-context.ts'
import { ListTable } from '../../app/lists/list-table.tsx'
import { wholeList } from '../../app/lists/whole-list.ts'
import { ButtonLink } from '../../app/link.tsx'
import { provisioning } from '../../messages/accounts.ts'
import { Code, Copyable } from '../../ui/code.tsx'
import { Card, Chips, Empty, Facts } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { ClientName } from '../clients/client-name.tsx'
import type { Client } from '../clients/list.tsx'

const scopes = ['scim:read', 'scim:write'] as const

export function Provisioning() {
  const say = useSay()
  const { place, session } = useConsole()
  const [baseUrl, tokens] = [`${place.issuer}/scim/v2`, `${place.issuer}/token`]
  const inTenant = place.tenant === null ? '' : ` --tenant ${place.tenant}`
  return (
    <div className="stack">
      <Card title={say(provisioning.address)} text={say(provisioning.text)}>
        <Facts
          facts={[
            [say(provisioning.baseUrl), <Copyable key="b" text={baseUrl} label={say(provisioning.baseUrl)} />],
            [
              say(provisioning.tokenEndpoint),
              <Copyable key="t" text={tokens} label={say(provisioning.tokenEndpoint)} />,
            ],
            [say(provisioning.scopes), <Chips key="s" items={scopes} />],
          ]}
        />
      </Card>
      <Card
        title={say(provisioning.credential)}
        text={say(provisioning.credentialText)}
        actions={
          session.may('admin:clients:write') ? (
            <>
              <ButtonLink to="/new-client" icon="plus">
                {say(provisioning.newClient)}
              </ButtonLink>
              <ButtonLink to="/api-keys" icon="key">
                {say(provisioning.apiKeys)}
              </ButtonLink>
            </>
          ) : undefined
        }
      >
        <div className="stack-small">
          <Code
            label={say(provisioning.client)}
            text={`grantor client create directory${inTenant} --client-name "Company directory" \\
  --grant-type client_credentials --scope "${scopes.join(' ')}"`}
          />
          <Code
            label={say(provisioning.apiKey)}
            text={`grantor api-key create${inTenant} --client directory --resource ${place.issuer} \\
  --name "Company directory" --scope "${scopes.join(' ')}" --expires 365d`}
          />
        </div>
      </Card>
      {session.may('admin:clients:read') ? <ProvisioningClients /> : null}
    </div>
  )
}

/** Pages of clients that are looked through: whoever has more finds them by name on their page. */
const mostPages = 5

async function provisioningClients(api: AdminApi): Promise<readonly Client[]> {
  const found: Client[] = []
  for (let [pages, cursor] = [0, '' as string | null]; cursor !== null && pages < mostPages; pages += 1) {
    const page = await readPage(api, '/v1/clients', { kind: 'machine', limit: 100, cursor })
    found.push(...page.items.filter(({ scope = '' }) => scope.split(' ').some((it) => it.startsWith('scim:'))))
    cursor = page.next
  }
  return found
}

function ProvisioningClients() {
  const say = useSay()
  const { api } = useConsole()
  const result = useQuery({
    queryKey: ['/v1/clients', 'provisioning'],
    queryFn: async () => ({ items: await provisioningClients(api), next: null }),
  })
  return (
    <section>
      <p className="muted toolbar">
        {say(provisioning.clients)}. {say(provisioning.clientsText)}
      </p>
      <ListTable
        label={say(provisioning.clients)}
        list={wholeList(result)}
        keyOf={(it) => it.id}
        columns={[
          { title: say(provisioning.name), cell: (it) => <ClientName client={it} /> },
          {
            title: say(provisioning.scopes),
            cell: ({ scope = '' }) => <Chips items={scope.split(' ').filter((it) => it.startsWith('scim:'))} />,
          },
          { title: say(provisioning.used), width: '18%', cell: (it) => <Moment at={it.last_used_at} /> },
        ]}
        empty={<Empty icon="machine" title={say(provisioning.noClients)} />}
      />
    </section>
  )
}
