/**
 * The durable floor: the least that a token endpoint can do which keeps what it answers. Bare Fastify over `node:sqlite`;
 * all requests that arrive in one turn of the event loop share one commit, which is on the disk before they are answered.
 * A code or a refresh token is spent once and followed by a new refresh token, and each answer leaves one row in a log
 * that is chained by hashes. It knows one client and looks at nothing else: no limits, no policy, no cutoffs, no people.
 */
import { hash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fastify } from 'fastify'
import { audience, scope as apiScope } from './client.ts'
import { credentials, isClient, signedJwt } from './floor-steps.ts'
import { challenge, clientId, clientSecret, redirectUri, scope } from './web-client.ts'

const [folder = '.'] = process.argv.slice(2)
const database = new DatabaseSync(join(folder, 'floor.db'))
database.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table codes (handle blob primary key, subject text, challenge text, spent_at integer) without rowid;
  create table refresh_tokens (handle blob primary key, subject text, expires_at integer, spent_at integer) without rowid;
  create table events (seq integer primary key, body text, hash blob);
`)

const spendCode = database.prepare(
  'update codes set spent_at = ? where handle = ? and challenge = ? and spent_at is null returning subject',
)
const spendRefreshToken = database.prepare(
  'update refresh_tokens set spent_at = ? where handle = ? and expires_at > ? and spent_at is null returning subject',
)
const addCode = database.prepare('insert into codes values (?, ?, ?, null)')
const addRefreshToken = database.prepare('insert into refresh_tokens values (?, ?, ?, null)')
const addEvent = database.prepare('insert into events (body, hash) values (?, ?)')

interface Waiting {
  readonly work: () => void
  readonly answer: () => void
  readonly fail: (error: unknown) => void
}

let waiting: Waiting[] = []

function commit(): void {
  const group = waiting
  waiting = []
  try {
    database.exec('begin immediate')
    for (const { work } of group) work()
    database.exec('commit')
    for (const { answer } of group) answer()
  } catch (error) {
    for (const { fail } of group) fail(error)
  }
}

/** Runs with all others of this turn, and answers when their commit is on the disk. */
function committed<T>(work: () => T): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let result: T
  if (waiting.length === 0) setImmediate(commit)
  waiting.push({ work: () => void (result = work()), answer: () => resolve(result), fail: reject })
  return promise
}

const handleOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')
const newSecret = (): string => randomBytes(32).toString('base64url')
const day = 86_400_000

let last: Buffer = Buffer.alloc(32)
function record(event: object): void {
  const body = JSON.stringify(event)
  last = hash('sha256', Buffer.concat([last, Buffer.from(body)]), 'buffer')
  addEvent.run(body, last)
}

/** Null: it was spent before, or never was. */
function spend(form: URLSearchParams, at: number): string | null {
  const code = form.get('code')
  const row =
    code === null
      ? spendRefreshToken.get(at, handleOf(form.get('refresh_token') ?? ''), at)
      : form.get('redirect_uri') === redirectUri
        ? spendCode.get(at, handleOf(code), hash('sha256', form.get('code_verifier') ?? '', 'base64url'))
        : undefined
  return row === undefined ? null : String(row['subject'])
}

const client = credentials(clientId, clientSecret)
const app = fastify()
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, new URLSearchParams(body as string)),
)

app.post('/token', async (request, reply) => {
  if (!isClient(request.headers.authorization, client)) return reply.code(401).send({ error: 'invalid_client' })
  const form = request.body as URLSearchParams
  const at = Date.now()
  const refreshToken = newSecret()
  const subject = await committed(() => {
    const spentFor = spend(form, at)
    if (spentFor === null) return null
    addRefreshToken.run(handleOf(refreshToken), spentFor, at + 30 * day)
    record({ name: 'token.issued', at, subject: spentFor, client_id: clientId, scope })
    return spentFor
  })
  if (subject === null) return reply.code(400).send({ error: 'invalid_grant' })
  return reply.header('cache-control', 'no-store').send({
    access_token: signedJwt('at+jwt', { sub: subject, aud: audience, client_id: clientId, scope: apiScope }),
    token_type: 'Bearer',
    expires_in: 600,
    scope,
    id_token: signedJwt('JWT', { sub: subject, aud: clientId, nonce: 'n-0S6' }),
    refresh_token: refreshToken,
  })
})

let people = 0
app.get<{ Params: { count: string } }>('/new-codes/:count', ({ params: { count } }) => {
  const codes = Array.from({ length: Number(count) }, newSecret)
  return committed(() => {
    for (const code of codes) addCode.run(handleOf(code), `person-${people++}`, challenge)
    return codes
  })
})

await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ event: 'ready', port: (app.server.address() as AddressInfo).port, pid: process.pid }))
process.once('SIGTERM', () => process.exit(0))
