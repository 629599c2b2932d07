/** A server with the Orders demo beside it, and tokens for both of their APIs: what tools that know only OpenAPI are tried on. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { runCommand, type Server, startServer, temporaryFolder } from './server.ts'

export interface DescribedApi {
  readonly name: string
  readonly origin: string
  readonly token: string
  /** Good, and without the scope of its lists. */
  readonly scopelessToken: string
  /** The status of its list, to the token: what was tried may have ended it. */
  status(): Promise<number>
}

export interface ApiClient {
  readonly id: string
  readonly secret: string
}

export interface DemoApis extends AsyncDisposable {
  readonly server: Server
  readonly caFile: string
  readonly orders: DescribedApi & { readonly client: ApiClient }
  readonly admin: DescribedApi
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: readonly NamedScopes[] }>>>>
}
type NamedScopes = Readonly<Record<string, readonly string[]>>

/** Every scope that an operation of the document asks for. */
const scopesIn = ({ paths }: Described): string => {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const named = operations.flatMap(({ security = [] }) => security.flatMap((one) => Object.values(one).flat()))
  return [...new Set(named)].toSorted().join(' ')
}

export async function openDemoApis(): Promise<DemoApis> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const env = { GRANTOR_DEMO: 'true', GRANTOR_DEMO_PORT: '0', GRANTOR_DEMO_MTLS_PORT: '0', GRANTOR_LOG: 'warn' }
  const server = stack.use(
    await startServer({ data: folder.path, env: { ...env, GRANTOR_LIFETIME_ACCESS_TOKEN: '60m' } }),
  )
  const agent = stack.adopt(new Agent({ connect: { ca: server.ca ?? '' } }), (one) => one.close())
  const token = async ({ id, secret }: ApiClient, scope: string): Promise<string> => {
    const answer = await fetch(`${server.issuer}/token`, {
      dispatcher: agent,
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
    })
    return String(((await answer.json()) as { readonly access_token?: string }).access_token)
  }
  const statusOf = async (url: string, bearer: string): Promise<number> => {
    const answer = await fetch(url, { dispatcher: agent, headers: { authorization: `Bearer ${bearer}` } })
    await answer.body?.cancel()
    return answer.status
  }
  const secrets = JSON.parse(readFileSync(join(folder.path, 'demo.json'), 'utf8')) as Readonly<Record<string, string>>
  const described = await fetch(`${server.issuer}/openapi.json`, { dispatcher: agent })
  const adminScope = scopesIn((await described.json()) as Described)
  // It may change and delete clients, itself among them: what is tried on this API leaves it alone.
  const create = ['client', 'create', 'checker', '--grant-type', 'client_credentials', '--json']
  const made = await runCommand([...create, '--scope', `${adminScope} metrics:read`], { data: folder.path })
  const { client_secret: secret } = JSON.parse(made.stdout) as { readonly client_secret: string }
  const checker = { id: 'checker', secret }
  const ready = JSON.parse(/\{.*"event":"ready".*\}/.exec(server.output())?.[0] ?? '{}') as {
    readonly demo_port: number
  }
  const client = { id: 'demo-service', secret: secrets['demo-service'] ?? '' }
  const ordersScope = 'orders:read orders:write orders:delete'
  const ordersAt = `https://localhost:${ready.demo_port}`
  const [ordersToken, adminToken] = [await token(client, ordersScope), await token(checker, adminScope)]
  const owned = stack.move()
  return {
    server,
    caFile: join(folder.path, 'tls', 'ca.pem'),
    orders: {
      name: 'Orders',
      origin: ordersAt,
      client,
      token: ordersToken,
      scopelessToken: await token(client, 'orders:write'),
      status: () => statusOf(`${ordersAt}/v2/orders`, ordersToken),
    },
    admin: {
      name: 'the admin API',
      origin: server.issuer,
      token: adminToken,
      scopelessToken: await token(checker, 'events:report'),
      status: () => statusOf(`${server.issuer}/v1/tenants`, adminToken),
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
