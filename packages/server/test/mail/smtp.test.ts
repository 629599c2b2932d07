/** Handing mail over, to a mail server nobody here wrote: in order, in trouble, and in bad company. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import type { MailMessage, SendOutcome } from '@grantor/authority'
import type { Instant } from '@grantor/protocol/types'
import type { SMTPServerOptions } from 'smtp-server'
import { issueCertificate } from '../../src/tls/issue-certificate.ts'
import { parseSmtpServer } from '../../src/mail/server-address.ts'
import { smtpMail, type SmtpOptions } from '../../src/mail/smtp.ts'
import { startSmtpServer, decodedHeader } from '../../../../interop/smtp-server.ts'

const letter: MailMessage = {
  id: '0190-abc',
  issuer: 'https://as.example/t/acme',
  to: 'alice@example.com',
  language: 'de',
  madeAt: Date.UTC(2026, 10, 15, 12) as Instant,
  facts: { kind: 'test' },
}

const style = { name: 'Bücher & Co', accent: '#8a1f5c' }

function mailTo(address: string, more: Partial<SmtpOptions> = {}) {
  const server = parseSmtpServer(address)
  assert.ok(typeof server !== 'string')
  return smtpMail({ server, from: { name: 'Bücher', address: 'login@as.example' }, ca: () => null, style, ...more })
}

const sending = (address: string, more: Partial<SmtpOptions> = {}, it: MailMessage = letter): Promise<SendOutcome> =>
  mailTo(address, more).send(it, new AbortController().signal)

const pair = () => {
  const life = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) }
  return issueCertificate({ name: 'CN=localhost', validity: life, names: ['localhost', '127.0.0.1'], signer: null })
}

test('RFC 5322 §3.6: a mail has one sender, one recipient, a date, a stable id, and no headers that track or list', async () => {
  await using smtp = await startSmtpServer()
  assert.deepEqual(await sending(`smtp://127.0.0.1:${smtp.port}`), { did: 'sent' })
  const [mail] = smtp.arrived
  assert.ok(mail)
  assert.deepEqual([mail.from, mail.to], ['login@as.example', ['alice@example.com']])
  assert.equal(decodedHeader(mail.headers.get('from')), 'Bücher <login@as.example>')
  assert.equal(mail.headers.get('to'), 'alice@example.com')
  assert.equal(mail.headers.get('message-id'), '<0190-abc@as.example>')
  assert.equal(mail.headers.get('date'), 'Sun, 15 Nov 2026 12:00:00 +0000')
  assert.equal(decodedHeader(mail.headers.get('subject')), 'Test-E-Mail von Bücher & Co')
  assert.match(mail.headers.get('content-type') ?? '', /^multipart\/alternative/)
  assert.match(mail.text, /Es funktioniert/)
  assert.match(mail.html, /Bücher &amp; Co kann E-Mails senden/)
  assert.equal(
    [...mail.headers.keys()].some((name) => /^(list|x-mailer|x-)/.test(name)),
    false,
    mail.raw,
  )
})

test('a mail that cannot be written fails, and nobody is connected to for it', async () => {
  let connections = 0
  await using smtp = await startSmtpServer({
    onConnect(_session, done) {
      connections += 1
      done()
    },
  })
  const why: string[] = []
  const facts = { kind: 'of_tomorrow' } as unknown as MailMessage['facts']
  const failed = (it: string) => void why.push(it)
  const outcome = await sending(`smtp://127.0.0.1:${smtp.port}`, { failed }, { ...letter, facts })
  assert.deepEqual([outcome.did, why.length, connections, smtp.arrived], ['failed', 1, 0, []])
})

test('RFC 3834 §5: a mail says that a machine wrote it', async () => {
  await using smtp = await startSmtpServer()
  await sending(`smtp://127.0.0.1:${smtp.port}`)
  assert.equal(smtp.arrived[0]?.headers.get('auto-submitted'), 'auto-generated')
})

test('RFC 3207: the connection is upgraded before anything is said, and the password is shown inside only', async () => {
  const { cert, key } = await pair()
  const seen: string[] = []
  const auth: SMTPServerOptions = {
    cert,
    key,
    authOptional: false,
    onAuth({ username, password }, session, done) {
      seen.push(`${username} ${password} ${session.secure}`)
      done(null, { user: username })
    },
  }
  await using smtp = await startSmtpServer(auth)
  const address = `smtp://us%40er:p%3Ass@localhost:${smtp.port}`
  assert.deepEqual(await sending(address, { ca: () => cert }), { did: 'sent' })
  assert.deepEqual(seen, ['us@er p:ss true'])
  assert.equal(smtp.arrived[0]?.secure, true)
  assert.deepEqual(await mailTo(address, { ca: () => cert }).verify(), { did: 'sent' })
})

test('RFC 8314 §3: TLS from the first byte works as well, and a stranger’s certificate does not', async () => {
  const [{ cert, key }, other] = [await pair(), await pair()]
  await using smtp = await startSmtpServer({ cert, key, secure: true })
  assert.deepEqual(await sending(`smtps://localhost:${smtp.port}`, { ca: () => cert }), { did: 'sent' })
  assert.equal((await sending(`smtps://localhost:${smtp.port}`)).did, 'failed')
  assert.equal((await sending(`smtps://localhost:${smtp.port}`, { ca: () => other.cert })).did, 'failed')
  // Nor where a variable of the environment would let it.
  const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  try {
    assert.equal((await sending(`smtps://localhost:${smtp.port}`)).did, 'failed')
  } finally {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
  }
  assert.equal(smtp.arrived.length, 1)
})

test('RFC 3207 §6: a server that offers no TLS gets neither mail nor password', async () => {
  const seen: string[] = []
  const server = parseSmtpServer('smtp://user:canary@localhost:1')
  assert.ok(typeof server !== 'string')
  await using smtp = await startSmtpServer({
    onAuth({ password }, _session, done) {
      seen.push(password ?? '')
      done(null, { user: 'x' })
    },
  })
  // As any host but this machine would be treated.
  const away = { ...server, port: smtp.port, loopback: false }
  const mail = smtpMail({ server: away, from: { name: '', address: 'a@as.example' }, ca: () => null, style })
  assert.equal((await mail.send(letter, new AbortController().signal)).did, 'failed')
  assert.deepEqual([seen, smtp.arrived], [[], []])
})

test('RFC 5321 §4.2.1: a 4yz is tried again, a 5yz about the mailbox or the mail is not, and neither tells the address', async () => {
  const refusing = (at: 'onMailFrom' | 'onRcptTo' | 'onData', responseCode: number): SMTPServerOptions => {
    const refusal = Object.assign(new Error('<alice@example.com> is not known'), { responseCode })
    if (at !== 'onData') return { [at]: (_: unknown, __: unknown, done: (error: Error) => void) => done(refusal) }
    return { onData: (stream, _session, done) => void stream.resume().once('end', () => done(refusal)) }
  }
  const rows = [
    ['onRcptTo', 450, 'failed'],
    ['onRcptTo', 550, 'refused'],
    ['onData', 451, 'failed'],
    ['onData', 554, 'refused'],
    ['onMailFrom', 553, 'failed'],
  ] as const
  for (const [at, code, did] of rows) {
    await using smtp = await startSmtpServer(refusing(at, code))
    const told: string[] = []
    const sent = await sending(`smtp://127.0.0.1:${smtp.port}`, { failed: (why) => told.push(why) })
    assert.equal(sent.did, did, `${at} ${code}`)
    assert.doesNotMatch(told.join(), /alice/)
    assert.match(told.join(), new RegExp(String(code)))
  }
})

test('wrong credentials are the operator’s trouble: the mail waits, and the log has no password', async () => {
  const onAuth: SMTPServerOptions['onAuth'] = (_auth, _session, done) => done(new Error('no'), {})
  const { cert, key } = await pair()
  await using smtp = await startSmtpServer({ cert, key, onAuth })
  const told: string[] = []
  const more = { ca: () => cert, failed: (why: string) => told.push(why) }
  assert.equal((await sending(`smtp://user:canary@localhost:${smtp.port}`, more)).did, 'failed')
  assert.doesNotMatch(told.join(), /canary|Y2FuYXJ5/)
})

/** A server of a few bytes: says what it is told to, and holds the line. */
async function rude(act: (socket: Socket) => void): Promise<AsyncDisposable & { port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    // Whoever does not read does not hear of a closed line.
    socket.resume().on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    act(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Speaks until DATA, as a script. */
const scripted = (atData: (socket: Socket) => void) => (socket: Socket) => {
  socket.write('220 hello\r\n')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString()
    for (let end = heard.indexOf('\r\n'); end !== -1; end = heard.indexOf('\r\n')) {
      const line = heard.slice(0, end)
      heard = heard.slice(end + 2)
      if (line === '.') atData(socket)
      else if (line === 'DATA') socket.write('354 go on\r\n')
      else if (/^(EHLO|HELO|MAIL|RCPT)/.test(line)) socket.write('250 fine\r\n')
    }
  })
}

const eventually = async (holds: () => boolean): Promise<void> => {
  for (let n = 0; n < 3000 && !holds(); n += 1) await new Promise((over) => setTimeout(over, 10))
  assert.ok(holds())
}

test('a server that hangs, drips, babbles or hangs up costs one connection for a while, and no more', async () => {
  const drip = (socket: Socket): void => {
    const timer = setInterval(() => socket.write('250-still here\r\n'), 20)
    socket.once('close', () => clearInterval(timer))
  }
  const ways: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['never greets', () => {}],
    ['greets and is silent', (socket) => void socket.write('220 hello\r\n')],
    ['drips for ever', (socket) => (socket.write('220 hello\r\n'), drip(socket))],
    ['speaks no SMTP', (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['hangs up', (socket) => void socket.end()],
    ['resets', (socket) => void socket.resetAndDestroy()],
    ['hangs after the mail', scripted(() => {})],
    ['hangs up after the mail', scripted((socket) => void socket.destroy())],
  ]
  await Promise.all(
    ways.map(async ([name, act]) => {
      await using server = await rude(act)
      const sent = await sending(`smtp://127.0.0.1:${server.port}`, { deadline: 1_500 })
      assert.equal(sent.did, 'failed', name)
      await eventually(() => server.sockets.size === 0)
    }),
  )
})

test('closing gives up what is on the wire at once', async () => {
  await using server = await rude(() => {})
  const closing = new AbortController()
  const sent = mailTo(`smtp://127.0.0.1:${server.port}`).send(letter, closing.signal)
  await eventually(() => server.sockets.size === 1)
  closing.abort()
  assert.equal((await sent).did, 'failed')
  await eventually(() => server.sockets.size === 0)
})

test('nobody home: the mail waits', async () => {
  const smtp = await startSmtpServer()
  await smtp[Symbol.asyncDispose]()
  assert.equal((await sending(`smtp://127.0.0.1:${smtp.port}`)).did, 'failed')
})

test('RFC 5322 §2.2: no name, address or app makes a header of its own', async () => {
  await using smtp = await startSmtpServer()
  const evil = 'X\r\nBcc: eve@evil.example\r\n\r\nhello\u202e \u0000<script>'
  const where = { at: letter.madeAt, ip: '192.0.2.1\r\nX: y', userAgent: `Firefox/1 ${evil}` }
  const facts = { kind: 'app_connected', username: evil, client: `http://evil.example/ ${evil}`, where } as const
  assert.deepEqual(await sending(`smtp://127.0.0.1:${smtp.port}`, {}, { ...letter, facts }), { did: 'sent' })
  const refused = await sending(`smtp://127.0.0.1:${smtp.port}`, {}, { ...letter, to: `a@b.example\r\nRCPT TO:<e@f>` })
  assert.equal(refused.did, 'refused')
  const [mail, ...more] = smtp.arrived
  assert.ok(mail)
  assert.equal(more.length, 0)
  assert.deepEqual(mail.to, ['alice@example.com'])
  assert.deepEqual([...mail.headers.keys()].toSorted(), [
    'auto-submitted',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
  ])
  assert.doesNotMatch(mail.html, /<script/)
  assert.doesNotMatch(mail.text + mail.html, /evil\.example\/|http:\/\/evil|\u202e|\0/)
})
