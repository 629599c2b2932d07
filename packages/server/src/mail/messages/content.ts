/** The content of a mail in its reader's language, from which both its text and its HTML are written. */
import { deviceOf, type MailMessage, type MailFacts } from '@grantor/authority'
import type { Settings } from '../../config/settings.ts'
import { shownName } from '../../pages/components/name.ts'
import { palette } from '../../pages/theme/palette.ts'
import { brandName } from '../../pages/theme/tenant-theme.ts'
import { chooseLanguage, type Language } from '../../pages/language/index.ts'
import { isolate } from '../../pages/language/isolated.ts'
import { mailCatalogues } from './catalogues.ts'
import type { MailMessages, MailNames, MailText } from './language/en.ts'

export interface MailStyle {
  readonly name: string
  /** `#rrggbb`. */
  readonly accent: string
}

/** Our own green where the theme names no colour (style.css). */
export const mailStyleFrom = ({ themeName, themeAccent }: Pick<Settings, 'themeName' | 'themeAccent'>): MailStyle => ({
  name: themeName,
  accent: themeAccent ?? '#0b6b5b',
})

/** The same for a tenant, whose colour is adjusted where it would be unreadable. */
export function brandedStyle(style: MailStyle, tenant: MailMessage['tenant']): MailStyle {
  if (tenant === undefined) return style
  const accent = tenant.branding?.accent
  return {
    name: brandName(tenant, style.name),
    accent: accent === undefined ? style.accent : palette({ accent }).light.accent,
  }
}

export interface MailContent {
  readonly language: Language
  readonly messages: MailMessages
  readonly text: MailText
  readonly names: MailNames
  readonly subject: string
  readonly facts: readonly (readonly [term: string, value: string])[]
  readonly link: string | null
  /** Null where the reader may have no account, or nothing happened in it. */
  readonly accountHref: string | null
  readonly footer: string
}

export function mailContent({ facts, issuer, language: preferred }: MailMessage, style: MailStyle): MailContent {
  const language = chooseLanguage(preferred === null ? [] : [preferred])
  const messages = mailCatalogues[language.tag]
  const text = messages.kinds[facts.kind]
  const plain = {
    service: style.name,
    username: 'username' in facts ? shownName(facts.username) : '',
    client: 'client' in facts ? unlinked(facts.client) : '',
  }
  const names = language.direction === 'rtl' ? isolatedNames(plain) : plain
  const shownFacts = factsIn(facts, plain, { messages, language })
  const stranger = toStrangers.has(facts.kind)
  return {
    language,
    messages,
    text,
    names,
    subject: shownName(text.subject(plain)),
    facts: shownFacts,
    link: linkOf(facts, issuer),
    accountHref: stranger || shownFacts.length === 0 ? null : `${issuer}/account`,
    footer: (stranger ? messages.strangerFooter : messages.footer)(names.service),
  }
}

/** Kinds of mail whose readers have no account yet. */
const toStrangers: ReadonlySet<MailFacts['kind']> = new Set(['sign_up', 'invitation'])

const isolatedNames = ({ service, username, client }: MailNames): MailNames => ({
  service: isolate(service),
  username: isolate(username),
  client: isolate(client),
})

/** A request is answered on the account page, where the reader signs in first. */
const linkOf = (facts: MailFacts, issuer: string): string | null =>
  'link' in facts ? facts.link : facts.kind === 'access_requested' ? `${issuer}/account/requests` : null

/** Breaks up URLs in names of apps, because mail programs turn them into links, which would then be in our mail. */
const unlinked = (name: string): string => shownName(name.replace(/[:/\\@]+|\.(?=\S)/g, ' '))

function factsIn(
  facts: MailFacts,
  { username, client }: MailNames,
  { messages, language }: Pick<MailContent, 'messages' | 'language'>,
): MailContent['facts'] {
  if (!('where' in facts)) return []
  const { at, ip, userAgent } = facts.where
  return [
    [messages.account, username],
    ...(client === '' ? [] : [[messages.app, client] as const]),
    ...(facts.kind === 'access_requested' && facts.bindingMessage !== null
      ? [[messages.message, unlinked(facts.bindingMessage)] as const]
      : []),
    [messages.when, language.formats.dateTime(at)],
    [messages.device, deviceOf(userAgent) ?? messages.unknownDevice],
    [messages.address, ip ?? messages.unknownAddress],
  ]
}
