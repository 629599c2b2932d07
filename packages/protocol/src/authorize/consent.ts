/** What a person must be asked, and what earlier consent still covers: RFC 6749 §1.1, OIDC Core §3.1.2.4. */
import { type AuthorizationDetail, hasDetail } from '../authorization-details/detail.ts'
import type { AuthorizationRequest } from './request.ts'
import { catalogueIndex } from '../oauth/catalogue.ts'
import { claimNames, claimsOfScope, claimsRequest } from '../oidc/claims.ts'
import { intersect, noScope, parseScope, type Scope, without } from '../oauth/scope.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import { type Client, isAnsweredOnDevice } from '../registration/client.ts'
import type { JsonObject } from '../types.ts'

/** What the consent records in force of one person and one client cover together. */
export interface RememberedConsent {
  readonly scope: Scope
  readonly resources: ReadonlySet<string>
  readonly claims: ReadonlySet<string>
  readonly details: readonly AuthorizationDetail[]
}

export interface GivenConsent {
  readonly scope: string
  readonly resources: readonly string[]
  readonly claims: JsonObject | null
  /** Null where the record has none. */
  readonly authorizationDetails?: GivenDetails | null
}

/** As a record stores them: an object, because its column holds objects. */
export type GivenDetails = { readonly details: readonly AuthorizationDetail[] }

/** Null without any record: for a client that was never approved the person is asked, even if it requests nothing. */
export function rememberedConsent(records: readonly GivenConsent[]): RememberedConsent | null {
  if (records.length === 0) return null
  return {
    scope: new Set(records.flatMap((record) => [...(parseScope(record.scope) ?? noScope)])),
    resources: new Set(records.flatMap((record) => record.resources)),
    claims: new Set(records.flatMap((record) => [...claimNames(claimsRequest(record.claims))])),
    details: records.flatMap((record) => record.authorizationDetails?.details ?? []),
  }
}

export interface ConsentQuestion {
  /** The scopes to be asked about now. */
  readonly missing: Scope
  /** Allowed before; shown, not asked. Empty where everything is asked again. */
  readonly already: Scope
  /** Of the missing scopes, those that the person may decline. */
  readonly optional: Scope
  /** Claims requested by name beyond those of the scopes. */
  readonly claims: ReadonlySet<string>
  readonly resources: ReadonlySet<string>
  /** To be asked about now; all or none. Earlier consent counts for a detail that is equal in every member. */
  readonly details: readonly AuthorizationDetail[]
  /** Allowed before; shown, not asked. */
  readonly alreadyDetails: readonly AuthorizationDetail[]
  /** Nothing in it is new: the person only confirms that the request is theirs. */
  readonly again: boolean
}

export interface ConsentInput {
  readonly request: Pick<AuthorizationRequest, 'scope' | 'resources' | 'claims' | 'prompt' | 'authorizationDetails'>
  readonly remembered: RememberedConsent | null
  /** Whether earlier consent is not sufficient here (see `asksEachTime`). */
  readonly eachTime: boolean
  /** Whether the client needs no consent: the person is asked only where the request requires it, and about details. */
  readonly firstParty: boolean
  readonly catalogue: Catalogue
}

/**
 * RFC 8252 §8.6: an answer sent to a person's own device may reach any program there, and a client without credentials
 * may be any of them. A client with a metadata document is one client for every copy of an app, so there even
 * credentials do not help.
 */
export const asksEachTime = (client: Client, redirectUri: string): boolean => isAnsweredOnDevice(client, redirectUri)

/**
 * Null where nothing is to be asked. An incremental request asks only for what is new; prompt=consent asks for
 * everything again.
 */
export function consentQuestion(input: ConsentInput): ConsentQuestion | null {
  const { request, remembered, eachTime, firstParty, catalogue } = input
  const hasDetails = (request.authorizationDetails ?? []).length > 0
  if (firstParty && !request.prompt.includes('consent') && !hasDetails) return null
  const asksForAll = remembered === null || request.prompt.includes('consent')
  const wanted = new Set(request.scope)
  const already = asksForAll ? noScope : intersect(wanted, remembered.scope)
  const named = request.claims === null ? noScope : without(claimNames(request.claims), claimsOfScope(wanted))
  const missing = without(wanted, already)
  const claims = asksForAll ? named : without(named, remembered.claims)
  const wantedResources = new Set(request.resources)
  const resources = asksForAll ? wantedResources : without(wantedResources, remembered.resources)
  const wantedDetails = request.authorizationDetails ?? []
  const details = asksForAll ? wantedDetails : wantedDetails.filter((detail) => !hasDetail(remembered.details, detail))
  const alreadyDetails = wantedDetails.filter((detail) => !details.includes(detail))
  const again = !asksForAll && missing.size + claims.size + resources.size + details.length === 0
  if (again && !eachTime) return null
  const { scopes } = catalogueIndex(catalogue)
  const optional = new Set([...missing].filter((name) => scopes.get(name)?.mode === 'optional'))
  return { missing, already, optional, claims, resources, details, alreadyDetails, again }
}

/**
 * The scope that the person grants by Allow: everything asked except the declined optional scopes, with what was
 * allowed before.
 */
export const approvedScope = (question: ConsentQuestion, ticked: ReadonlySet<string>): Scope =>
  without(question.missing, without(question.optional, ticked)).union(question.already)
