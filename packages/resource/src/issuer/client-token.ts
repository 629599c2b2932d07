/** The validator's own access token, for the feed and for reports: client credentials (RFC 6749 §4.4), renewed ahead. */
import { parseJsonObject } from '@grantor/protocol/http'
import type { Time } from '../time.ts'
import type { IssuerDiscovery } from './issuer-metadata.ts'
import type { Outbound } from './outbound.ts'

export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined. */
export function basicAuthorization({ clientId, clientSecret }: ClientCredentials): string {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`
}

export interface ClientTokenOptions {
  readonly discovery: IssuerDiscovery
  readonly credentials: ClientCredentials
  readonly scope: string
  readonly outbound: Outbound
  readonly time: Time
}

const limit = { bytes: 64 * 1024, milliseconds: 5000 }

export class ClientToken {
  readonly #options: ClientTokenOptions
  #held: { readonly token: string; readonly renewAt: number; readonly endsAt: number } | null = null
  #pending: Promise<string | null> | null = null

  constructor(options: ClientTokenOptions) {
    this.#options = options
  }

  /** null when the issuer gives none now. While renewal fails, the old token is used until it expires. */
  async get(): Promise<string | null> {
    const now = this.#options.time.monotonic()
    const held = this.#held
    if (held !== null && now < held.renewAt) return held.token
    this.#pending ??= this.#ask().finally(() => {
      this.#pending = null
    })
    return (await this.#pending) ?? (held !== null && now < held.endsAt ? held.token : null)
  }

  /** Forgets a token that was refused: the next get() asks for another. */
  forget(): void {
    this.#held = null
  }

  async #ask(): Promise<string | null> {
    const { discovery, credentials, scope, outbound, time } = this.#options
    const metadata = await discovery.read()
    if (metadata.kind === 'error' || metadata.value.tokenEndpoint === null) return null
    const concern = { issuer: discovery.issuer, part: 'token' } as const
    const askedAt = time.monotonic()
    const answer = await outbound.fetchWhole(
      {
        url: metadata.value.tokenEndpoint,
        concern,
        method: 'POST',
        headers: {
          authorization: basicAuthorization(credentials),
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
      },
      limit,
    )
    const body = answer?.status === 200 ? parseJsonObject(answer.text) : null
    const token = body?.['access_token']
    const seconds = body?.['expires_in']
    if (typeof token !== 'string') {
      discovery.forget()
      return null
    }
    outbound.over(concern)
    const life = 1000 * (typeof seconds === 'number' && seconds > 0 ? seconds : 60)
    this.#held = { token, renewAt: askedAt + 0.75 * life, endsAt: askedAt + life }
    return token
  }
}
