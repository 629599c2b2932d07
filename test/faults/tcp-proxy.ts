/** A wire to a TCP server that can be cut: connections break, and new ones are turned away until it is mended. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  cut(): void
  mend(): void
  /** As when the server is stopped: connections are taken and stay, and not a byte comes back. */
  hold(): void
  release(): void
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let whole = true
  let held = false
  const pairs = new Set<readonly [Socket, Socket]>()
  const join = ([near, far]: readonly [Socket, Socket]): void => void near.pipe(far).pipe(near)
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (!whole) return void near.resetAndDestroy()
    const far = connect({ host, port })
    keep(far)
    const pair = [near, far] as const
    pairs.add(pair)
    if (held) for (const socket of pair) socket.pause()
    else join(pair)
    near.on('close', () => {
      pairs.delete(pair)
      far.destroy()
    })
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
    hold() {
      held = true
      for (const [near, far] of pairs) {
        near.unpipe(far).pause()
        far.unpipe(near).pause()
      }
    },
    release() {
      held = false
      for (const pair of pairs) join(pair)
    },
    async [Symbol.asyncDispose]() {
      // Not by a reset: one that comes after the end of a stream is refused by libuv, and Node then never ends.
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
