/** What every endpoint of the authority takes and gives, without HTTP. */
import type { QuotaDecision } from '@grantor/protocol/http'
import type { Form, Refusal } from '@grantor/protocol/oauth'
import type { Result } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'

/** A request as the transport hands it over: parsed once, nothing raw inside. */
export interface EndpointRequest {
  readonly tenant: TenantId
  readonly form: Form
  /** The Authorization header, if there was one. */
  readonly authorization: string | null
  /** What the client showed in the TLS handshake (RFC 8705), DER. */
  readonly clientCertificate: Uint8Array | null
  /** Those that it sent along, of the authorities between; DER. */
  readonly certificatesSentAlong?: readonly Uint8Array[]
  /** The DPoP header (RFC 9449 §4.1), if there was one. */
  readonly proof: string | null
  readonly ip: string | null
  readonly traceId: string | null
}

export type EndpointResult<T> = Result<T, Refusal> & {
  /** The limits it was counted against, for the client to be told; none where left out. */
  readonly quota?: readonly QuotaDecision[]
  /** What the client is to put into its next DPoP proof (RFC 9449 §8.2); absent where none is asked for. */
  readonly dpopNonce?: string
}
