/** Who somebody is at another identity provider. */

/** What an issuer calls somebody. The provider alone would not do: declared anew, it may be another issuer. */
export interface UpstreamName {
  readonly provider: string
  readonly issuer: string
  readonly upstreamSubject: string
}
