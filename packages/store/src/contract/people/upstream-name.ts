/** The identity of a person at another provider. */

/**
 * The issuer's identifier of a person. The provider's id alone does not suffice: it may be declared anew with another
 * issuer.
 */
export interface UpstreamName {
  readonly provider: string
  readonly issuer: string
  readonly upstreamSubject: string
}
