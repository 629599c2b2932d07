/** The settings of one section: each with its words, its value and where that came from. */
import { createElement, Fragment } from 'react'
import type { Schemas } from '../../api/client.ts'
import { settings } from '../../messages/operate.ts'
import type { Language, Words } from '../../messages/words.ts'
import { Badge, Clip } from '../../ui/content.tsx'
import { usePreferences, useSay } from '../../ui/preferences.tsx'
import { germanDescriptions } from './german-descriptions.ts'

export type Setting = Schemas['Settings']

export const sourceWords: Readonly<Record<Setting['source']['kind'], Words>> = {
  flag: settings.sourceFlag,
  variable: settings.sourceVariable,
  file: settings.sourceFile,
  default: settings.sourceDefault,
}

/** What it is; a server that is newer than these words says it in English. */
export const descriptionOf = ({ id, description }: Setting, language: Language): string =>
  (language === 'de' ? germanDescriptions[id] : undefined) ?? description

type Section = Setting['section'] & { readonly items: readonly Setting[] }

/** In the order of the server; those with nothing in them are left out. */
export function sectionsOf(items: readonly Setting[]): readonly Section[] {
  const found = Map.groupBy(items, ({ section }) => section.id)
  return [...found.values()]
    .flatMap((of) => (of[0] === undefined ? [] : [{ ...of[0].section, items: of }]))
    .toSorted((one, other) => one.place - other.place)
}

export function SettingSection({ section: { id, title, items } }: { readonly section: Section }) {
  const { language } = usePreferences()
  return (
    <section className="card settings" id={id} aria-labelledby={`${id}-title`}>
      <div className="card-header">
        <h2 id={`${id}-title`}>{title[language]}</h2>
      </div>
      <ul>
        {items.map((it) => (
          <SettingRow key={it.id} setting={it} />
        ))}
      </ul>
    </section>
  )
}

function SettingRow({ setting: it }: { readonly setting: Setting }) {
  const say = useSay()
  const { language } = usePreferences()
  return (
    <li id={it.id} data-set={it.source.kind === 'default' ? undefined : ''}>
      <div>
        <code title={say(settings.setBy, { variable: it.variable })}>{it.id}</code>
        <p className="muted small">{withCode(descriptionOf(it, language))}</p>
      </div>
      <div>
        <SettingValue setting={it} />
      </div>
      <div>
        <Badge tone={it.source.kind === 'default' ? 'plain' : 'info'}>{say(sourceWords[it.source.kind])}</Badge>
        {it.source.kind === 'default' ? null : (
          <span className="muted small">
            <Clip mono>{it.source.where}</Clip>
          </span>
        )}
      </div>
    </li>
  )
}

function SettingValue({ setting: { value, secret } }: { readonly setting: Setting }) {
  const say = useSay()
  if (value === undefined) return <span className="muted">{say(settings.unset)}</span>
  return secret ? <Badge tone="info">{say(settings.secretSet)}</Badge> : <code>{value}</code>
}

/** As the documentation has it: what stands between backticks is code, and where its links lead is not here. */
function withCode(text: string) {
  const parts = text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').split('`')
  return createElement(
    Fragment,
    null,
    ...parts.map((part, at) => (at % 2 === 0 ? part : createElement('code', null, part))),
  )
}
