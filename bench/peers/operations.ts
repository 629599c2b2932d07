/** The operations that all contestants are measured with. */
import type { Batch, BatchedParticipant, Unasked } from '../batches.ts'
import { granted, refreshTokens } from '../codes.ts'
import { audience, clientId, clientSecret, exchangeGrant, scope, tokenRequest } from '../contestants/client.ts'
import { device, deviceGrant, opaqueAudience } from '../contestants/other-clients.ts'
import { pushing, redemption, refreshing } from '../contestants/web-client.ts'
import { applyLoad, formRequest } from '../load.ts'
import type { Compared } from './contestants.ts'

export interface ComparedOperation {
  readonly name: string
  /**
   * Sent at a fixed rate, so that a batch takes a quarter of a minute for every server: fewer rounds of one batch each.
   */
  readonly paced?: true
  /** How many requests of a contestant make one operation; by default one. */
  each?(compared: Compared): number
  prepare(compared: Compared): Promise<Batch>
}

/** The peer's memory has room for a thousand entries, and a code with its grant and their index takes three. */
const perBatch = 192
/** For operations that leave nothing in the peer's memory: long enough to keep a server under load. */
const perLongBatch = 5 * perBatch
const connections = 64
const refreshesPerChain = 30

const batchOf = (requests: readonly Buffer[]): Batch => {
  let next = 0
  return { requests: requests.length, request: () => requests[next++] as Buffer }
}
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

/** Sends requests before the measurement, and returns their answers. */
async function answers(port: number, request: Buffer, count: number): Promise<readonly Record<string, string>[]> {
  const found: Record<string, string>[] = []
  const answered = (_status: number, body: string): void => void found.push(JSON.parse(body) as Record<string, string>)
  const { failures } = await applyLoad({ port, request: () => request, answered, connections: 16, requests: count })
  if (failures > 0) throw new Error(JSON.stringify(found[0]))
  return found
}

const basic = [clientId, clientSecret] as const

const token: ComparedOperation = {
  name: 'token',
  prepare: async ({ paths, resource }) => batchOf(times(perLongBatch, () => tokenRequest(paths.token, resource))),
}

/** One chain per connection: each request uses the token of the previous answer. */
const refresh: ComparedOperation = {
  name: 'refresh',
  async prepare({ contestant, codes, paths }) {
    const tokens = [...(await refreshTokens(contestant, await codes(connections), paths.token))]
    return {
      requests: connections * refreshesPerChain,
      request: () => refreshing(tokens.shift() as string, paths.token),
      answered: (status, body) => void tokens.push(granted(status, body).refresh_token),
    }
  },
}

/** Introspects JWTs, or opaque tokens if the contestant can introspect no others. */
const introspection: ComparedOperation = {
  name: 'introspection',
  async prepare({ contestant: { port }, paths, resource, introspectsOpaque }) {
    const request = tokenRequest(paths.token, introspectsOpaque ? opaqueAudience : resource)
    const issued = await answers(port, request, 100)
    const requests = issued.map(({ access_token: it = '' }) =>
      formRequest({ path: paths.introspect, basic, form: { token: it } }),
    )
    return {
      ...batchOf(times(perLongBatch, (n) => requests[n % requests.length] as Buffer)),
      answered: (_status, body) => {
        if (!body.includes('"active":true')) throw new Error(`introspection: ${body}`)
      },
    }
  },
}

const codeRedemption: ComparedOperation = {
  name: 'code redemption',
  prepare: async ({ codes, paths }) => batchOf((await codes(perBatch)).map((code) => redemption(code, paths.token))),
}

/**
 * One rate for all: Grantor hashes one password after the other, and a server with only occasional requests takes up to
 * three times as long for one as a server under load.
 */
const signInsPerSecond = 12

const signIn: ComparedOperation = {
  name: 'sign-in without the hash',
  paced: true,
  each: ({ requestsPerSignIn }) => requestsPerSignIn,
  async prepare({ signIns, requestsPerSignIn }) {
    const { requests, success } = await signIns()
    return { ...batchOf(requests), success, rate: signInsPerSecond * requestsPerSignIn }
  },
}

/** Polls with each code once, because a second poll that comes too early is told to slow down. */
const devicePoll: ComparedOperation = {
  name: 'device poll',
  async prepare({ contestant: { port }, paths }) {
    const credentials = [device.client_id, device.client_secret] as const
    const begin = formRequest({ path: paths.device, basic: credentials, form: { client_id: device.client_id, scope } })
    const begun = await answers(port, begin, perBatch)
    const polls = begun.map(({ device_code = '' }) =>
      formRequest({ path: paths.token, basic: credentials, form: { grant_type: deviceGrant, device_code } }),
    )
    return {
      ...batchOf(polls),
      success: 400,
      answered: (_status, body) => {
        if (!body.includes('authorization_pending')) throw new Error(`device poll: ${body}`)
      },
    }
  },
}

const push: ComparedOperation = {
  name: 'pushed request',
  prepare: async ({ paths }) => batchOf(times(perLongBatch, () => pushing(paths.push))),
}

const exchange: ComparedOperation = {
  name: 'exchange',
  async prepare({ contestant: { port }, paths }) {
    const issued = await answers(port, tokenRequest(paths.token), 100)
    const requests = issued.map(({ access_token: it = '' }) =>
      formRequest({
        path: paths.token,
        basic,
        form: {
          grant_type: exchangeGrant,
          subject_token: it,
          subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          ...(paths.token === '/token' ? { resource: audience } : {}),
          scope,
        },
      }),
    )
    return batchOf(times(perLongBatch, (n) => requests[n % requests.length] as Buffer))
  },
}

export const comparedOperations: readonly ComparedOperation[] = [
  token,
  refresh,
  introspection,
  codeRedemption,
  signIn,
  devicePoll,
  push,
  exchange,
]

export const participantOf = (
  compared: Compared,
  { prepare }: ComparedOperation,
  unasked: Unasked,
): BatchedParticipant => ({
  name: compared.name,
  contestant: compared.contestant,
  unasked,
  prepare: () => prepare(compared),
})
