/**
 * A process full of readers of the revocation feed, as `feed-connections.ts` forks it: bare TLS connections that read
 * the stream and nothing else, so that ten thousand fit into one process.
 */
import { setTimeout as after } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { monotonicMillis } from './validator-process.ts'

export interface ReadersPlan {
  readonly port: number
  readonly ca: string
  /** An access token with the scope of the feed. */
  readonly token: string
}

/** `open`: so many are to be open in all. `watch`: an id that a revocation will name. */
export type ReadersCommand = { readonly plan: ReadersPlan } | { readonly open: number } | { readonly watch: string }

/** `heard`: when each connection that is open read it, by the clock of `monotonicMillis`. */
export type ReadersReport = { readonly opened: number; readonly broken: number } | { readonly heard: readonly number[] }

/** A handshake each: as many at once as a server answers without making them wait. */
const atOnce = 20
/** For what is broken, not a measurement. */
const bound = 60_000

let plan: ReadersPlan | null = null
const sockets = new Set<TLSSocket>()
let broken = 0
let watched: { readonly id: string; readonly heard: number[] } | null = null

function openOne({ port, ca, token }: ReadersPlan): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca })
    socket.setEncoding('latin1')
    socket.on('secureConnect', () =>
      socket.write(
        `GET /revocations/stream HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`,
      ),
    )
    socket.on('data', (text: unknown) => {
      const said = String(text)
      if (said.includes('event: hello')) {
        sockets.add(socket)
        resolve()
      }
      // Frames are short and written whole, so an id is never cut in two.
      if (watched !== null && said.includes(watched.id)) watched.heard.push(monotonicMillis())
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      broken += 1
      sockets.delete(socket)
      resolve()
    })
  })
}

async function openUpTo(count: number, to: ReadersPlan): Promise<void> {
  const open = async (): Promise<void> => {
    while (sockets.size + opening < count) {
      opening += 1
      await openOne(to)
      opening -= 1
    }
  }
  let opening = 0
  await Promise.all(Array.from({ length: atOnce }, open))
  report({ opened: sockets.size, broken })
}

async function watch(id: string): Promise<void> {
  const mine = { id, heard: [] as number[] }
  watched = mine
  for (const deadline = monotonicMillis() + bound; mine.heard.length < sockets.size; await after(5))
    if (monotonicMillis() > deadline) break
  report({ heard: mine.heard })
}

const report = (message: ReadersReport): void => void process.send?.(message)

process.on('message', (command: ReadersCommand) => {
  if ('plan' in command) plan = command.plan
  else if ('watch' in command) void watch(command.watch)
  else if (plan !== null) void openUpTo(command.open, plan)
})
