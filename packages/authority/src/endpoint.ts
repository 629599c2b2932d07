/** The request and result types of every endpoint of the authority, without HTTP. */
import type { QuotaDecision } from '@grantor/protocol/http'
import type { Form, Refusal } from '@grantor/protocol/oauth'
import type { Result } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'

/** A request as the transport hands it over, already parsed. */
export interface EndpointRequest {
  readonly tenant: TenantId
  readonly form: Form
  /** The Authorization header, if there was one. */
  readonly authorization: string | null
  /** The client's certificate from the TLS handshake (RFC 8705), DER. */
  readonly clientCertificate: Uint8Array | null
  /** The intermediate certificates that it sent along, DER. */
  readonly certificatesSentAlong?: readonly Uint8Array[]
  /** The DPoP header (RFC 9449 §4.1), if there was one. */
  readonly proof: string | null
  readonly ip: string | null
  readonly traceId: string | null
}

export type EndpointResult<T> = Result<T, Refusal> & {
  /** The limits that the request was counted against, to be sent to the client; none where left out. */
  readonly quota?: readonly QuotaDecision[]
  /** The nonce for the client's next DPoP proof (RFC 9449 §8.2); absent where none is required. */
  readonly dpopNonce?: string
}
