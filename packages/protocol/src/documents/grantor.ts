/** /.well-known/grantor: our own endpoints, for which no registered metadata names exist. */
import type { JsonObject } from '../types.ts'
import { type Capabilities, type EndpointName, endpointUrl } from './capabilities.ts'

const ours: readonly (readonly [EndpointName, string])[] = [
  ['revocationStream', 'revocation_stream_endpoint'],
  ['revocationChanges', 'revocation_changes_endpoint'],
  ['revocationSnapshot', 'revocation_snapshot_endpoint'],
  ['eventReports', 'event_reports_endpoint'],
  ['adminApi', 'admin_api'],
  ['scim', 'scim_endpoint'],
  ['statusLists', 'status_list_aggregation_endpoint'],
  ['apiDescription', 'api_description'],
]

export const grantorDocument = (issuer: string, can: Pick<Capabilities, 'endpoints'>): JsonObject => ({
  issuer,
  ...Object.fromEntries(
    ours.filter(([name]) => can.endpoints.has(name)).map(([name, member]) => [member, endpointUrl(issuer, name)]),
  ),
})
