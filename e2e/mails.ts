/** Sample mails, as HTML, so that the gallery holds them to the same eyes as the pages. */
import type { MailFacts } from '@grantor/authority'
import type { LanguageTag } from '@grantor/protocol/oidc'
import type { Instant } from '@grantor/protocol/types'
import { type MailStyle, writeMail } from '@grantor/server/pages'
import { now } from './samples.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const where = { at: (now - 120_000) as Instant, ip: '203.0.113.7', userAgent: firefox }
const username = 'alice@example.com'
const issuer = 'https://login.example.com'
const link = (path: string) => `${issuer}/${path}?token=gp_${'sample-'.repeat(6)}1`

const ours: MailStyle = { name: 'Grantor', accent: '#0b6b5b' }
const acme: MailStyle = { name: 'Acme Water & Power', accent: '#8a1f5c' }

const shown = (facts: MailFacts, language: LanguageTag, style: MailStyle) => ({
  name: `mail-${facts.kind}-${language}`,
  html: writeMail({ id: '1', issuer, to: username, language, madeAt: now as Instant, facts }, style).html,
})

export const mails: readonly { readonly name: string; readonly html: string }[] = [
  shown({ kind: 'sign_up', username, where, link: link('sign-up/finish') }, 'en', ours),
  shown({ kind: 'account_exists', username, where, link: 'https://as.example/account' }, 'de', ours),
  shown({ kind: 'invitation', username, link: link('invitation') }, 'fr', ours),
  shown({ kind: 'reset', username, where, link: link('reset-password') }, 'en', ours),
  shown({ kind: 'sign_in_link', username, where, link: link('sign-in-link/finish') }, 'en', ours),
  shown({ kind: 'sign_in_link', username, where, link: link('sign-in-link/finish') }, 'ar', acme),
  shown({ kind: 'address', username, where, link: link('account/address') }, 'de', acme),
  shown({ kind: 'app_connected', username, where, client: 'Rechnungsverwaltung Süd' }, 'de', acme),
  shown({ kind: 'access_requested', username, where, client: 'Corner Shop', bindingMessage: 'W4SCT' }, 'en', ours),
  shown({ kind: 'access_requested', username, where, client: 'Eckladen', bindingMessage: null }, 'de', acme),
  shown({ kind: 'signed_in', username, where: { ...where, userAgent: null, ip: '2001:db8::1' } }, 'en', ours),
  shown({ kind: 'test' }, 'en', ours),
]

/** As a mail program would show it: styles in the mail itself, and nothing fetched. */
export const mailHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}
