/** How a client proves itself: its secrets by their dates, rotated with an overlap, and its keys. */
import { useState } from 'react'
import { answered, type Versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { SecretDialog } from '../../app/forms/secret-dialog.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { clients } from '../../messages/clients.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, Facts } from '../../ui/content.tsx'
import { SelectField } from '../../ui/field.tsx'
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
                  <td data-label={say(clients.secretMade)}>
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

function Rotate({ client }: { readonly client: Client }) {
  const say = useSay()
  const [open, setOpen] = useState(false)
  const [overlap, setOverlap] = useState('86400')
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useAct(
    async (api) => {
      const path = { id: client.id }
      const made = await answered(
        api.POST('/v1/clients/{id}/rotate-secret', { params: { path }, body: { overlap: Number(overlap) } }),
      )
      setSecret((made as { readonly client_secret: string }).client_secret)
    },
    { done: say(clients.rotated), refresh: ['/v1/clients'] },
  )
  const close = (): void => {
    setOpen(false)
    setSecret(null)
  }
  return (
    <>
      <Button size="small" icon="refresh" onClick={() => setOpen(true)}>
        {say(clients.rotate)}
      </Button>
      <SecretDialog
        open={open}
        onClose={close}
        secret={secret}
        title={say(clients.rotate)}
        submit={{ label: say(clients.rotate), busy: rotate.busy, run: () => void rotate.run() }}
        made={{ title: say(clients.newSecret), once: say(clients.secretOnce) }}
      >
        <SelectField
          label={say(clients.rotateText)}
          value={overlap}
          onChange={setOverlap}
          options={[
            { value: '0', label: say(clients.overlapNone) },
            { value: '3600', label: say(clients.overlapHour) },
            { value: '86400', label: say(clients.overlapDay) },
            { value: '604800', label: say(clients.overlapWeek) },
          ]}
        />
      </SecretDialog>
    </>
  )
}
