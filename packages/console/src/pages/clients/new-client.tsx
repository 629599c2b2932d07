/** The end of the wizard: the client's id and secret, shown once, and lines to try it with. */
import type { Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ButtonLink } from '../../app/link.tsx'
import { clients, wizard } from '../../messages/clients.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/code.tsx'
import { Card, Facts, Notice, PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { KindName } from './kinds.ts'
import { Snippets } from './snippets-card.tsx'

interface NewClientProps {
  readonly client: Schemas['Clients']
  readonly kind: KindName
  readonly onAnother: () => void
}

export function NewClient({ client, kind, onAnother }: NewClientProps) {
  const say = useSay()
  const { place } = useConsole()
  const secret = client.client_secret ?? null
  return (
    <>
      <PageHeader
        title={<span dir="auto">{say(wizard.made, { name: client.client_name ?? client.id })}</span>}
        text={say(wizard.madeText)}
        actions={
          <>
            <Button onClick={onAnother}>{say(wizard.another)}</Button>
            <ButtonLink kind="primary" to="/clients/$id" params={{ id: client.id }}>
              {say(wizard.toClient)}
            </ButtonLink>
          </>
        }
      />
      <div className="stack">
        <Card title={say(clients.tabCredentials)}>
          <div className="stack-small">
            <Facts
              facts={[
                [say(clients.id), <Copyable key="id" text={client.id} label={say(clients.id)} />],
                ...(secret === null
                  ? []
                  : [[say(wizard.secret), <Copyable key="s" text={secret} label={say(wizard.secret)} />] as const]),
              ]}
            />
            {secret === null ? null : <Notice tone="warning">{say(clients.secretOnce)}</Notice>}
          </div>
        </Card>
        <Snippets
          kind={kind}
          facts={{
            issuer: place.issuer,
            clientId: client.id,
            secret,
            redirectUri: client.redirect_uris?.[0] ?? null,
            scope: client.scope ?? '',
          }}
        />
      </div>
    </>
  )
}
