/** What a client was told: every acknowledged token, revocation and client. Held against the log afterwards. */
import assert from 'node:assert/strict'
import { runCommand, type ServerOptions } from '../../interop/server.ts'
import { type HttpClient, claimsOf } from './http-client.ts'
import { requestRevocation, requestToken, tokenIn } from './service-client.ts'

export class History {
  readonly issued = new Set<string>()
  /** Revoked tokens by their id. */
  readonly revoked = new Map<string, string>()
  readonly clients = new Set<string>()
  #waiting: { readonly count: number; readonly reached: () => void }[] = []

  /** Asks for tokens and revokes every second one, until the connection breaks. Anything but 200 and 503 is a failure. */
  async work(http: HttpClient): Promise<void> {
    try {
      for (let n = 0; ; n++) {
        const answer = await requestToken(http)
        assert.ok(answer.status === 200 || answer.status === 503, `${answer.status} ${answer.body}`)
        if (answer.status !== 200) continue
        const token = tokenIn(answer)
        const { jti } = claimsOf(token)
        this.issued.add(jti)
        if (n % 2 === 1) continue
        const { status, body } = await requestRevocation(http, token)
        assert.ok(status === 200 || status === 503, `${status} ${body}`)
        if (status === 200) this.#record(jti, token)
      }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
    }
  }

  #record(jti: string, token: string): void {
    this.revoked.set(jti, token)
    for (const { reached } of this.#waiting.filter(({ count }) => this.revoked.size >= count)) reached()
  }

  /** Resolves when so many revocations more than now are acknowledged. */
  more(count: number): Promise<void> {
    return new Promise((reached) => this.#waiting.push({ count: this.revoked.size + count, reached }))
  }

  /** Registers clients by command, one after the other, until `over` says so. */
  async register(options: ServerOptions, prefix: string, over: () => boolean): Promise<void> {
    for (let n = 0; !over(); n++) {
      const id = `${prefix}-${n}`
      const { code } = await runCommand(['client', 'create', id, '--grant-type', 'client_credentials'], options)
      if (code === 0) this.clients.add(id)
    }
  }

  /** The log verifies, and holds everything that was acknowledged; the statistics agree with it; the clients are there. */
  async assertKept(options: ServerOptions): Promise<void> {
    const verified = await runCommand(['audit', 'verify'], options)
    assert.equal(verified.code, 0, verified.stdout + verified.stderr)
    const { stdout } = await runCommand(['audit', 'export'], options)
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as LoggedEvent)
    const named = (name: string): readonly LoggedEvent[] => events.filter((event) => event.name === name)
    assertHolds('token.issued', new Set(named('token.issued').map((event) => event.jti)), this.issued)
    assertHolds('token.revoked', new Set(named('token.revoked').map((event) => event.jti)), this.revoked.keys())
    assertHolds('client.registered', new Set(named('client.registered').map((event) => event.client_id)), this.clients)
    assert.deepEqual(
      events.map((event) => event.seq),
      events.map((_, index) => index + 1),
      'the sequence has no gap',
    )
    // Counted in the commit that puts the event there: neither fewer nor twice, wherever the server was killed.
    const counted = await runCommand(['statistic', 'list', '--json'], options)
    assert.equal(counted.code, 0, counted.stderr)
    const series = JSON.parse(counted.stdout) as readonly { readonly id: string; readonly total: number }[]
    const totalOf = (id: string): number => series.find((it) => it.id === id)?.total ?? Number.NaN
    assert.deepEqual(
      { issued: totalOf('issued'), revoked: totalOf('revoked') },
      { issued: named('token.issued').length, revoked: named('token.revoked').length + named('grant.revoked').length },
      'the statistics say what the log says',
    )
    const listed = await runCommand(['client', 'list', '--json'], options)
    for (const id of this.clients) assert.ok(listed.stdout.includes(`"${id}"`), `client ${id} is gone`)
  }
}

interface LoggedEvent {
  readonly seq: number
  readonly name: string
  readonly jti?: string
  readonly client_id?: string
}

function assertHolds(what: string, kept: ReadonlySet<string | undefined>, acknowledged: Iterable<string>): void {
  const lost = [...acknowledged].filter((id) => !kept.has(id))
  assert.deepEqual(lost, [], `acknowledged, but not in the log as ${what}`)
}
