/** The one way out: how the authority fetches a document from another server, or sends it a message. */
import type { Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'

/** Why another server is called, for the operator's log. */
export interface OutboundCause {
  /** The field that names the address, or the purpose where there is no such field. */
  readonly purpose:
    | 'jwks_uri'
    | 'sector_identifier_uri'
    | 'logo_uri'
    | 'request_uris'
    | 'backchannel_logout_uri'
    | 'backchannel_client_notification_endpoint'
    | 'client_metadata_document'
    | 'trusted_issuers'
    | 'webhooks'
    | 'shared_signals'
    | 'providers'
    | 'policy_service'
    | 'issuance_hook'
    | 'sign_up_hook'
  /** Null where no client is concerned, or it does not exist yet. */
  readonly clientId: string | null
}

/** The document to fetch, and the bounds of its answer. */
export interface FetchRequest {
  readonly url: string
  /** The accepted media types (`application/*+json`: all with that suffix); other answers are refused unread. */
  readonly types: readonly string[]
  readonly maxBytes: number
  readonly cause?: OutboundCause
  /** Never from the cache: the document must be the current one. */
  readonly anew?: boolean
  /**
   * Do not answer from the cache if the copy is older than this many seconds; concurrent requests still share one
   * fetch.
   */
  readonly noOlderThan?: number
  /** A person's token; the answer is then never cached. */
  readonly bearer?: string
}

/** A form whose answer is a document (RFC 6749 §4.1.3). */
export interface FormRequest extends Pick<FetchRequest, 'url' | 'types' | 'maxBytes' | 'cause'> {
  readonly form: Readonly<Record<string, string>>
  /** The `Authorization` header; a secret, for this request alone. */
  readonly authorization: string | null
}

/** A message whose answer is a document, with its own deadline. */
export interface QuestionRequest extends Pick<FetchRequest, 'url' | 'types' | 'maxBytes' | 'cause'> {
  readonly message: SignedMessage
  readonly authorization: string | null
  /** Milliseconds; at most the general deadline. */
  readonly deadline: number
  /** Called when a refusal has a Retry-After of so many seconds (RFC 9110 §10.2.3). */
  readonly onRetryAfter?: (seconds: number) => void
}

export interface Fetched {
  readonly type: string
  readonly body: Uint8Array
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
  /** How long the answer may be used, in seconds: by Cache-Control, within our own bounds. */
  readonly maxAge: number
}

/** Why no answer came, for logs and to decide whether to try again. Never contains text of the other server. */
export type OutboundError = 'address' | 'unreachable' | 'status' | 'type' | 'size' | 'time'

/** A message to a receiver that recognises us by a token it gave us (CIBA §10.2). */
export interface OutboundMessage {
  /** A secret of the receiver; for this request alone. */
  readonly bearer: string
  readonly body: JsonObject
}

/** A complete message; its headers authenticate the sender. */
export interface SignedMessage {
  readonly type: string
  readonly content: string
  readonly headers: Readonly<Record<string, string>>
}

export interface PostAnswer {
  readonly status: number
  /** The seconds of its Retry-After (RFC 9110 §10.2.3), if it sent one. */
  readonly retryAfter: number | null
}

export interface Outbound {
  /** A GET that follows no redirect. Answers may come from the cache; failures are cached for a moment at most. */
  fetch(ask: FetchRequest): Promise<Result<Fetched, OutboundError>>
  /**
   * Sends a form or question once, and returns the answer: 200 with one of the types, or why not. Nothing is cached.
   */
  submit(ask: FormRequest | QuestionRequest): Promise<Result<Fetched, OutboundError>>
  /** Sends a form once, without retry (the caller keeps its own queue). `ok` if the other server answered 2xx. */
  deliver(
    url: string,
    form: Readonly<Record<string, string>>,
    cause?: OutboundCause,
  ): Promise<Result<null, OutboundError>>
  /** Sends a message once. Every answer counts, whatever its status; only its head is read. */
  post(url: string, message: SignedMessage, cause?: OutboundCause): Promise<Result<PostAnswer, OutboundError>>
  /**
   * Sends JSON once, as `deliver` does a form. 'refused': answered with 3xx or 4xx, and another try would be answered
   * alike.
   */
  notify(url: string, message: OutboundMessage, cause?: OutboundCause): Promise<Result<null, OutboundError | 'refused'>>
}
