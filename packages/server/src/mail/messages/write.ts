/** A mail in words: facts and a look in, subject, text and HTML out. Nothing in it is fetched from anywhere. */
import type { MailMessage, MailFacts } from '@grantor/authority'
import type { Settings } from '../../config/settings.ts'
import { deviceOf } from '../../interact/device-name.ts'
import { shownName } from '../../pages/components/name.ts'
import { chooseLanguage, type Language } from '../../pages/language/index.ts'
import type { MailText, MailWords, Named } from './language/catalogue.ts'
import { de } from './language/de.ts'
import { en } from './language/en.ts'
import { htmlOf } from './html.ts'

export interface MailLook {
  readonly name: string
  /** `#rrggbb`. */
  readonly accent: string
}

/** Our own green where the theme names no colour (style.css). */
export const lookOf = ({ themeName, themeAccent }: Pick<Settings, 'themeName' | 'themeAccent'>): MailLook => ({
  name: themeName,
  accent: themeAccent ?? '#0b6b5b',
})

export interface Written {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What both forms of a mail say. */
export interface Said {
  readonly language: Language
  readonly words: MailWords
  readonly text: MailText
  readonly named: Named
  readonly subject: string
  readonly facts: readonly (readonly [term: string, value: string])[]
  readonly link: string | null
  readonly accountHref: string
}

const speaking: Readonly<Record<Language['tag'], MailWords>> = { en, de }

export function writeLetter(letter: MailMessage, look: MailLook): Written {
  const said = saidIn(letter, look)
  return { subject: said.subject, text: textOf(said), html: htmlOf(said, look) }
}

function saidIn({ facts, issuer, language: wish }: MailMessage, look: MailLook): Said {
  const language = chooseLanguage(wish === null ? [] : [wish])
  const words = speaking[language.tag]
  const text = words.kinds[facts.kind]
  const named = {
    service: look.name,
    username: 'username' in facts ? shownName(facts.username) : '',
    client: 'client' in facts ? unlinked(facts.client) : '',
  }
  return {
    language,
    words,
    text,
    named,
    subject: shownName(text.subject(named)),
    facts: factsIn(facts, named, { words, language }),
    link: 'link' in facts ? facts.link : null,
    accountHref: `${issuer}/account`,
  }
}

/** Mail programs make links of what looks like one: nobody shall place theirs in our mail by the name of an app. */
const unlinked = (name: string): string => shownName(name.replace(/[:/\\@]+|\.(?=\S)/g, ' '))

function factsIn(
  facts: MailFacts,
  { username, client }: Named,
  { words, language }: { readonly words: MailWords; readonly language: Language },
): readonly (readonly [string, string])[] {
  if (!('where' in facts)) return []
  const { at, ip, userAgent } = facts.where
  return [
    [words.account, username],
    ...(client === '' ? [] : [[words.app, client] as const]),
    [words.when, language.formats.dateTime(at)],
    [words.device, deviceOf(userAgent) ?? words.unknownDevice],
    [words.address, ip ?? words.unknownAddress],
  ]
}

function textOf({ words, text, named, facts, link, accountHref }: Said): string {
  const blocks = [
    text.title,
    text.lead(named),
    ...(link === null ? [] : [`${text.button ?? ''}:\n${link}`, text.linkNote ?? '']),
    facts.map(([term, value]) => `${term}: ${value}`).join('\n'),
    text.notYou,
    ...(facts.length === 0 ? [] : [`${words.yourAccount}: ${accountHref}`]),
    `-- \n${words.footer(named.service)}`,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}
