/** A wire to a TCP server that can be cut: connections break, and new ones are turned away until it is mended. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  cut(): void
  mend(): void
  /** As when the server is stopped: connections are taken and stay, and not a byte comes back. */
  hold(): void
  release(): void
  /**
   * The connection that next says these words falls silent: what is sent on it goes nowhere, and it stays open. Resolves
   * when it does; what it resolves to, when the one that uses it has given it up.
   */
  silence(words?: string): Promise<{ readonly givenUp: Promise<unknown> }>
  /** Whatever is sent, either way, comes so many milliseconds later. */
  delay(milliseconds: number): void
}

/** `port` may be asked for anew with each connection: then it is a balancer. */
export async function startTcpProxy(host: string, port: number | (() => number)): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let whole = true
  let held = false
  let late = 0
  const waiting = new Set<() => void>()
  const silences: { readonly words: string; fall(near: Socket): void }[] = []
  const silent = new Set<Socket>()
  const gate = (near: Socket): Transform =>
    new Transform({
      transform(chunk: Buffer, _, pass) {
        const go = (): void => pass(null, chunk)
        const next = silences.findIndex(({ words }) => chunk.includes(words))
        if (next >= 0) silences.splice(next, 1)[0]?.fall(near)
        if (silent.has(near)) return
        if (held) waiting.add(go)
        else if (late > 0) setTimeout(go, late)
        else go()
      },
    })
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (!whole) return void near.resetAndDestroy()
    const far = connect({ host, port: typeof port === 'number' ? port : port() })
    keep(far)
    near.pipe(gate(near)).pipe(far)
    far.pipe(gate(near)).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    whole = false
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    mend: () => void (whole = true),
    hold: () => void (held = true),
    release() {
      held = false
      for (const go of waiting) go()
      waiting.clear()
    },
    silence: (words = '') =>
      new Promise((resolve) => {
        const fall = (near: Socket): void => {
          silent.add(near)
          resolve({ givenUp: once(near, 'close') })
        }
        silences.push({ words, fall })
      }),
    delay: (milliseconds) => void (late = milliseconds),
    async [Symbol.asyncDispose]() {
      // Not by a reset: one that comes after the end of a stream is refused by libuv, and Node then never ends.
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
