/** Every setting as it counts and where it came from, in sections, found by name, value or words; and the checks of the server. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readPage } from '../../api/lists.ts'
import { useConsole } from '../../app/console-context.ts'
import { PageFault } from '../../app/frame/page-fault.tsx'
import { ChoiceFilter, SearchFilter } from '../../app/lists/filters.tsx'
import { useGo, useSearchParams } from '../../app/link.tsx'
import { frame } from '../../messages/frame.ts'
import { settings } from '../../messages/operate.ts'
import type { Language } from '../../messages/words.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, PageHeader, Skeleton } from '../../ui/content.tsx'
import { usePreferences, useSay } from '../../ui/preferences.tsx'
import { ChecksCard } from './checks-card.tsx'
import { descriptionOf, type Setting, SettingSection, sectionsOf, sourceWords } from './section.tsx'

const matches = (it: Setting, wanted: string, language: Language): boolean =>
  [it.id, it.variable, descriptionOf(it, language), it.value ?? ''].some((text) => text.toLowerCase().includes(wanted))

/** All of them are one page of the API, so that they are searched here. */
export function Page() {
  const say = useSay()
  const { language } = usePreferences()
  const go = useGo()
  const { api } = useConsole()
  const { q = '', source = '' } = useSearchParams()
  const all = useQuery({
    queryKey: ['/v1/settings', 'all'],
    queryFn: () => readPage(api, '/v1/settings', { limit: 200 }),
  })
  const show = (change: Readonly<Record<string, string>>): void =>
    go({ to: '/settings', search: { q, source, ...change }, replace: true })
  const found = (all.data?.items ?? []).filter(
    (it) => matches(it, q.toLowerCase(), language) && (source === '' || it.source.kind === source),
  )
  const sections = sectionsOf(found)
  const isThere = all.data !== undefined
  // The address may name a section that was not there when the browser looked for it.
  useEffect(() => {
    if (isThere && location.hash !== '')
      document.querySelector(`#${CSS.escape(location.hash.slice(1))}`)?.scrollIntoView()
  }, [isThere])
  return (
    <>
      <PageHeader title={say(settings.title)} text={say(settings.text)} />
      <div className="stack">
        <ChecksCard />
        <div className="section-bar">
          <div className="toolbar">
            <SearchFilter label={say(settings.search)} value={q} onChange={(value) => show({ q: value })} />
            <ChoiceFilter
              label={say(settings.sourceAny)}
              value={source}
              onChange={(value) => show({ source: value })}
              options={Object.entries(sourceWords).map(([value, words]) => ({ value, label: say(words) }))}
            />
          </div>
          <nav className="section-links" aria-label={say(settings.sections)}>
            {sections.map(({ id, title }) => (
              <a key={id} href={`#${id}`}>
                {title[language]}
              </a>
            ))}
          </nav>
        </div>
        {all.isError && !isThere ? (
          <Card>
            <PageFault error={all.error} retry={() => void all.refetch()} />
          </Card>
        ) : null}
        {all.isPending ? (
          <div aria-busy="true">
            <Skeleton width="40%" />
          </div>
        ) : null}
        {sections.map((it) => (
          <SettingSection key={it.id} section={it} />
        ))}
        {isThere && sections.length === 0 ? (
          <Card>
            {all.data.items.length === 0 ? (
              <Empty icon="settings" title={say(settings.none)} text={say(settings.noneText)} />
            ) : (
              <Empty icon="search" title={say(frame.nothingMatches)} text={say(frame.nothingMatchesText)}>
                <Button onClick={() => go({ to: '/settings', replace: true })}>{say(frame.clearFilters)}</Button>
              </Empty>
            )}
          </Card>
        ) : null}
      </div>
    </>
  )
}
