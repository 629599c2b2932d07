/** Reads the files that a gateway's plan names: the result is the configuration that a gateway starts with. */
import { X509Certificate, createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json } from '@grantor/protocol/types'
import type { ClientCredentials } from '@grantor/resource'
import { createRouteTable, type RouteTable } from '../routing/routes.ts'
import type { FieldProblem } from './fields.ts'
import type { GatewayPlan } from './gateway-plan.ts'
import { readOpenApiRoutes } from './openapi-routes.ts'

export interface GatewayConfig extends Omit<GatewayPlan, 'ca' | 'client' | 'tls' | 'openapi'> {
  readonly ca: string | null
  readonly client: ClientCredentials | null
  readonly tls: { readonly cert: string; readonly key: string } | null
  readonly table: RouteTable
  /** All scopes that any route, page or MCP message needs. */
  readonly scopes: readonly string[]
  /** Absolute names of the files read. */
  readonly files: readonly string[]
}

export interface FileReading {
  /** The folder that names of files are relative to. */
  readonly folder: string
  /** YAML or JSON. */
  parse(text: string): Result<Json, string>
}

export async function readReferencedFiles(
  plan: GatewayPlan,
  { folder, parse }: FileReading,
): Promise<Result<GatewayConfig, readonly FieldProblem[]>> {
  const problems: FieldProblem[] = []
  const files: string[] = []
  const read = async (field: string, name: string | null): Promise<string | null> => {
    if (name === null) return null
    const file = resolve(folder, name)
    files.push(file)
    try {
      return await readFile(file, 'utf8')
    } catch (error) {
      problems.push({ field, problem: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})` })
      return null
    }
  }
  const { client: named } = plan
  const secret = named?.secret ?? (await read('client.client_secret_file', named?.secretFile ?? null))
  const ca = await read('ca', plan.ca)
  if (ca !== null && !isCertificate(ca)) problems.push({ field: 'ca', problem: 'holds no certificate in PEM' })
  const cert = await read('tls.cert', plan.tls?.cert ?? null)
  const key = await read('tls.key', plan.tls?.key ?? null)
  if (cert !== null && key !== null && !isPair(cert, key))
    problems.push({ field: 'tls', problem: 'is not a certificate and its private key in PEM' })
  const policyToken = await read('policy.token_file', plan.policy?.tokenFile ?? null)
  const document = await read('openapi', plan.openapi)
  const described = document === null ? ok([]) : readRoutes(document, parse)
  if (described.kind === 'error') problems.push({ field: 'openapi', problem: described.error })
  const routes = [...plan.routes, ...(described.kind === 'ok' ? described.value : [])]
  const table = createRouteTable(routes)
  if (table.kind === 'error') {
    const { at, problem } = table.error
    const field = at < plan.routes.length ? `routes[${at}]` : 'openapi'
    problems.push({ field, problem: `${routes[at]?.path ?? ''} ${problem}` })
  }
  if (problems.length > 0 || table.kind === 'error') return err(problems)
  const scopes = [
    ...routes.flatMap(({ need }) => (need ?? []).flat()),
    ...(plan.metricsScope === null ? [] : [plan.metricsScope]),
    ...(plan.mcp === null ? [] : [plan.mcp.scopes, ...scopeLists(plan.mcp)].flat()),
  ]
  return ok({
    ...plan,
    ca,
    // Editors end a file with a newline; a secret does not.
    client: named === null ? null : { clientId: named.id, clientSecret: (secret ?? '').replace(/\r?\n$/, '') },
    policy: plan.policy === null ? null : { ...plan.policy, token: policyToken?.trim() ?? plan.policy.token },
    tls: cert === null || key === null ? null : { cert, key },
    table: table.value,
    scopes: [...new Set(scopes)],
    files,
  })
}

const scopeLists = ({ tools, resources, prompts, methods }: NonNullable<GatewayPlan['mcp']>) =>
  [tools, resources, prompts, methods].flatMap((byName) => [...byName.values()])

function readRoutes(text: string, parse: FileReading['parse']): ReturnType<typeof readOpenApiRoutes> {
  const document = parse(text)
  return document.kind === 'error' ? document : readOpenApiRoutes(document.value)
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** Also false where the first certificate is good but TLS cannot load the rest of the chain. */
function isPair(cert: string, key: string): boolean {
  try {
    createSecureContext({ cert, key })
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}
