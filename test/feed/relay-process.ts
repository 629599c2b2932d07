/** `grantor gateway` as a process that does nothing but hand the revocation feed on. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { grantorCommand, type Server, temporaryFolder } from '../../interop/server.ts'
import { reader } from './validators.ts'

export interface RelayProcess extends AsyncDisposable {
  readonly address: string
  readonly port: number
  kill(): Promise<void>
}

interface RelayOptions {
  readonly server: Pick<Server, 'issuer' | 'ca'>
  /** Read from there instead of the issuer. */
  readonly from?: string
}

/** Plain HTTP, as loopback allows. */
export async function startRelay({ server, from }: RelayOptions): Promise<RelayProcess> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const file = folder.write('gateway.json', {
    issuer: server.issuer,
    audience: 'https://api.example',
    ca: folder.write('ca.pem', server.ca ?? ''),
    client: { client_id: reader[0], client_secret: reader[1] },
    feed: { relay: true, ...(from === undefined ? {} : { address: from }) },
  })
  const child = spawn(process.execPath, [grantorCommand, 'gateway', '--config', file], {
    cwd: folder.path,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], GRANTOR_GATEWAY_PORT: '0' },
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exited = once(child, 'exit')
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => Promise.reject(new Error(`the relay ended: ${output}`))),
  ])) as [string]
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  stack.defer(kill)
  const owned = stack.move()
  const { port } = JSON.parse(line) as { readonly port: number }
  return { address: `http://127.0.0.1:${port}`, port, kill, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
