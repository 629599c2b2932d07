/**
 * Sends mails to the operator's mail server, one connection each. Every connection has a deadline, whatever the server
 * does: one that hangs or answers slowly costs a socket for a minute, and delays no request.
 */
import { Socket } from 'node:net'
import type { MailMessage, Mail, SendOutcome } from '@grantor/authority'
import { shortened } from '@grantor/protocol/oauth'
import { isMailAddress } from '@grantor/protocol/people'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailStyle } from './messages/content.ts'
import { writeMail } from './messages/write.ts'
import type { Sender, SmtpServer } from './server-address.ts'

export interface SmtpOptions {
  readonly server: SmtpServer
  readonly from: Sender
  /** CA certificates in PEM, read for each delivery; null: those that Node trusts. */
  ca(): string | null
  readonly style: MailStyle
  /** Milliseconds for a whole delivery; for tests. */
  readonly deadline?: number
  /** Called for every failed delivery, without the address or any content of the mail. */
  failed?(why: string): void
}

export interface Smtp extends Mail {
  /** Connects with TLS and signs in like for a mail, then disconnects. */
  verify(): Promise<SendOutcome>
}

const minute = 60_000

export function smtpMail(parts: SmtpOptions): Smtp {
  const deliver = async (signal: AbortSignal, letter: MailMessage | null): Promise<SendOutcome> => {
    const sent = await delivery(parts, letter, signal)
    if (sent.did !== 'sent') parts.failed?.(sent.why)
    return sent
  }
  return {
    send: (letter, signal) => deliver(signal, letter),
    verify: () => deliver(new AbortController().signal, null),
  }
}

async function delivery(parts: SmtpOptions, letter: MailMessage | null, signal: AbortSignal): Promise<SendOutcome> {
  if (letter !== null && !isMailAddress(letter.to)) return { did: 'refused', why: 'not a mail address' }
  // Loaded for the first mail, not at the start.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  // Our own socket, so that it can be destroyed: the library closes by waiting for the server to close, too.
  const socket = new Socket()
  const connection = new Connection({ ...optionsOf(parts, letter), socket })
  const over = AbortSignal.any([signal, AbortSignal.timeout(parts.deadline ?? minute)])
  try {
    // A mail queued by another version may have facts that this one cannot write: it then fails like a failed delivery.
    const message = letter === null ? null : await compiled(letter, parts)
    await withDeadline(over, connection, async () => {
      await step((done) => connection.connect(done), connection)
      const { credentials } = parts.server
      if (credentials !== null) await step((done) => connection.login({ ...credentials }, done), connection)
      if (letter === null || message === null) return
      const envelope = { from: parts.from.address, to: [letter.to], size: message.length }
      await step((done) => connection.send(envelope, message, done), connection)
    })
    connection.quit()
    // The server has accepted the mail; its answer to QUIT is not awaited.
    setTimeout(() => socket.destroy(), 2_000).unref()
    return { did: 'sent' }
  } catch (cause) {
    connection.close()
    socket.destroy()
    return failureOf(cause)
  }
}

function optionsOf({ server, ...parts }: SmtpOptions, letter: MailMessage | null) {
  const ca = parts.ca()
  const plain = server.loopback && ca === null && !server.implicitTls
  return {
    host: server.host,
    port: server.port,
    secure: server.implicitTls,
    requireTLS: !plain && !server.implicitTls,
    ignoreTLS: plain,
    // `rejectUnauthorized` is explicit, because an environment variable could turn it off.
    tls: { minVersion: 'TLSv1.2' as const, ...(ca === null ? {} : { ca }), rejectUnauthorized: true },
    // The name for EHLO, instead of that of this machine.
    name: letter === null ? 'localhost' : new URL(letter.issuer).hostname,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
    allowInternalNetworkInterfaces: true,
  }
}

async function compiled(letter: MailMessage, { from, style }: SmtpOptions): Promise<Buffer> {
  const { default: Composer } = await import('nodemailer/lib/mail-composer')
  const written = writeMail(letter, style)
  const composer = new Composer({
    from: { ...from },
    // An object, so that the text is not parsed as a list of addresses.
    to: { name: '', address: letter.to },
    subject: written.subject,
    text: written.text,
    html: written.html,
    date: new Date(letter.madeAt),
    messageId: `<${letter.id}@${new URL(letter.issuer).hostname}>`,
    // RFC 3834 §5: prevents automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

type Done = (error?: Error | null) => void

/** One step of the conversation. A failure of the connection itself arrives as its `error`, not at the step. */
function step(act: (done: Done) => unknown, connection: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('error', reject)
    connection.once('end', () => reject(new Error('the connection ended')))
    act((error) => (error === null || error === undefined ? resolve() : reject(error)))
  })
}

async function withDeadline(over: AbortSignal, connection: SMTPConnection, act: () => Promise<void>): Promise<void> {
  // There is always a listener, also for late errors.
  connection.on('error', () => {})
  const { promise: cut, reject } = Promise.withResolvers<never>()
  const end = (): void => reject(new Error('out of time'))
  over.addEventListener('abort', end, { once: true })
  if (over.aborted) end()
  try {
    await Promise.race([act(), cut])
  } finally {
    over.removeEventListener('abort', end)
  }
}

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
}

/**
 * RFC 5321 §4.2.1: a 5yz about mailbox or mail is permanent; one about our account or address can be fixed by the
 * operator.
 */
function failureOf(cause: unknown): SendOutcome {
  const { code, command, responseCode = 0, message } = cause as SmtpError
  // Replies may contain the address, so only their codes are reported.
  const why = responseCode > 0 ? `${command ?? ''} ${responseCode}`.trim() : [code, command, plain(message)].join(' ')
  const lasting = responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
  return { did: lasting ? 'refused' : 'failed', why }
}

const plain = (message: string): string => shortened(message.replace(/\S+@\S+/g, '…'), 200)
