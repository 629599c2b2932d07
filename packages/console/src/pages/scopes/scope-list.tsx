/** Scopes: all of them, or those of an API. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { readPage } from '../../api/lists.ts'
import { useConsole } from '../../app/console-context.ts'
import { ChoiceFilter } from '../../app/lists/filters.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { ButtonLink, PageLink } from '../../app/link.tsx'
import { scopes } from '../../messages/apis.ts'
import type { Language } from '../../messages/words.ts'
import { Badge, Clip, Empty } from '../../ui/content.tsx'
import { usePreferences, useSay } from '../../ui/preferences.tsx'

export type Scope = Schemas['Scopes']

/** What a person of that language reads; as the server chooses it. */
export const descriptionIn = ({ description }: Scope, language: Language): string =>
  typeof description === 'string'
    ? description
    : (description[language] ?? description['en'] ?? Object.values(description)[0] ?? '')

/** The APIs that a scope may belong to, as choices. */
export function useApiOptions(): readonly { readonly value: string; readonly label: string }[] {
  const { api, session } = useConsole()
  const found = useQuery({
    queryKey: ['/v1/resources', 'options'],
    queryFn: () => readPage(api, '/v1/resources', { limit: 100 }),
    enabled: session.may('admin:resources:read'),
  })
  return (found.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name ?? id }))
}

export function ScopeList({ resource }: { readonly resource?: string }) {
  const say = useSay()
  const { language } = usePreferences()
  const { session } = useConsole()
  const ofOne = resource !== undefined
  const apiOptions = useApiOptions()
  const list = useList('/v1/scopes', {
    filters: ofOne ? [] : ['resource', 'built_in'],
    fixed: ofOne ? { resource } : { built_in: 'false' },
  })
  const columns: readonly Column<Scope>[] = [
    {
      title: say(scopes.name),
      width: '28%',
      cell: (it) => (
        <PageLink to="/scopes/$id" params={{ id: it.id }} className="row-link">
          <Clip mono>{it.name}</Clip>
        </PageLink>
      ),
    },
    { title: say(scopes.description), cell: (it) => <Clip>{descriptionIn(it, language)}</Clip> },
    ...(ofOne
      ? []
      : [
          {
            title: say(scopes.resource),
            width: '16%',
            cell: (it: Scope) => (
              <Clip>{apiOptions.find(({ value }) => value === it.resource)?.label ?? it.resource ?? '–'}</Clip>
            ),
          },
        ]),
    { title: say(scopes.sensitivity), width: '12rem', cell: (it) => <ScopeMarks scope={it} /> },
  ]
  return (
    <>
      {ofOne ? null : (
        <div className="toolbar">
          <ChoiceFilter
            label={say(scopes.declared)}
            value={list.filters['built_in'] ?? ''}
            onChange={(value) => list.setFilter('built_in', value)}
            options={[{ value: 'true', label: say(scopes.ofIssuer) }]}
          />
          {apiOptions.length === 0 ? null : (
            <ChoiceFilter
              label={say(scopes.resourceAny)}
              value={list.filters['resource'] ?? ''}
              onChange={(value) => list.setFilter('resource', value)}
              options={apiOptions}
            />
          )}
        </div>
      )}
      <ListTable
        label={say(scopes.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={
          <Empty icon="api" title={say(scopes.none)} text={say(scopes.noneText)}>
            {session.may('admin:scopes:write') ? (
              <ButtonLink to="/new-scope" search={ofOne ? { resource } : {}} kind="primary" icon="plus">
                {say(scopes.create)}
              </ButtonLink>
            ) : undefined}
          </Empty>
        }
      />
    </>
  )
}

function ScopeMarks({ scope }: { readonly scope: Scope }) {
  const say = useSay()
  return (
    <span className="row">
      {scope.sensitivity === 'high' ? <Badge tone="warning">{say(scopes.high)}</Badge> : null}
      {scope.sensitivity === 'normal' ? <span className="muted">{say(scopes.sensitivityNormal)}</span> : null}
      {scope.sensitivity === 'low' ? <Badge>{say(scopes.sensitivityLow)}</Badge> : null}
      {scope.mode === 'optional' ? <Badge tone="info">{say(scopes.optionalShort)}</Badge> : null}
      {scope.built_in ? <Badge>{say(scopes.builtIn)}</Badge> : null}
    </span>
  )
}
