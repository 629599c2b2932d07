/** The one way out: how the authority asks somebody else's server for a document, or tells it something. */
import type { Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'

/** Why somebody else's server is asked, for the operator's log. */
export interface OutboundCause {
  /** The field that names the address; without one, what is there. */
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
  /** Null where there is none yet, or none is concerned. */
  readonly clientId: string | null
}

/** What is asked for, and the most that is taken for an answer. */
export interface FetchRequest {
  readonly url: string
  /** The media types that count as an answer (`application/*+json`: all of that suffix); anything else is refused unread. */
  readonly types: readonly string[]
  readonly maxBytes: number
  readonly cause?: OutboundCause
  /** Never from memory, not for a moment: what is asked for is what is there now. */
  readonly anew?: boolean
  /** Do not answer from memory if the copy is older than this many seconds; single-flight still holds. */
  readonly noOlderThan?: number
  /** Of a person's own: then it is never kept. */
  readonly bearer?: string
}

/** A form that is answered with a document (RFC 6749 §4.1.3). */
export interface FormRequest extends Pick<FetchRequest, 'url' | 'types' | 'maxBytes' | 'cause'> {
  readonly form: Readonly<Record<string, string>>
  /** What stands in `Authorization`; a secret, for this request alone. */
  readonly authorization: string | null
}

/** A message that is answered with a document, in a time of its own. */
export interface QuestionRequest extends Pick<FetchRequest, 'url' | 'types' | 'maxBytes' | 'cause'> {
  readonly message: SignedMessage
  readonly authorization: string | null
  /** Milliseconds; never more than everything else may take. */
  readonly deadline: number
  /** Told where it is refused, and asked to be left alone for so many seconds (RFC 9110 §10.2.3). */
  readonly onRetryAfter?: (seconds: number) => void
}

export interface Fetched {
  readonly type: string
  readonly body: Uint8Array
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
  /** How long the answer may be used, in seconds, from Cache-Control within our own bounds. */
  readonly maxAge: number
}

/** Why nothing came; for logs and for telling apart what is worth trying again. Never holds the other side's words. */
export type OutboundError = 'address' | 'unreachable' | 'status' | 'type' | 'size' | 'time'

/** What is told to somebody who knows us by a token that they gave us (CIBA §10.2). */
export interface OutboundMessage {
  /** A secret of theirs; for the request alone. */
  readonly bearer: string
  readonly body: JsonObject
}

/** What is sent as it is; its headers say who sends it. */
export interface SignedMessage {
  readonly type: string
  readonly content: string
  readonly headers: Readonly<Record<string, string>>
}

export interface PostAnswer {
  readonly status: number
  /** Seconds, where it asks to be left alone for so long (RFC 9110 §10.2.3). */
  readonly retryAfter: number | null
}

export interface Outbound {
  /** A GET that follows no redirect. Answers may come from memory; failures never do for longer than a moment. */
  fetch(ask: FetchRequest): Promise<Result<Fetched, OutboundError>>
  /** A form or a question sent once, and its answer: 200 and one of the types, else why not. Nothing of it is kept. */
  submit(ask: FormRequest | QuestionRequest): Promise<Result<Fetched, OutboundError>>
  /** A form sent once, without retry (the asker keeps its own queue). `ok` when the other side answered 2xx. */
  deliver(
    url: string,
    form: Readonly<Record<string, string>>,
    cause?: OutboundCause,
  ): Promise<Result<null, OutboundError>>
  /** A message, sent once. Any answer is one, whatever its status; nothing of it is read but its head. */
  post(url: string, message: SignedMessage, cause?: OutboundCause): Promise<Result<PostAnswer, OutboundError>>
  /** JSON, sent once like a form. 'refused': answered with 3xx or 4xx, and another try would be answered alike. */
  notify(url: string, message: OutboundMessage, cause?: OutboundCause): Promise<Result<null, OutboundError | 'refused'>>
}
