/** Every setting as it counts and where it came from, found by name, value or words; and the checks of the server. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { readPage } from '../../api/lists.ts'
import { useConsole } from '../../app/console-context.ts'
import { ChoiceFilter, SearchFilter } from '../../app/lists/filters.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useGo, useSearchParams } from '../../app/link.tsx'
import { settings } from '../../messages/operate.ts'
import type { Words } from '../../messages/words.ts'
import { Badge, Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { type Say, useSay } from '../../ui/preferences.tsx'
import { ChecksCard } from './checks-card.tsx'

type Setting = Schemas['Settings']

const sources: Readonly<Record<Setting['source']['kind'], Words>> = {
  flag: settings.sourceFlag,
  variable: settings.sourceVariable,
  file: settings.sourceFile,
  default: settings.sourceDefault,
}

const matches = (it: Setting, wanted: string): boolean =>
  [it.id, it.variable, it.description, it.value ?? ''].some((text) => text.toLowerCase().includes(wanted))

/** All of them are one page of the API, so that they are searched here. */
export function Page() {
  const say = useSay()
  const go = useGo()
  const { api } = useConsole()
  const { q = '', source = '' } = useSearchParams()
  const all = useQuery({
    queryKey: ['/v1/settings', 'all'],
    queryFn: () => readPage(api, '/v1/settings', { limit: 200 }),
  })
  const show = (change: Readonly<Record<string, string>>): void =>
    go({ to: '/settings', search: { q, source, ...change }, replace: true })
  const items = (all.data?.items ?? []).filter(
    (it) => matches(it, q.toLowerCase()) && (source === '' || it.source.kind === source),
  )
  const list = {
    result: { ...all, data: all.data === undefined ? undefined : { items, next: null } } as typeof all,
    filters: { q, source },
    filtered: q !== '' || source !== '',
    setFilter: (name: string, value: string) => show({ [name]: value }),
    clear: () => go({ to: '/settings', replace: true }),
    page: 1,
    next: null,
    previous: null,
  }
  return (
    <>
      <PageHeader title={say(settings.title)} text={say(settings.text)} />
      <div className="stack">
        <ChecksCard />
        <div>
          <div className="toolbar">
            <SearchFilter label={say(settings.search)} value={q} onChange={(value) => show({ q: value })} />
            <ChoiceFilter
              label={say(settings.sourceAny)}
              value={source}
              onChange={(value) => show({ source: value })}
              options={Object.entries(sources).map(([value, words]) => ({ value, label: say(words) }))}
            />
          </div>
          <ListTable
            label={say(settings.title)}
            list={list}
            columns={columnsOf(say)}
            keyOf={(it) => it.id}
            empty={<Empty icon="settings" title={say(settings.none)} text={say(settings.noneText)} />}
          />
        </div>
      </div>
    </>
  )
}

const columnsOf = (say: Say): readonly Column<Setting>[] => [
  {
    title: say(settings.setting),
    width: '46%',
    cell: (it) => (
      <div title={say(settings.setBy, { variable: it.variable })}>
        <code>{it.id}</code>
        <p className="muted small">{it.description}</p>
      </div>
    ),
  },
  {
    title: say(settings.value),
    cell: (it) =>
      it.value === undefined ? (
        <span className="muted">{say(settings.unset)}</span>
      ) : it.secret ? (
        <Badge tone="info">{say(settings.secretSet)}</Badge>
      ) : (
        <Clip mono>{it.value}</Clip>
      ),
  },
  {
    title: say(settings.source),
    width: '24%',
    cell: (it) => (
      <div>
        <Badge tone={it.source.kind === 'default' ? 'plain' : 'info'}>{say(sources[it.source.kind])}</Badge>
        {it.source.kind === 'default' ? null : (
          <span className="muted small">
            <Clip mono>{it.source.where}</Clip>
          </span>
        )}
      </div>
    ),
  },
]
