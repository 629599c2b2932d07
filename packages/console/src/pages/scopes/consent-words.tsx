/** What people would read when a client asks for some scopes: chosen here, worded by the server as on its page. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { answered } from '../../api/client.ts'
import { readPage } from '../../api/lists.ts'
import { useConsole } from '../../app/console-context.ts'
import { PageFault } from '../../app/frame/page-fault.tsx'
import { useGo, usePathParams, useSearchParams } from '../../app/link.tsx'
import { consentWords } from '../../messages/apis.ts'
import { type Language, languages, textOf } from '../../messages/words.ts'
import { Badge, Card, Empty } from '../../ui/content.tsx'
import { CheckField, SelectField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { usePreferences, useSay } from '../../ui/preferences.tsx'

interface Line {
  readonly scope: string
  readonly text: string
  readonly sensitive: boolean
  readonly optional: boolean
}

/** Those that every client may ask for. */
const usual = ['openid', 'profile', 'email', 'offline_access']

/** The choice is in the address: what one sees can be sent to somebody. */
export function ConsentWords({ to, resource }: { readonly to: string; readonly resource?: string }) {
  const say = useSay()
  const go = useGo()
  const { api } = useConsole()
  const params = usePathParams()
  const search = useSearchParams()
  const preferences = usePreferences()
  const names = new Intl.DisplayNames(preferences.language, { type: 'language' })
  const offered = useQuery({
    queryKey: ['/v1/scopes', 'offered', resource ?? ''],
    // Declared ones only: built-in scopes are asked for by the console itself, and never of people.
    queryFn: async () =>
      (await readPage(api, '/v1/scopes', { limit: 100, resource })).items.filter((it) => !it.built_in),
  })
  const declared = offered.data?.map(({ name }) => name) ?? []
  const chosen = (search['scope'] ?? ['openid', ...declared.slice(0, 3)].join(' ')).split(' ').filter((it) => it !== '')
  const language = languages.find((it) => it === search['language']) ?? preferences.language
  const show = (change: Readonly<Record<string, string>>): void =>
    go({ to, params, search: { ...search, scope: chosen.join(' '), language, ...change }, replace: true })
  const toggle = (name: string, on: boolean): void =>
    show({ scope: on ? [...chosen, name].join(' ') : chosen.filter((it) => it !== name).join(' ') || ' ' })
  return (
    <div className="columns">
      <Card title={say(consentWords.choose)} text={say(consentWords.chooseText)}>
        <div className="stack-small">
          {[...usual, ...declared].map((name) => (
            <CheckField key={name} label={name} value={chosen.includes(name)} onChange={(on) => toggle(name, on)} />
          ))}
          <SelectField
            label={say(consentWords.language)}
            value={language}
            onChange={(tag) => show({ language: tag })}
            options={languages.map((tag) => ({ value: tag, label: names.of(tag) ?? tag }))}
          />
        </div>
      </Card>
      <Card title={say(consentWords.page)} text={say(consentWords.pageText)}>
        {chosen.length === 0 ? (
          <Empty icon="grant" title={say(consentWords.nothing)} />
        ) : (
          <Lines scope={chosen.join(' ')} language={language} />
        )}
      </Card>
    </div>
  )
}

function Lines({ scope, language }: { readonly scope: string; readonly language: Language }) {
  const { api } = useConsole()
  const asked = useQuery({
    queryKey: ['/v1/scopes', 'consent', scope, language],
    queryFn: () => answered(api.POST('/v1/scopes/consent', { body: { scope, language } })),
    placeholderData: keepPreviousData,
  })
  if (asked.isError) return <PageFault error={asked.error} retry={() => void asked.refetch()} />
  const { lines = [] } = (asked.data ?? {}) as { readonly lines?: readonly Line[] }
  return (
    <div className="stack-small" aria-live="polite" lang={language}>
      <strong>{textOf(consentWords.wants, language)}</strong>
      <ul className="consent-lines">
        {lines.map((line) => (
          <li key={line.scope} title={line.scope}>
            <Icon name={line.optional ? 'plus' : 'check'} size={18} />
            <span dir="auto">{line.text}</span>
            {line.sensitive ? <Badge tone="warning">{textOf(consentWords.sensitive, language)}</Badge> : null}
            {line.optional ? <Badge>{textOf(consentWords.optional, language)}</Badge> : null}
          </li>
        ))}
      </ul>
    </div>
  )
}
