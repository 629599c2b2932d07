/** How a client proves itself: its secrets by their dates, rotated with an overlap, and its keys. */
import { answered, type Versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { RotateSecret } from '../../app/forms/rotate-secret.tsx'
import { clients } from '../../messages/clients.ts'
import { Card, Empty, Facts } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Client } from './list.tsx'

export function Credentials({ item: { value: client } }: { readonly item: Versioned<Client> }) {
  const say = useSay()
  const { session } = useConsole()
  const method = client.token_endpoint_auth_method ?? 'client_secret_basic'
  const hasSecrets = method.startsWith('client_secret')
  return (
    <div className="stack">
      <Card
        flush
        title={say(clients.secrets)}
        text={say(clients.secretsText)}
        actions={hasSecrets && session.may('admin:clients:write') ? <Rotate client={client} /> : undefined}
      >
        {client.secrets.length === 0 ? (
          <Empty icon="key" title={say(clients.noSecrets)} text={say(clients.noSecretsText, { method })} />
        ) : (
          <table className="table" aria-label={say(clients.secrets)}>
            <thead>
              <tr>
                <th scope="col">{say(clients.secretMade)}</th>
                <th scope="col">{say(clients.secretEnds)}</th>
              </tr>
            </thead>
            <tbody>
              {client.secrets.map((secret) => (
                <tr key={secret.created_at}>
                  <td data-label={say(clients.secretMade)} data-titled="">
                    <Moment at={secret.created_at} />
                  </td>
                  <td data-label={say(clients.secretEnds)}>
                    <Moment at={secret.expires_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
      {client.jwks_uri === undefined && client.jwks === undefined ? null : (
        <Card title={say(clients.keys)}>
          <Facts
            facts={[
              [
                say(clients.keys),
                client.jwks_uri === undefined
                  ? say(clients.keysHeld, { n: (client.jwks as { keys?: unknown[] } | undefined)?.keys?.length ?? 0 })
                  : say(clients.keysAt, { uri: client.jwks_uri }),
              ],
            ]}
          />
        </Card>
      )}
    </div>
  )
}

const words = {
  rotate: clients.rotate,
  overlap: clients.rotateText,
  rotated: clients.rotated,
  secret: clients.newSecret,
  once: clients.secretOnce,
}

function Rotate({ client }: { readonly client: Client }) {
  return (
    <RotateSecret
      list="/v1/clients"
      words={words}
      size="small"
      rotate={async (api, overlap) => {
        const params = { path: { id: client.id } }
        const made = await answered(api.POST('/v1/clients/{id}/rotate-secret', { params, body: { overlap } }))
        return (made as { readonly client_secret: string }).client_secret
      }}
    />
  )
}
