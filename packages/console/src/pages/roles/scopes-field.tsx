/** The scopes of one API, each to be ticked, with the words that people read of it. */
import { useQuery } from '@tanstack/react-query'
import type { AdminApi } from '../../api/client.ts'
import { readPage } from '../../api/lists.ts'
import { useConsole } from '../../app/console-context.ts'
import { roles } from '../../messages/groups.ts'
import { CheckField, Fault } from '../../ui/field.tsx'
import { usePreferences, useSay } from '../../ui/preferences.tsx'
import { descriptionIn, type Scope } from '../scopes/scope-list.tsx'

interface ScopesFieldProps {
  readonly resource: string
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
  readonly fault: string | undefined
}

/** As many as a role may have. */
const most = 200

async function scopesOf(api: AdminApi, resource: string): Promise<readonly Scope[]> {
  const found: Scope[] = []
  for (let cursor: string | undefined; ;) {
    const page = await readPage(api, '/v1/scopes', { resource, limit: 100, cursor })
    found.push(...page.items)
    if (page.next === null || found.length >= most) return found
    cursor = page.next
  }
}

export function ScopesField({ resource, value, onChange, fault }: ScopesFieldProps) {
  const say = useSay()
  const { language } = usePreferences()
  const { api, session } = useConsole()
  const { data } = useQuery({
    queryKey: ['/v1/scopes', 'of', resource],
    queryFn: () => scopesOf(api, resource),
    enabled: resource !== '' && session.may('admin:scopes:read'),
  })
  const known = new Set(data?.map(({ name }) => name))
  const all = [
    ...(data ?? []).map((it) => ({ name: it.name, words: descriptionIn(it, language) })),
    ...value.filter((name) => !known.has(name)).map((name) => ({ name, words: '' })),
  ]
  const none = resource === '' ? roles.scopesFirst : data === undefined ? null : roles.scopesNone
  return (
    <fieldset className="field">
      <legend>{say(roles.scopes)}</legend>
      <div className="hint">{say(roles.scopesHint)}</div>
      {all.length === 0 ? (
        <p className="muted">{none === null ? null : say(none)}</p>
      ) : (
        <div className="checks">
          {all.map(({ name, words }) => (
            <CheckField
              key={name}
              label={name}
              hint={words}
              value={value.includes(name)}
              onChange={(on) => onChange(on ? [...value, name] : value.filter((it) => it !== name))}
            />
          ))}
        </div>
      )}
      {fault === undefined ? null : <Fault>{fault}</Fault>}
    </fieldset>
  )
}
