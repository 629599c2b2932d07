/** The interface of a client authentication method: a pure rule that recognises credentials, then decides on them. */
import type { Refusal } from '../oauth/refusal.ts'
import type { ParsedJwt } from '../jose/jwt.ts'
import type { VerificationKey } from '../jose/verification-key.ts'
import type { CertificateFacts } from '../mtls/certificate.ts'
import type { CertificatePath, PathProblem } from '../mtls/certificate-path.ts'
import type { Form } from '../oauth/form.ts'
import type { Client } from '../registration/client.ts'
import type { Handle, Instant } from '../types.ts'
import type { Result } from '../result.ts'

/** The parts of a request in which a client can present credentials. */
export interface ClientAuthRequest {
  readonly form: Form
  readonly authorization: string | null
  /** The certificate of the TLS handshake, if there was one (RFC 8705); DER. */
  readonly clientCertificate: Uint8Array | null
}

/** Recognised credentials, not verified yet. */
export interface PresentedClient {
  readonly method: string
  readonly clientId: string
  /** The handle of the secret, for methods that have one. */
  readonly secret: Handle | null
  /** The assertion that the client signed, for the method that has one; not verified yet. */
  readonly assertion?: ParsedJwt
  /** The token that another issuer signed for the client, likewise. */
  readonly workload?: PresentedWorkload
}

export interface PresentedWorkload {
  readonly jwt: ParsedJwt
  /** Whether it is the assertion of the grant itself, and the request has no other credentials. */
  readonly asGrant: boolean
  /** The `client_id` beside it, if any: it must be the one that the rule names. */
  readonly named: string | null
}

/** The facts for verifying an assertion. */
export interface AssertionRequirements {
  /** The keys of the client. */
  readonly keys: readonly VerificationKey[]
  /** The allowed audiences: the names of this server. */
  readonly audiences: ReadonlySet<string>
  /** The issuer, which a profile may require as the only audience. */
  readonly issuer: string
  /** Seconds. */
  readonly leeway: number
}

/** The facts for verifying a certificate. */
export interface ShownCertificate {
  readonly certificate: CertificateFacts
  /** The path to a trusted authority. */
  readonly path: Result<CertificatePath, PathProblem>
  /** The keys of the client. */
  readonly keys: readonly VerificationKey[]
}

export interface ClientAuthInput {
  readonly presented: PresentedClient
  /** Null where no such client exists: the rule does the same work, and refuses. */
  readonly client: Client | null
  readonly now: Instant
  /** Present where there is an assertion. */
  readonly requirements?: AssertionRequirements
  /** The client to which a rule maps a verified workload. */
  readonly workloadOf?: string
  /** Null where the request came with no certificate, or with an unreadable one. */
  readonly shown?: ShownCertificate | null
}

export interface ClientAuthRule {
  readonly method: string
  /** The scheme of the Authorization header that the method uses, in lower case. */
  readonly scheme?: string
  /**
   * RFC 8705 §2: the proof is the certificate of the connection, and the request contains only the client's id. A
   * public client that binds its tokens sends the same, so the registered method decides which it is.
   */
  readonly byCertificate?: true
  /** Null where the request does not use this method. */
  recognise(request: ClientAuthRequest, handleOf: (secret: string) => Handle): Result<PresentedClient, Refusal> | null
  /**
   * Whether the proof is valid. That the method is the registered one and the client enabled is checked for all methods
   * alike.
   */
  proves(it: ClientAuthInput): boolean
}

/** RFC 6749 §2.2, appendix A.1: printable ASCII; bounded, because it becomes a key of caches and limits. */
export const isClientId = (text: string): boolean => /^[\x20-\x7e]{1,1024}$/.test(text)
