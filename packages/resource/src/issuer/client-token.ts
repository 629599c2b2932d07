/** The validator's own access token, for the feed and for reports: client credentials (RFC 6749 §4.4), renewed ahead. */
import { parseJsonObject } from '@grantor/protocol/types'
import type { Time } from '../time.ts'
import type { IssuerDocument } from './issuer-metadata.ts'
import type { Outbound } from './outbound.ts'

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined. */
export function basicAuthorization({ clientId, clientSecret }: Credentials): string {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`
}

export interface ClientTokenOptions {
  readonly document: IssuerDocument
  readonly credentials: Credentials
  readonly scope: string
  readonly outbound: Outbound
  readonly time: Time
}

const limit = { bytes: 64 * 1024, milliseconds: 5000 }

export class ClientToken {
  readonly #options: ClientTokenOptions
  #held: { readonly token: string; readonly renewAt: number; readonly endsAt: number } | null = null
  #flight: Promise<string | null> | null = null

  constructor(options: ClientTokenOptions) {
    this.#options = options
  }

  /** null when the issuer gives none now. One that is due for renewal is used while renewal fails and it lives. */
  async get(): Promise<string | null> {
    const now = this.#options.time.monotonic()
    const held = this.#held
    if (held !== null && now < held.renewAt) return held.token
    this.#flight ??= this.#ask().finally(() => {
      this.#flight = null
    })
    return (await this.#flight) ?? (held !== null && now < held.endsAt ? held.token : null)
  }

  /** It was refused: the next get() asks for another. */
  forget(): void {
    this.#held = null
  }

  async #ask(): Promise<string | null> {
    const { document, credentials, scope, outbound, time } = this.#options
    const metadata = await document.read()
    if (typeof metadata === 'string' || metadata.tokenEndpoint === null) return null
    const askedAt = time.monotonic()
    const answer = await outbound.ask(
      {
        url: metadata.tokenEndpoint,
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
      document.forget()
      return null
    }
    const life = 1000 * (typeof seconds === 'number' && seconds > 0 ? seconds : 60)
    this.#held = { token, renewAt: askedAt + 0.75 * life, endsAt: askedAt + life }
    return token
  }
}
