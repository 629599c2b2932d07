/** The metadata of a protected resource: RFC 9728. */
import { proofAlgorithms } from '@grantor/protocol/dpop'
import type { JsonObject } from '@grantor/protocol/types'

const wellKnown = '/.well-known/oauth-protected-resource'

/** RFC 9728 §3.1: the well-known part goes between host and path of the resource identifier. */
export function metadataPath(resource: string): string {
  const { pathname } = new URL(resource)
  return pathname === '/' ? wellKnown : `${wellKnown}${pathname.replace(/\/$/, '')}`
}

/** The paths where clients look: that of RFC 9728, and as a fallback the root of the host (MCP 2026-07-28). */
export const metadataPaths = (resource: string): ReadonlySet<string> => new Set([metadataPath(resource), wellKnown])

export function metadataUrl(resource: string): string {
  return new URL(resource).origin + metadataPath(resource)
}

export interface MetadataFacts {
  readonly resource: string
  readonly name: string
  readonly issuers: readonly string[]
  readonly scopes: readonly string[]
  /** RFC 9396 §10: types of authorization details that the resource understands. */
  readonly detailTypes?: readonly string[]
  readonly documentation?: string
}

/** RFC 9728 §2. */
export function resourceMetadata(facts: MetadataFacts): JsonObject {
  const { resource, name, issuers, scopes, detailTypes = [], documentation } = facts
  return {
    resource,
    authorization_servers: issuers,
    scopes_supported: scopes,
    ...(detailTypes.length === 0 ? {} : { authorization_details_types_supported: detailTypes }),
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: proofAlgorithms,
    resource_name: name,
    ...(documentation === undefined ? {} : { resource_documentation: documentation }),
  }
}
