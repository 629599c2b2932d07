/** Loaded before a server: writes down every connection it opens, and which of our files are behind it. */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { Socket } from 'node:net'

export interface Opened {
  readonly what: 'socket' | 'attempt' | 'udp' | 'process'
  readonly port?: number
  /** Source files on the stack, from the inside out. */
  readonly by: readonly string[]
}

const file = process.env['GRANTOR_TEST_CONNECTIONS']

if (file !== undefined) {
  Error.stackTraceLimit = 100
  const note = (opened: Opened) => appendFileSync(file, `${JSON.stringify(opened)}\n`)
  const files = () => [...(new Error('here').stack ?? '').matchAll(/packages\/[\w./-]+?\.ts/g)].map(([path]) => path)
  subscribe('net.client.socket', (message) => {
    const by = files()
    note({ what: 'socket', by })
    const { socket } = message as { readonly socket: Socket }
    socket.on('connectionAttempt', (_address: string, port: number) => note({ what: 'attempt', port, by }))
  })
  subscribe('udp.socket', () => note({ what: 'udp', by: files() }))
  subscribe('child_process', () => note({ what: 'process', by: files() }))
}
