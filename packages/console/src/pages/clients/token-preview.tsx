/** What the client's token would say, for a person or for itself; none is issued. */
import { useState } from 'react'
import { answered, type AdminApi } from '../../api/client.ts'
import { readPage } from '../../api/lists.ts'
import { useConsole } from '../../app/console-context.ts'
import { faultsOf } from '../../app/forms/use-form.ts'
import { preview } from '../../messages/clients.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { Fault, given, SelectField, TextField } from '../../ui/field.tsx'
import { type Say, useSay } from '../../ui/preferences.tsx'
import { useApiOptions } from '../scopes/scope-list.tsx'
import type { Client } from './list.tsx'
import { type Preview, PreviewedToken } from './previewed-token.tsx'

interface Wanted {
  readonly username: string
  readonly scope: string
  readonly resource: string
}

interface PreviewState {
  readonly busy: boolean
  readonly shown: Preview | null
  readonly faults: ReadonlyMap<string, string>
}

const none: PreviewState = { busy: false, shown: null, faults: new Map() }

export function TokenPreview({ client }: { readonly client: Client }) {
  const say = useSay()
  const { api, session } = useConsole()
  const apiOptions = useApiOptions()
  const [wanted, setWanted] = useState<Wanted>({ username: '', scope: client.scope ?? '', resource: '' })
  const [{ busy, shown, faults }, setState] = useState<PreviewState>(none)
  const change = (some: Partial<Wanted>): void => setWanted((before) => ({ ...before, ...some }))
  const show = async (): Promise<void> => {
    session.askAgain()
    setState({ ...none, busy: true })
    try {
      const person = await subjectOf(api, wanted.username.trim(), say)
      const found = 'fault' in person ? person : await ask(api, client.id, { ...wanted, ...person })
      setState('fault' in found ? { ...none, faults: new Map([['subject', found.fault]]) } : { ...none, shown: found })
    } catch (error) {
      setState({ ...none, faults: faultsOf(error, say) })
    }
  }
  return (
    <div className="stack">
      <form onSubmit={sending(() => void show())} noValidate>
        <Card
          title={say(preview.title)}
          text={say(preview.text)}
          footer={
            <div className="form-footer">
              <Button type="submit" kind="primary" busy={busy}>
                {say(preview.show)}
              </Button>
              {faults.has('') ? <Fault>{faults.get('')}</Fault> : null}
            </div>
          }
        >
          <div className="stack">
            <div className="form-grid">
              <TextField
                label={say(preview.person)}
                hint={say(preview.personHint)}
                optional
                value={wanted.username}
                onChange={(username) => change({ username })}
                {...given({ fault: faults.get('subject') })}
              />
              <SelectField
                label={say(preview.resource)}
                hint={say(preview.resourceHint)}
                value={wanted.resource}
                onChange={(resource) => change({ resource })}
                options={[{ value: '', label: say(preview.resourceAny) }, ...apiOptions]}
                {...given({ fault: faults.get('resource') })}
              />
            </div>
            <TextField
              label={say(preview.scope)}
              hint={say(preview.scopeHint)}
              value={wanted.scope}
              onChange={(scope) => change({ scope })}
              {...given({ fault: faults.get('scope') })}
            />
          </div>
        </Card>
      </form>
      <div aria-live="polite">{shown === null ? null : <PreviewedToken preview={shown} />}</div>
    </div>
  )
}

/** People are known by their usernames, tokens by subjects. */
async function subjectOf(
  api: AdminApi,
  username: string,
  say: Say,
): Promise<{ readonly subject?: string } | { readonly fault: string }> {
  if (username === '') return {}
  const { items } = await readPage(api, '/v1/users', { username, limit: 1 })
  const [person] = items
  return person === undefined ? { fault: say(preview.nobody) } : { subject: person.id }
}

async function ask(
  api: AdminApi,
  id: string,
  { subject, scope, resource }: Wanted & { readonly subject?: string },
): Promise<Preview> {
  const body = {
    ...given({ subject }),
    ...(scope.trim() === '' ? {} : { scope: scope.trim().replaceAll(/\s+/g, ' ') }),
    ...(resource === '' ? {} : { resource }),
  }
  const answer = await answered(api.POST('/v1/clients/{id}/preview', { params: { path: { id } }, body }))
  return answer as Preview
}
