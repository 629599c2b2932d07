/** What every client authentication method is: a pure rule that recognises what is presented, then decides on it. */
import type { Refusal } from '../oauth/refusal.ts'
import type { ParsedJwt } from '../jose/jwt.ts'
import type { VerificationKey } from '../jose/verification-key.ts'
import type { CertificateFacts } from '../mtls/certificate.ts'
import type { CertificatePath, PathProblem } from '../mtls/certificate-path.ts'
import type { Form } from '../oauth/form.ts'
import type { Client } from '../registration/client.ts'
import type { Handle, Instant } from '../types.ts'
import type { Result } from '../result.ts'

/** What a client can show of itself in a request. */
export interface ClientAuthRequest {
  readonly form: Form
  readonly authorization: string | null
  /** DER, where the TLS handshake brought one (RFC 8705). */
  readonly clientCertificate: Uint8Array | null
}

/** Recognised, and not yet believed. */
export interface PresentedClient {
  readonly method: string
  readonly clientId: string
  /** The handle of the secret, for methods that have one. */
  readonly secret: Handle | null
  /** What it signed, for the method that has one; not to be believed before it is proven. */
  readonly assertion?: ParsedJwt
  /** What another issuer signed for it, likewise. */
  readonly workload?: PresentedWorkload
}

export interface PresentedWorkload {
  readonly jwt: ParsedJwt
  /** Whether it is the assertion of the grant itself, and the request shows nothing else. */
  readonly asGrant: boolean
  /** The `client_id` beside it, if any: it must be the one that the rule names. */
  readonly named: string | null
}

/** What an assertion is judged by. */
export interface AssertionRequirements {
  /** The client's own. */
  readonly keys: readonly VerificationKey[]
  /** How it may call us. */
  readonly audiences: ReadonlySet<string>
  /** The one of them that a profile may insist on. */
  readonly issuer: string
  /** Seconds. */
  readonly leeway: number
}

/** What a certificate is judged by. */
export interface ShownCertificate {
  readonly certificate: CertificateFacts
  /** To an authority that is trusted here. */
  readonly path: Result<CertificatePath, PathProblem>
  /** The client's own. */
  readonly keys: readonly VerificationKey[]
}

export interface ClientAuthInput {
  readonly presented: PresentedClient
  /** Null where no such client exists: the rule does the same work, and refuses. */
  readonly client: Client | null
  readonly now: Instant
  /** Given where there is an assertion. */
  readonly requirements?: AssertionRequirements
  /** The client that a proven workload is, by its rule. */
  readonly workloadOf?: string
  /** Null where the request came with none, or with one that cannot be read. */
  readonly shown?: ShownCertificate | null
}

export interface ClientAuthRule {
  readonly method: string
  /** The scheme of the Authorization header that it takes, in lower case. */
  readonly scheme?: string
  /**
   * RFC 8705 §2: the proof is the certificate of the connection, and the request names its client and nothing else. The
   * client may as well be a public one that binds its tokens, so what it registered says which it is.
   */
  readonly byCertificate?: true
  /** Null where this method is not the one used. */
  recognise(request: ClientAuthRequest, handleOf: (secret: string) => Handle): Result<PresentedClient, Refusal> | null
  /** Whether the proof is good. That the method is the registered one and the client enabled is checked for all alike. */
  proves(it: ClientAuthInput): boolean
}

/** RFC 6749 §2.2, appendix A.1: printable ASCII; bounded, because it becomes a key of caches and limits. */
export const isClientId = (text: string): boolean => /^[\x20-\x7e]{1,1024}$/.test(text)
