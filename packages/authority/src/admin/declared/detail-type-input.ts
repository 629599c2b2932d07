/**
 * Types of authorization details in a declaration (RFC 9396): the schema, the resources they apply to, and the
 * description that people read.
 */
import {
  type AuthorizationDetailType,
  detailDescriptionProblem,
  detailSchemaProblem,
  detailTypeNameProblem,
} from '@grantor/protocol/authorization-details'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { onlyKnown } from './declared-fields.ts'
import type { ReportProblem } from './user-input.ts'

/** `field` is the path in the file, for problems found later. */
export type DetailTypeInput = AuthorizationDetailType & { readonly field: string }

export function detailTypeInput(item: JsonObject, at: string, report: ReportProblem): DetailTypeInput | null {
  onlyKnown(item, ['type', 'resources', 'schema', 'description'], at, report)
  const { type, resources, schema = null, description = null } = item
  const misnamed = detailTypeNameProblem(type)
  if (typeof type !== 'string' || misnamed !== null) return report(`${at}.type`, misnamed ?? 'must be a text')
  if (!areIdentifiers(resources)) return report(`${at}.resources`, 'must list the identifiers of one resource or more')
  const unusable = detailSchemaProblem(schema)
  if (unusable !== null) return report(`${at}.schema`, unusable)
  const unreadable = detailDescriptionProblem(description, schema as JsonObject)
  if (unreadable !== null) return report(`${at}.description`, unreadable)
  return {
    type,
    resources,
    schema: schema as JsonObject,
    description: description as AuthorizationDetailType['description'],
    field: at,
  }
}

const areIdentifiers = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= 20 &&
  (value as readonly Json[]).every((it) => typeof it === 'string') &&
  new Set(value).size === value.length
