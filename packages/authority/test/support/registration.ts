/** Clients that register themselves, for tests: requests as the transport hands them over, and a web of documents. */
import type { Authority, Outbound } from '@grantor/authority'
import { err, ok } from '@grantor/protocol/result'
import type { Json, JsonObject, TenantId } from '@grantor/protocol/types'
import { root } from './deployment.ts'

export interface From {
  readonly tenant?: TenantId
  readonly ip?: string
  readonly bearer?: string
}

const sender = ({ tenant = root, ip = '192.0.2.77', bearer }: From) => ({
  tenant,
  ip,
  traceId: null,
  authorization: bearer === undefined ? null : `Bearer ${bearer}`,
})

export const registering = (body: Json, from: From = {}) => ({ ...sender(from), body })
export const managing = (clientId: string, bearer?: string, from: From = {}) => ({
  ...sender({ ...from, ...(bearer === undefined ? {} : { bearer }) }),
  clientId,
})

export interface Registered {
  readonly id: string
  readonly access: string
  readonly secret: string | null
  readonly document: JsonObject
}

/** Registers, or fails the test. */
export async function registered(authority: Authority, body: Json, from: From = {}): Promise<Registered> {
  const answer = await authority.register(registering(body, from))
  if (answer.kind === 'error') throw new Error(JSON.stringify(answer.error))
  const { client_id: id, registration_access_token: access, client_secret: secret = null } = answer.value
  return { id: id as string, access: access as string, secret: secret as string | null, document: answer.value }
}

/** Other people's servers: what lies at an address, and how often it was asked for. */
export class Web implements Outbound {
  readonly documents = new Map<string, Json | string>()
  readonly asked: string[] = []
  maxAge = 600
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  put(url: string, document: Json | string): this {
    this.documents.set(url, document)
    return this
  }

  fetch({ url, maxBytes }: Parameters<Outbound['fetch']>[0]): ReturnType<Outbound['fetch']> {
    this.asked.push(url)
    const document = this.documents.get(url)
    if (document === undefined) return Promise.resolve(err('unreachable'))
    const body = Buffer.from(typeof document === 'string' ? document : JSON.stringify(document))
    if (body.length > maxBytes) return Promise.resolve(err('size'))
    return Promise.resolve(ok({ type: 'application/json', body, fetchedAt: this.#now(), maxAge: this.maxAge }))
  }

  submit(): ReturnType<Outbound['submit']> {
    throw new Error('nothing is submitted')
  }

  deliver(): ReturnType<Outbound['deliver']> {
    return Promise.resolve(err('unreachable'))
  }

  post(): ReturnType<Outbound['post']> {
    return Promise.resolve(err('unreachable'))
  }

  notify(): ReturnType<Outbound['notify']> {
    return Promise.resolve(err('unreachable'))
  }
}
