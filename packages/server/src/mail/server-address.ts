/** Parses the mail server and the sender in the settings. */
import { isMailAddress } from '@grantor/protocol/people'
import { isLoopback } from '../config/addresses.ts'
import type { Settings } from '../config/settings.ts'

type MailSettings = Pick<Settings, 'mailSmtp' | 'mailFrom' | 'mailCa'>

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (smtps:); otherwise the connection is upgraded by STARTTLS. */
  readonly implicitTls: boolean
  readonly credentials: { readonly user: string; readonly pass: string } | null
  /** On this machine, where nobody can read the connection. */
  readonly loopback: boolean
}

/** The server, or a sentence about what is wrong with the text. */
export function parseSmtpServer(text: string): SmtpServer | string {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:'))
    return 'GRANTOR_MAIL_SMTP must be smtp://user:password@host:port (STARTTLS) or smtps://… (TLS from the start)'
  if (url.hostname === '') return 'GRANTOR_MAIL_SMTP names no host'
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    return 'GRANTOR_MAIL_SMTP has nothing after the port; percent-encode what stands in user and password'
  const credentials = credentialsIn(url)
  if (credentials === undefined) return 'GRANTOR_MAIL_SMTP has a user or a password that is not percent-encoded'
  const implicitTls = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (implicitTls ? 465 : 587) : Number(url.port),
    implicitTls,
    credentials,
    loopback: isLoopback(url.hostname),
  }
}

/** Undefined where they are not percent-encoded properly. */
function credentialsIn({ username, password }: URL): SmtpServer['credentials'] | undefined {
  if (username === '') return null
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  } catch {
    return undefined
  }
}

export interface Sender {
  readonly name: string
  readonly address: string
}

/** `login@example.com` or `Example <login@example.com>`; null where it is neither. */
export function parseSender(text: string): Sender | null {
  const [, name = '', bracketed = text] = /^([^<>"\p{Cc}]*)<([^<>\s]+)>$/u.exec(text.trim()) ?? []
  const address = bracketed.trim()
  return isMailAddress(address) ? { name: name.trim(), address } : null
}

/** The problem of the mail settings; null where there is none. */
export function mailProblem({ mailSmtp, mailFrom, mailCa }: MailSettings): string | null {
  if (mailFrom !== null && parseSender(mailFrom) === null)
    return 'GRANTOR_MAIL_FROM must be login@example.com or Example <login@example.com>'
  if (mailSmtp === null)
    return mailCa === null ? null : 'GRANTOR_MAIL_CA needs GRANTOR_MAIL_SMTP, the server it speaks for'
  const server = parseSmtpServer(mailSmtp)
  if (typeof server === 'string') return server
  return mailFrom === null ? 'GRANTOR_MAIL_SMTP needs GRANTOR_MAIL_FROM, the address that mail comes from' : null
}
