/** A declared resource: read from a file, and written as a file writes it. The one list of its fields. */
import { type ClaimMapping, claimMappingsProblem } from '@grantor/protocol/claims'
import {
  type IssuanceHook,
  issuanceHookProblem,
  type PolicyService,
  policyServiceProblem,
} from '@grantor/protocol/decisions'
import type { Served } from '@grantor/protocol/documents'
import { canonicalUri, type Catalogue, longestTokenLife, type Resource, sameUri } from '@grantor/protocol/oauth'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { flag, onlyKnown, text } from './declared-fields.ts'
import type { ReportProblem } from './user-input.ts'

const fields = [
  'identifier',
  'name',
  'token_format',
  'token_typ',
  'access_token_ttl',
  'status_list',
  'require_roles',
  'claim_mappings',
  'policy_service',
  'issuance_hook',
]

export interface ResourceContext {
  readonly at: string
  readonly served: Served
}

export function resourceInput(
  item: JsonObject,
  { at, served }: ResourceContext,
  report: ReportProblem,
): Resource | null {
  onlyKnown(item, fields, at, report)
  const {
    identifier,
    token_format: tokenFormat = 'jwt',
    token_typ: tokenTyp = 'at+jwt',
    access_token_ttl: ttl = null,
  } = item
  const name = text(item['name'], `${at}.name`, report)
  if (typeof identifier !== 'string' || canonicalUri(identifier) === null) {
    return report(`${at}.identifier`, 'must be an absolute URI without a fragment (RFC 8707)')
  }
  if (tokenFormat !== 'jwt' && tokenFormat !== 'opaque') return report(`${at}.token_format`, 'must be jwt or opaque')
  if (tokenTyp !== 'at+jwt' && tokenTyp !== 'JWT') return report(`${at}.token_typ`, 'must be at+jwt or JWT')
  if (ttl !== null && !(typeof ttl === 'number' && Number.isInteger(ttl) && ttl >= 1 && ttl <= longestTokenLife)) {
    return report(`${at}.access_token_ttl`, `must be a whole number of seconds from 1 to ${longestTokenLife}`)
  }
  const listed = flag(item['status_list'], `${at}.status_list`, report) ?? false
  const mappings = item['claim_mappings'] ?? []
  const mappingProblem = claimMappingsProblem(mappings, 'resource')
  if (mappingProblem !== null) return report(`${at}.claim_mappings`, mappingProblem)
  const { policy_service: policyService = null, issuance_hook: issuanceHook = null } = item
  const policyProblem = policyService === null ? null : policyServiceProblem(policyService, served)
  if (policyProblem !== null) return report(`${at}.policy_service`, policyProblem)
  const hookProblem = issuanceHook === null ? null : issuanceHookProblem(issuanceHook, served)
  if (hookProblem !== null) return report(`${at}.issuance_hook`, hookProblem)
  const asksForRoles = flag(item['require_roles'], `${at}.require_roles`, report) ?? false
  return {
    identifier,
    name: name ?? identifier,
    tokenFormat,
    tokenTyp,
    accessTtl: ttl,
    ...(listed ? { statusList: true } : {}),
    ...(asksForRoles ? { requireRoles: true } : {}),
    ...claimMappingsIn(mappings),
    ...(policyService === null ? {} : { policyService: policyService as PolicyService }),
    ...(issuanceHook === null ? {} : { issuanceHook: issuanceHook as IssuanceHook }),
  }
}

/** The mappings were validated before. */
const claimMappingsIn = (mappings: Json): Pick<Resource, 'claimMappings'> =>
  Array.isArray(mappings) && mappings.length > 0 ? { claimMappings: mappings as readonly ClaimMapping[] } : {}

/**
 * The problem of a new resource whose identifier another resource has in another spelling: one API would have tokens
 * under two names. Null where no other resource has it.
 */
export function respelled({ identifier }: Pick<Resource, 'identifier'>, after: Catalogue): string | null {
  const other = after.resources.find((it) => it.identifier !== identifier && sameUri(it.identifier, identifier))
  return other === undefined ? null : `is there already, written ${other.identifier}`
}

/** What is as it is without saying so is left out. */
export const declaredResource = ({
  identifier,
  name,
  tokenFormat,
  tokenTyp,
  accessTtl,
  statusList,
  requireRoles,
  claimMappings,
  policyService,
  issuanceHook,
}: Resource): JsonObject => ({
  identifier,
  name,
  token_format: tokenFormat,
  ...(tokenTyp === 'at+jwt' ? {} : { token_typ: tokenTyp }),
  ...(accessTtl === null ? {} : { access_token_ttl: accessTtl }),
  ...(statusList === undefined ? {} : { status_list: true }),
  ...(requireRoles === undefined ? {} : { require_roles: true }),
  ...(claimMappings === undefined ? {} : { claim_mappings: claimMappings }),
  ...(policyService === undefined ? {} : { policy_service: policyService }),
  ...(issuanceHook === undefined ? {} : { issuance_hook: issuanceHook }),
})
