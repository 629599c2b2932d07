/** Operations of a server with much data: each a batch of requests, prepared first, whose CPU time is measured. */
import type { Batch, BatchedParticipant } from '../batches.ts'
import { type CodeSource, granted } from '../codes.ts'
import { clientId as serviceId, tokenRequest } from '../contestants/client.ts'
import type { Contestant } from '../contestants/contestant.ts'
import { clientId, clientSecret, person, redemption, refreshing } from '../contestants/web-client.ts'
import { applyLoad, formRequest, getRequest } from '../load.ts'
import { preparedSignIn } from '../sign-in-form.ts'
import { refreshTokenOf, type Size, subjectOf, usernameOf } from './fill.ts'

export interface FilledServer {
  readonly name: string
  readonly contestant: Contestant
  readonly size: Size
  readonly codes: CodeSource
  /** The next unused grant, from anywhere in the table. */
  nextGrant(): number
  /** Access tokens of refreshed grants. */
  readonly accessTokens: string[]
}

/** A prime, so that every number occurs once and neighbours are far apart. */
const stride = 618_041

export function grantsInTurn({ grants }: Size): () => number {
  let n = 0
  return () => ((n++ * stride) % grants) + 1
}

export interface Operation {
  readonly name: string
  readonly requests: number
  /** Each request needs an unused grant: a second refresh or revocation has another, cheaper answer. */
  readonly usesGrants?: boolean
  prepare(server: FilledServer, requests: number): Promise<Batch>
}

const batchOf = (requests: readonly Buffer[]): Batch => {
  let next = 0
  return { requests: requests.length, request: () => requests[next++] as Buffer }
}
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

const about = (path: string, token: string): Buffer =>
  formRequest({ path, basic: [clientId, clientSecret], form: { token } })

const tokens: Operation = {
  name: 'token',
  requests: 400,
  prepare: async (_server, requests) => batchOf(times(requests, () => tokenRequest())),
}

const refreshes: Operation = {
  name: 'refresh',
  requests: 300,
  usesGrants: true,
  prepare: async ({ nextGrant, accessTokens }, requests) => ({
    ...batchOf(times(requests, () => refreshing(refreshTokenOf(nextGrant())))),
    answered: (status, body) => void accessTokens.push(granted(status, body).access_token),
  }),
}

const redemptions: Operation = {
  name: 'code redemption',
  requests: 48,
  prepare: async ({ codes }, requests) => batchOf((await codes(requests)).map((code) => redemption(code))),
}

const introspections: Operation = {
  name: 'introspection',
  requests: 400,
  prepare: async ({ accessTokens }, requests) => ({
    ...batchOf(times(requests, (n) => about('/introspect', accessTokens[n % accessTokens.length] as string))),
    answered: (_status, body) => {
      if (!body.includes('"active":true')) throw new Error(`introspection: ${body}`)
    },
  }),
}

/** Revokes the refresh token, which ends the grant and everything issued from it. */
const revocations: Operation = {
  name: 'revoke',
  requests: 200,
  usesGrants: true,
  prepare: async ({ nextGrant }, requests) =>
    batchOf(times(requests, () => about('/revoke', refreshTokenOf(nextGrant())))),
}

let signedIn = 0

/** The page is fetched beforehand; the threads that hash the password are not counted. */
const signIns: Operation = {
  name: 'sign-in without the hash',
  requests: 24,
  async prepare({ contestant, size }, requests) {
    const forms: Buffer[] = []
    for (let n = 0; n < requests; n++) {
      const username = usernameOf(((signedIn++ * stride) % size.people) + 1)
      forms.push(await preparedSignIn(contestant.port, { n: signedIn, username, password: person.password }))
    }
    return { ...batchOf(forms), success: 303 }
  },
}

/** Several callers, because each has a rate limit. */
export const adminCallers = times(8, (n) => `admin-${n}`)
export const adminSecret = 'a-secret-for-measuring-only-0123456789'
const nouns = ['clients', 'users', 'grants', 'consents', 'sessions', 'events']
export const adminScope = nouns.map((noun) => `admin:${noun}:read`).join(' ')
let asked = 0

async function adminToken({ contestant }: FilledServer): Promise<string> {
  const caller = adminCallers[asked++ % adminCallers.length] as string
  const form = { grant_type: 'client_credentials', scope: adminScope }
  const request = formRequest({ path: '/token', basic: [caller, adminSecret], form })
  let token = ''
  const answered = (_status: number, body: string): void =>
    void (token = (JSON.parse(body) as { readonly access_token: string }).access_token)
  await applyLoad({ port: contestant.port, connections: 1, requests: 1, request: () => request, answered })
  return token
}

const someone = subjectOf(7)

const list = (path: string): Operation => ({
  name: `GET /v1/${path.replace(someone, '…')}`,
  requests: 12,
  async prepare(server, requests) {
    const token = await adminToken(server)
    return batchOf(times(requests, () => getRequest(`/v1/${path}`, token)))
  },
})

export const operations: readonly Operation[] = [
  tokens,
  refreshes,
  redemptions,
  introspections,
  revocations,
  signIns,
  list('users'),
  list('users?username[prefix]=person1&limit=10'),
  list('grants'),
  list(`grants?subject=${someone}`),
  list(`grants?client_id=${clientId}`),
  list(`grants?client_id=${serviceId}`),
  list(`consents?subject=${someone}`),
  list(`sessions?subject=${someone}`),
  list('events'),
  list('events?sort=seq'),
  list(`events?subject=${someone}`),
  list('events?name=consent.granted'),
]

/** A small database may have too few grants for a full round; then its rounds have fewer requests. */
export function participantOf(server: FilledServer, operation: Operation, rounds: number): BatchedParticipant {
  const { name, contestant, size } = server
  const shared = operations.filter(({ usesGrants }) => usesGrants === true).length
  const most = operation.usesGrants === true ? Math.floor(size.grants / shared / rounds) : Infinity
  return { name, contestant, prepare: () => operation.prepare(server, Math.min(operation.requests, most)) }
}
