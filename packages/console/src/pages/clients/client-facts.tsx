/** What is fixed of a client, and the end of it. */
import { ifMatch, versioned } from '../../api/client.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { useGo } from '../../app/link.tsx'
import { consoleClient } from '../../app/session/authorization.ts'
import { clients } from '../../messages/clients.ts'
import { Copyable } from '../../ui/code.tsx'
import { Card, Facts } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Client, VersionedClient } from './list.tsx'

export function ClientFacts({ client }: { readonly client: Client }) {
  const say = useSay()
  return (
    <Card title={say(clients.one)}>
      <Facts
        facts={[
          [say(clients.id), <Copyable key="id" text={client.id} label={say(clients.id)} />],
          [say(clients.grantTypes), (client.grant_types ?? ['authorization_code']).join(', ')],
          [say(clients.method), client.token_endpoint_auth_method ?? 'client_secret_basic'],
          [say(clients.created), <Moment key="c" at={client.created_at} />],
          [say(clients.changed), <Moment key="u" at={client.updated_at} />],
        ]}
      />
    </Card>
  )
}

/** Not the one by which the console itself signs in: it would be the last thing anybody deletes here. */
export function RemoveClient({ item: { value, etag } }: { readonly item: VersionedClient }) {
  const say = useSay()
  const go = useGo()
  const { id } = value
  const remove = useAct(
    (api) => versioned(api.DELETE('/v1/clients/{id}', { params: { path: { id } }, ...(ifMatch(etag) as object) })),
    { done: say(clients.removed), ends: '/v1/clients', draft: `client/${id}` },
  )
  if (id === consoleClient) return null
  return (
    <div>
      <ConfirmButton
        icon="trash"
        action={say(clients.remove)}
        title={say(clients.removeTitle, { name: value.client_name ?? id })}
        text={say(clients.removeText)}
        busy={remove.busy}
        onConfirm={async () => {
          const done = await remove.run()
          if (done) go({ to: '/clients' })
          return done
        }}
      />
    </div>
  )
}
