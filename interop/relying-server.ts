/** A Grantor whose people sign in by providers on this machine: the real command, with a certificate of a common signer. */
import { type Certificate, newCertificate } from './certificates.ts'
import { freePort } from './plain-browser.ts'
import { runCommand, type Server, startServer, temporaryFolder } from './server.ts'

export interface RelyingServer extends AsyncDisposable {
  readonly server: Server
  readonly folder: string
  /** `grantor …` on its data; what it printed. */
  command(...args: string[]): Promise<string>
}

export interface RelyingServerOptions {
  readonly signer: Certificate
  /** So that others can be told before it starts. */
  readonly port?: number
  readonly seed?: object
  /** `host:port` on this machine that it may speak to. */
  readonly allow?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** What was done to its data before: a folder that outlives it. */
  readonly data?: string
}

export async function startRelyingServer(options: RelyingServerOptions): Promise<RelyingServer> {
  const { signer, seed, allow = [], env: own = {}, port = await freePort() } = options
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const data = options.data ?? folder.path
  const { cert, key } = await newCertificate({ name: 'localhost', signer, host: 'localhost' })
  const env = {
    GRANTOR_LOG: 'warn',
    GRANTOR_PORT: String(port),
    GRANTOR_ISSUER: `https://localhost:${port}`,
    GRANTOR_TLS_CERT: folder.write('server.pem', cert),
    GRANTOR_TLS_KEY: folder.write('server.key', key),
    GRANTOR_OUTBOUND_CA: folder.write('signer.pem', signer.cert),
    GRANTOR_OUTBOUND_ALLOW: allow.join(','),
    ...own,
  }
  const seeding = seed === undefined ? {} : { seed: folder.write('seed.json', seed) }
  const server = stack.use(await startServer({ data, env, ...seeding }))
  const owned = stack.move()
  return {
    server,
    folder: data,
    async command(...args) {
      const { code, stdout, stderr } = await runCommand(args, { data, env })
      if (code !== 0) throw new Error(`grantor ${args.join(' ')} ended with ${code}:\n${stderr}`)
      return stdout
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
