/** The contestants, and how each gets the same requests: its endpoints, and how codes and sign-ins are prepared. */
import { readFileSync } from 'node:fs'
import { ensureKeycloak, startKeycloak } from '../../interop/keycloak.ts'
import { type Environment, startServer, temporaryFolder } from '../../interop/server.ts'
import { type CodeSource, codesByAuthorizing, codesFromProgram } from '../codes.ts'
import { audience, scope } from '../contestants/client.ts'
import { type Contestant, proxied, startProgram } from '../contestants/contestant.ts'
import { device, service } from '../contestants/other-clients.ts'
import { authorizationRequest, seed as webSeed } from '../contestants/web-client.ts'
import { keycloakCodes, keycloakPaths, keycloakRealm, keycloakSignIns } from './keycloak-realm.ts'
import { cookiesOf, forwardedHeaders, getPage, grantorSignIns, peopleSigningIn, type SignIns } from './sign-ins.ts'

export interface Paths {
  readonly token: string
  readonly introspect: string
  readonly push?: string
  readonly device: string
}

export interface Compared {
  readonly name: string
  readonly contestant: Contestant
  readonly paths: Paths
  /** The resource that a token request has to name to get a JWT. */
  readonly resource?: string
  readonly codes: CodeSource
  signIns(): Promise<SignIns>
  readonly requestsPerSignIn: number
  /** Whether it can introspect opaque tokens only, so that those of another API are used. */
  readonly introspectsOpaque: boolean
  /** The operations that it does not support. */
  readonly lacks?: readonly string[]
}

export const names = {
  sqlite: 'Grantor, SQLite',
  postgres: 'Grantor, PostgreSQL',
  floor: 'durable floor',
  provider: 'oidc-provider',
  keycloak: 'Keycloak',
  betterAuth: 'better-auth',
} as const

const ourPaths: Paths = { token: '/token', introspect: '/introspect', push: '/par', device: '/device_authorization' }

const seed = {
  ...webSeed,
  users: [...webSeed.users, ...peopleSigningIn],
  clients: [
    ...webSeed.clients,
    { ...service, scope, exchange: [{ audience, scopes: [scope], as: 'delegate' }] },
    { ...device, scope },
  ],
}

export interface GrantorPlace {
  readonly env: Environment
  readonly databaseProcesses?: () => Promise<readonly number[]>
}

export async function startGrantor(name: string, place: GrantorPlace, stack: AsyncDisposableStack): Promise<Compared> {
  const folder = stack.use(temporaryFolder())
  const options = { data: folder.path, seed: folder.write('seed.json', seed), env: { ...proxied, ...place.env } }
  const server = stack.use(await startServer(options))
  const { databaseProcesses } = place
  const stop = async (): Promise<void> => void (await server.stop())
  const contestant = { ...server, stop, ...(databaseProcesses === undefined ? {} : { databaseProcesses }) }
  return {
    name,
    contestant,
    paths: ourPaths,
    codes: await codesByAuthorizing(contestant),
    signIns: () => grantorSignIns(server.port),
    requestsPerSignIn: 1,
    introspectsOpaque: false,
  }
}

export async function startProvider(stack: AsyncDisposableStack): Promise<Compared> {
  const contestant = stack.adopt(await startProgram('oidc-provider-codes.ts'), (one) => one.stop())
  return {
    name: names.provider,
    contestant,
    paths: ourPaths,
    codes: codesFromProgram(contestant),
    signIns: () => providerSignIns(contestant.port),
    requestsPerSignIn: 2,
    introspectsOpaque: true,
  }
}

/** The least that a redemption or a refresh can cost which is on the disk before it is answered; it offers nothing else. */
export async function startDurableFloor(stack: AsyncDisposableStack): Promise<Compared> {
  const folder = stack.use(temporaryFolder())
  const contestant = stack.adopt(await startProgram('durable-floor.ts', [folder.path]), (one) => one.stop())
  return {
    name: names.floor,
    contestant,
    paths: ourPaths,
    codes: codesFromProgram(contestant),
    signIns: () => Promise.reject(new Error('nobody signs in at the floor')),
    requestsPerSignIn: 1,
    introspectsOpaque: false,
    lacks: ['token', 'introspection', 'sign-in without the hash', 'device poll', 'pushed request', 'exchange'],
  }
}

/** Its form, and the way back to where its session begins: two requests, both of which belong to a sign-in. */
async function providerSignIns(port: number): Promise<SignIns> {
  const forms: Buffer[] = []
  const returns: Buffer[] = []
  for (const { username } of peopleSigningIn) {
    const { headers } = await getPage(port, `/auth?${new URLSearchParams(authorizationRequest).toString()}`)
    const place = new URL(headers.get('location') ?? '', 'https://localhost').pathname
    const head = `${forwardedHeaders}Cookie: ${cookiesOf(headers)}\r\n`
    const body = new URLSearchParams({ prompt: 'login', login: username, password: 'any' }).toString()
    forms.push(
      Buffer.from(
        `POST ${place} HTTP/1.1\r\n${head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      ),
    )
    returns.push(Buffer.from(`GET ${place.replace('/interaction/', '/auth/')} HTTP/1.1\r\n${head}\r\n`))
  }
  return { requests: [...forms, ...returns], success: 303 }
}

/** A string says why Keycloak cannot be started. */
export async function startKeycloakBeside(stack: AsyncDisposableStack): Promise<Compared | string> {
  const missing = ensureKeycloak()
  if (missing !== null) return missing
  const keycloak = stack.use(await startKeycloak({ hostname: 'http://localhost' }))
  await keycloak.addRealm(keycloakRealm)
  const port = Number(new URL(keycloak.origin).port)
  const children = readFileSync(`/proc/${keycloak.pid}/task/${keycloak.pid}/children`, 'utf8').trim().split(' ')
  const pid = Number(children[0]) || keycloak.pid
  return {
    name: names.keycloak,
    contestant: { port, pid, readyAfter: Number.NaN, stop: async () => {} },
    paths: keycloakPaths,
    codes: keycloakCodes(port),
    signIns: () => keycloakSignIns(port),
    requestsPerSignIn: 1,
    introspectsOpaque: false,
  }
}
