/** The token for the API behind in place of the client's: exchanged (RFC 8693), or introspected, signed (RFC 9701). */
import { createHash } from 'node:crypto'
import { parseJsonObject, problem, type Problem } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import { isJsonObject } from '@grantor/protocol/types'
import { type ClientCredentials, systemTime } from '@grantor/resource'
import {
  basicAuthorization,
  createOutbound,
  IssuerDiscovery,
  nodeTransport,
  type WholeResponse,
} from '@grantor/resource/issuer'
import type { AuthorizationPlan } from '../config/gateway-plan.ts'

export interface UpstreamTokenOptions {
  readonly issuer: string
  readonly ca: string | null
  readonly credentials: ClientCredentials
  readonly plan: AuthorizationPlan
  /** Tells the operator. */
  notice(text: string): void
}

/** `inactive`: the issuer says that the presented token has ended or is unknown. */
export type UpstreamToken = Result<string, Problem | 'inactive'>

interface HeldToken {
  readonly token: string
  /** Monotonic. */
  readonly until: number
}

const limit = { bytes: 64 * 1024, milliseconds: 5000 }
const mostHeld = 10_000
/** Milliseconds. The client's own token is still validated on every request. */
const heldFor = 30_000
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

/** Requests one token at a time for each presented token, and remembers it for a while. */
export class UpstreamTokens {
  readonly #options: UpstreamTokenOptions
  readonly #discovery: IssuerDiscovery
  readonly #outbound
  readonly #held = new Map<string, HeldToken>()
  readonly #pending = new Map<string, Promise<UpstreamToken>>()

  constructor(options: UpstreamTokenOptions) {
    this.#options = options
    this.#outbound = createOutbound(nodeTransport(options.ca ?? undefined), systemTime)
    this.#discovery = new IssuerDiscovery(this.#outbound, options.issuer)
  }

  async tokenFor(presented: string): Promise<UpstreamToken> {
    const key = createHash('sha256').update(presented).digest('base64url')
    const held = this.#held.get(key)
    if (held !== undefined && held.until > systemTime.monotonic()) return ok(held.token)
    const pending = this.#pending.get(key) ?? this.#ask(presented, key).finally(() => this.#pending.delete(key))
    this.#pending.set(key, pending)
    return pending
  }

  async #ask(presented: string, key: string): Promise<UpstreamToken> {
    const { plan } = this.#options
    const askedAt = systemTime.monotonic()
    const answer = plan.kind === 'exchange' ? await this.#exchange(presented, plan) : await this.#introspect(presented)
    if (answer === null || answer.status >= 500 || answer.status === 429) return this.#unavailable(answer)
    const read = plan.kind === 'exchange' ? exchanged(answer) : introspected(answer)
    if (read === 'inactive') return err('inactive')
    if (read === null) return this.#refused(answer)
    this.#held.delete(key)
    this.#held.set(key, { token: read.token, until: askedAt + Math.min(heldFor, read.life) })
    const [oldest] = this.#held.keys()
    if (this.#held.size > mostHeld && oldest !== undefined) this.#held.delete(oldest)
    return ok(read.token)
  }

  async #exchange(
    presented: string,
    plan: Extract<AuthorizationPlan, { kind: 'exchange' }>,
  ): Promise<WholeResponse | null> {
    return this.#post('tokenEndpoint', 'application/json', {
      grant_type: exchangeGrant,
      subject_token: presented,
      subject_token_type: accessTokenType,
      audience: plan.audience,
      ...(plan.scopes === null ? {} : { scope: plan.scopes.join(' ') }),
    })
  }

  #introspect(presented: string): Promise<WholeResponse | null> {
    return this.#post('introspectionEndpoint', 'application/token-introspection+jwt', { token: presented })
  }

  async #post(
    endpoint: 'tokenEndpoint' | 'introspectionEndpoint',
    accept: string,
    form: Readonly<Record<string, string>>,
  ): Promise<WholeResponse | null> {
    const metadata = await this.#discovery.read()
    const url = metadata.kind === 'ok' ? metadata.value[endpoint] : null
    if (url === null) return null
    const headers = {
      accept,
      authorization: basicAuthorization(this.#options.credentials),
      'content-type': 'application/x-www-form-urlencoded',
    }
    return this.#outbound.fetchWhole(
      { url, method: 'POST', headers, body: new URLSearchParams(form).toString() },
      limit,
    )
  }

  #unavailable(answer: WholeResponse | null): UpstreamToken {
    this.#discovery.forget()
    this.#options.notice(`the issuer gave no token for the API behind (${answer?.status ?? 'no answer'})`)
    const code = 'introspection_unavailable'
    return err(
      problem('authorization-state-unavailable', 'The token for the API behind cannot be had now.', {
        code,
        headers: { 'retry-after': '2' },
      }),
    )
  }

  /** The client's token is valid; that the issuer does not exchange it is a matter of configuration, so 403. */
  #refused({ status, text }: WholeResponse): UpstreamToken {
    const error = parseJsonObject(text)?.['error']
    this.#options.notice(
      `the issuer refused a token for the API behind (${status}${typeof error === 'string' ? ` ${error}` : ''})`,
    )
    return err(problem('forbidden', 'This token cannot be used for the API behind this gateway.'))
  }
}

type ReadToken = { readonly token: string; readonly life: number } | 'inactive' | null

function exchanged({ status, text }: WholeResponse): ReadToken {
  const answer = parseJsonObject(text)
  // RFC 8693 §2.2.2: invalid_request means an invalid subject token; the rest of the request is the same every time.
  if (status === 400 && answer?.['error'] === 'invalid_request') return 'inactive'
  const body = status === 200 ? answer : null
  const token = body?.['access_token']
  const seconds = body?.['expires_in']
  if (typeof token !== 'string' || body?.['token_type'] === 'DPoP') return null
  return { token, life: 750 * (typeof seconds === 'number' ? seconds : 10) }
}

function introspected({ status, text, header }: WholeResponse): ReadToken {
  const signed = header('content-type')?.startsWith('application/token-introspection+jwt') === true
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(text) ?? []
  if (status !== 200 || !signed || payload === undefined) return null
  const introspection = parseJsonObject(Buffer.from(payload, 'base64url').toString())?.['token_introspection'] ?? null
  return isJsonObject(introspection) && introspection['active'] === true ? { token: text, life: heldFor } : 'inactive'
}
