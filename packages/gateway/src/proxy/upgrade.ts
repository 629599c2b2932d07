/** Upgrades to WebSocket (RFC 6455 §4): forwards the handshake, then bytes in both directions until one side ends. */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Problem } from '@grantor/protocol/http'
import type { Dispatcher } from 'undici'
import { responseHeaders } from '../headers/response-headers.ts'
import type { OpenExchange } from './open-exchanges.ts'
import { faultText, upstreamProblem } from './upstream.ts'

export interface UpgradeExchange {
  readonly request: IncomingMessage
  readonly client: Duplex
  /** The first bytes that the client sent after its handshake. */
  readonly head: Buffer
  readonly target: string
  readonly headers: string[]
  /** Further headers of the answer. */
  readonly more: Readonly<Record<string, string>>
  readonly open: OpenExchange
}

export interface UpgradeContext {
  readonly upstream: Dispatcher
  readonly streamIdle: number
  refuse(problem: Problem): void
  notice(text: string): void
  done(): void
}

/** Only WebSocket: another protocol (`h2c` above all) would be a way past the gateway's checks. */
export const isWebSocket = ({ headers, method }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

export function forwardUpgrade(exchange: UpgradeExchange, context: UpgradeContext): void {
  const { client, head, target, headers, more, open } = exchange
  const { upstream, streamIdle, refuse, notice, done } = context
  let behind: Duplex | null = null
  let over = false
  let answered = false
  const end = (): void => {
    if (over) return
    over = true
    client.destroy()
    behind?.destroy()
    done()
  }
  client.on('error', end).on('close', end)
  upstream.dispatch(
    { path: target, method: 'GET', headers, upgrade: 'websocket' },
    {
      onRequestStart: (controller) => (over ? controller.abort(new Error('the client went away')) : undefined),
      onRequestUpgrade(_controller, status, received, socket) {
        if (over) return void socket.destroy()
        behind = socket
        socket.on('error', end).on('close', end)
        open.isStream = true
        client.write(
          headText(status, { connection: 'Upgrade', upgrade: 'websocket', ...responseHeaders(received, more) }),
        )
        if (head.length > 0) socket.write(head)
        for (const side of [client, socket]) {
          if ('setTimeout' in side && typeof side.setTimeout === 'function') side.setTimeout(streamIdle, end)
        }
        client.pipe(socket)
        socket.pipe(client)
      },
      // The API behind refuses the upgrade: the client gets its status, and the connection closes.
      onResponseStart(controller, status, received) {
        if (status < 200 || over) return
        const { 'content-length': _, ...sent } = responseHeaders(received, more)
        answered = true
        client.end(headText(status, { ...sent, connection: 'close', 'content-length': '0' }), () => client.destroy())
        controller.abort(new Error('no upgrade'))
      },
      onResponseError(_controller, error) {
        if (over || answered) return
        notice(`the API behind failed: ${faultText(error)}`)
        refuse(upstreamProblem(error, 0))
        end()
      },
    },
  )
}

function headText(status: number, headers: Readonly<Record<string, string | string[]>>): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((line) => `${name}: ${line}`))
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', ''].join('\r\n')
}
