/** One server with the demo for all pages, one PostgreSQL, and Alice, who answers what the lines wait for. */
import { Agent, fetch as undiciFetch } from 'undici'
import { temporaryDatabase } from '../../interop/database.ts'
import { ScriptedPerson } from '../../interop/person.ts'
import { startServer, temporaryFolder } from '../../interop/server.ts'
import type { Addresses } from './stand-ins.ts'

export interface DemoServer extends Addresses, AsyncDisposable {
  readonly data: string
  /** A database of PostgreSQL. */
  readonly database: string
  person(): Watcher
}

export interface Watcher {
  /** What appeared on the terminal. */
  reads(text: string): void
  /** Settles when everything that was begun is answered. */
  done(): Promise<void>
}

interface ReadyLine {
  readonly mtls_port: number
  readonly demo_port: number
  readonly demo_mtls_port: number
}

export async function startDemoServer(): Promise<DemoServer> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const database = stack.use(await temporaryDatabase())
  const env = {
    GRANTOR_DEMO: 'true',
    GRANTOR_DEMO_PORT: '0',
    GRANTOR_DEMO_MTLS_PORT: '0',
    GRANTOR_DEVICE_INTERVAL: '1s',
    GRANTOR_BACKCHANNEL_INTERVAL: '1s',
    GRANTOR_LOG: 'warn',
  }
  const server = stack.use(await startServer({ data: folder.path, env }))
  const ready = JSON.parse(/\{.*"event":"ready".*\}/.exec(server.output())?.[0] ?? '{}') as ReadyLine
  const agent = stack.adopt(new Agent({ connect: { ca: server.ca ?? '' } }), (it) => it.close())
  const trusting = (url: string, init?: object) =>
    undiciFetch(url, { ...init, dispatcher: agent }) as unknown as Promise<Response>
  const owned = stack.move()
  return {
    issuer: server.issuer,
    orders: `https://localhost:${ready.demo_port}`,
    mtls: `https://localhost:${ready.mtls_port}`,
    ordersMtls: `https://localhost:${ready.demo_mtls_port}`,
    data: folder.path,
    database: database.url,
    person: () => aliceAt(server.issuer, trusting),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

type Fetch = (url: string, init?: object) => Promise<Response>

/** Alice reads the terminal: types the codes of devices, opens addresses, and allows what she is asked. */
function aliceAt(issuer: string, trusting: Fetch): Watcher {
  const alice = new ScriptedPerson(trusting, { username: 'alice', password: 'alice' })
  let answering = Promise.resolve()
  let unread = ''
  const act = (begin: () => Promise<unknown>) => {
    answering = answering.then(begin).then(
      () => undefined,
      (cause: unknown) => console.error(cause),
    )
  }
  return {
    reads(text) {
      unread += text
      const lines = unread.split('\n')
      unread = lines.pop() ?? ''
      for (const line of lines) {
        const code = /\btype ([A-Z]{4}-[A-Z]{4})\b/.exec(line)?.[1]
        if (code !== undefined)
          act(() => alice.answerDevice({ verification_uri: `${issuer}/device`, user_code: code }, 'allow'))
        const address = /Open (https:\S+\/authorize\?\S+)/.exec(line)?.[1]
        if (address !== undefined) act(async () => fetch(await alice.follow(new URL(address))))
        if (line.includes('Waiting for the answer of the person'))
          act(() => alice.answerRequest(new URL(issuer), 'allow', 'newest'))
      }
    },
    done: () => answering,
  }
}
