/** Listens on a port of this machine for one redirect of the browser (RFC 8252 §7.3). */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ok } from '@grantor/protocol/result'
import { type CommandResult, failure } from '../program/exit.ts'

export interface Callback extends AsyncDisposable {
  readonly redirectUri: string
  /** The address that the browser was redirected to. */
  readonly returned: Promise<URL>
}

const path = '/callback'

export async function openCallback(port: number): Promise<CommandResult<Callback>> {
  const { promise: returned, resolve } = Promise.withResolvers<URL>()
  const server = createServer((request, answer) => {
    const url = URL.parse(request.url ?? '', origin())
    if (url?.pathname !== path) return void answer.writeHead(404).end()
    answer.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    answer.end('The answer has arrived; this window can be closed.\n')
    resolve(url)
  })
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return failure('invalid', `port ${port} cannot be used (${code})`, { fix: 'choose another with --callback-port' })
  }
  return ok({
    redirectUri: origin() + path,
    returned,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  })
}
