/** A real mail server for tests, in this process, and eyes for what arrives there. */
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly secure: boolean
  readonly raw: string
  /** Names in lower case, folded lines joined. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly html: string
}

export interface TestSmtpServer extends AsyncDisposable {
  readonly port: number
  readonly arrived: readonly ReceivedMail[]
  /** Connections that are open now. */
  open(): number
}

export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const arrived: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key === undefined ? ['STARTTLS'] : [],
    // Closing does not wait for those who hang on purpose.
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const raw = Buffer.concat(chunks).toString()
        arrived.push({ from, to: rcptTo.map((it) => it.address), secure: session.secure, ...read(raw) })
        done()
      })
    },
    ...options,
  })
  // A client that cuts the line is what some of these tests are about.
  server.on('error', () => {})
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    port: (server.server.address() as AddressInfo).port,
    arrived,
    open: () => server.connections.size,
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}

/** Just enough of MIME for what we write: one multipart with two texts. */
export function read(raw: string): Pick<ReceivedMail, 'raw' | 'headers' | 'text' | 'html'> {
  const { headers, body } = split(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? ''
  const parts = boundary === '' ? [raw] : body.split(`--${boundary}`)
  const ofType = (type: string): string => {
    const part = parts.map((it) => split(it.trimStart())).find((it) => it.headers.get('content-type')?.startsWith(type))
    return part === undefined ? '' : decoded(part.body, part.headers.get('content-transfer-encoding') ?? '7bit')
  }
  return { raw, headers, text: ofType('text/plain'), html: ofType('text/html') }
}

function split(text: string) {
  const end = text.indexOf('\r\n\r\n')
  const head = text.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
  const headers = new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  return { headers, body: text.slice(end + 4) }
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** RFC 2047: a header as people read it. */
export const decodedHeader = (header: string | undefined): string =>
  (header ?? '')
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, how: string, word: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : decoded(word.replaceAll('_', ' '), 'quoted-printable'),
    )
