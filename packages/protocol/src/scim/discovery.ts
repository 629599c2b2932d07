/** The discovery documents of the SCIM service: RFC 7644 §4, RFC 7643 §5 to §7. */
import { endpointPath } from '../documents/capabilities.ts'
import type { Json, JsonObject } from '../types.ts'
import type { Attribute, AttributeSet, ResourceSchema } from './attribute.ts'
import { groupSchema, userSchema } from './schemas.ts'

export const scimPath = endpointPath.scim

/** Limits of one request. */
export const scimBounds = Object.freeze({
  /** The most resources in one response. */
  results: 200,
  /** The default where the request has no count. */
  usualResults: 100,
  bulkOperations: 100,
  /** The most bytes of a body. */
  body: 1_048_576,
  /** The most levels of JSON. */
  depth: 16,
  /** The most members of groups, or groups of people, in one response. */
  memberships: 20_000,
})

export const scimResources: readonly ResourceSchema[] = [userSchema, groupSchema]

export const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** `from`: the index of the first resource, beginning at 1. */
export const listResponse = (
  resources: readonly JsonObject[],
  { total, from }: { readonly total: number; readonly from: number },
): JsonObject => ({
  schemas: [listSchema],
  totalResults: total,
  startIndex: from,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** `root` is the address of the service. */
export const serviceProviderConfig = (root: string): JsonObject => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: true, maxOperations: scimBounds.bulkOperations, maxPayloadSize: scimBounds.body },
  filter: { supported: true, maxResults: scimBounds.results },
  changePassword: { supported: true },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'OAuth 2.0 bearer token',
      description: 'An access token of this issuer, by client credentials, with the scope scim:read or scim:write',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
    {
      type: 'httpheader',
      name: 'API key',
      description: 'An API key of a client that has these scopes, made for the issuer itself, sent as bearer token',
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${root}/ServiceProviderConfig` },
})

export const resourceTypes = (root: string): readonly JsonObject[] =>
  scimResources.map(({ core, extensions, endpoint }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: core.name,
    name: core.name,
    description: core.description,
    endpoint,
    schema: core.id,
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: { resourceType: 'ResourceType', location: `${root}/ResourceTypes/${core.name}` },
  }))

export const schemaDocuments = (root: string): readonly JsonObject[] =>
  scimResources.flatMap(({ core, extensions }) => [core, ...extensions]).map((set) => schemaDocument(set, root))

const schemaDocument = ({ id, name, description, attributes }: AttributeSet, root: string): JsonObject => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  description,
  attributes: attributes.map(attributeDocument),
  meta: { resourceType: 'Schema', location: `${root}/Schemas/${id}` },
})

function attributeDocument(attribute: Attribute): JsonObject {
  const { subAttributes, mostValues: _most, ...characteristics } = attribute
  const parts = subAttributes === undefined ? {} : { subAttributes: subAttributes.map(attributeDocument) }
  return { ...(characteristics as unknown as Readonly<Record<string, Json>>), ...parts }
}
