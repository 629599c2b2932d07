/** What a SCIM service says of itself: its attributes as RFC 7643 has them, its bounds, and its documents. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  errorSchema,
  filterBounds,
  listResponse,
  mostProvisioned,
  resourceTypes,
  schemaDocuments,
  scimBounds,
  scimErrorDocument,
  scimMediaType,
  serviceProviderConfig,
} from '@grantor/protocol/scim'
import type { JsonObject } from '@grantor/protocol/types'
import { commonAttributes } from '../../src/scim/attribute.ts'
import { valueBounds } from '../../src/scim/value.ts'

const root = 'https://as.example/scim/v2'

/** One line an attribute: name, type, and what is not usual of it (RFC 7643 §2.2). */
function lines(attributes: readonly JsonObject[], indent = ''): readonly string[] {
  return attributes.flatMap((it) => {
    const { subAttributes = [], name, type, canonicalValues, referenceTypes } = it
    const words = [
      name,
      type,
      it['multiValued'] === true && 'many',
      it['required'] === true && 'required',
      it['caseExact'] === true && 'exact',
      it['mutability'] !== 'readWrite' && it['mutability'],
      it['returned'] !== 'default' && it['returned'],
      it['uniqueness'] !== 'none' && it['uniqueness'],
      canonicalValues !== undefined && `(${(canonicalValues as string[]).join(' ')})`,
      referenceTypes !== undefined && `[${(referenceTypes as string[]).join(' ')}]`,
    ]
    return [
      indent + words.filter((word) => typeof word === 'string').join(' '),
      ...lines(subAttributes as JsonObject[], `${indent}.`),
    ]
  })
}
const typed = (kinds: string) => ['.value string', '.display string', `.type string (${kinds})`, '.primary boolean']

test('RFC 7643 §4, §8.7: every attribute is of its type, with what is not usual of it', () => {
  const [user, enterprise, group] = schemaDocuments(root)
  assert.deepEqual(lines(user?.['attributes'] as JsonObject[]), [
    'userName string required server',
    'name complex',
    ...['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'].map(
      (it) => `.${it} string`,
    ),
    'displayName string',
    'nickName string',
    'profileUrl reference [external]',
    ...['title', 'userType', 'preferredLanguage', 'locale', 'timezone'].map((it) => `${it} string`),
    'active boolean',
    'password string exact writeOnly never',
    'emails complex many',
    ...typed('work home other'),
    'phoneNumbers complex many',
    ...typed('work home mobile fax pager other'),
    'photos complex many',
    ...typed('photo thumbnail'),
    'ims complex many',
    ...typed(''),
    'addresses complex many',
    ...['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'].map((it) => `.${it} string`),
    '.type string (work home other)',
    '.primary boolean',
    'groups complex many readOnly',
    '.value string exact readOnly',
    '.$ref reference exact readOnly [Group]',
    '.display string readOnly',
    '.type string readOnly (direct)',
  ])
  assert.deepEqual(lines(enterprise?.['attributes'] as JsonObject[]), [
    ...['employeeNumber', 'costCenter', 'organization', 'division', 'department'].map((it) => `${it} string`),
    'manager complex',
    '.value string exact',
    '.$ref reference exact [User]',
    '.displayName string',
  ])
  assert.deepEqual(lines(group?.['attributes'] as JsonObject[]), [
    'displayName string required server',
    'members complex many',
    '.value string exact immutable',
    '.$ref reference exact immutable [User]',
    '.type string immutable (User)',
  ])
  assert.deepEqual(lines(commonAttributes as unknown as JsonObject[]), [
    'schemas string many exact readOnly always',
    'id string exact readOnly always',
    'externalId string exact',
    'meta complex readOnly',
    '.resourceType string exact readOnly',
    '.created dateTime readOnly',
    '.lastModified dateTime readOnly',
    '.location string exact readOnly',
    '.version string exact readOnly',
  ])
})

test('RFC 7643 §6, §7: every document says what it is, where it is and what it is called', () => {
  const urn = 'urn:ietf:params:scim:schemas'
  const [user, enterprise, group] = [
    `${urn}:core:2.0:User`,
    `${urn}:extension:enterprise:2.0:User`,
    `${urn}:core:2.0:Group`,
  ]
  assert.deepEqual(
    schemaDocuments(root).map(({ schemas, id, name, meta }) => ({ schemas, id, name, meta })),
    (
      [
        [user, 'User'],
        [enterprise, 'EnterpriseUser'],
        [group, 'Group'],
      ] as const
    ).map(([id, name]) => ({
      schemas: [`${urn}:core:2.0:Schema`],
      id,
      name,
      meta: { resourceType: 'Schema', location: `${root}/Schemas/${id}` },
    })),
  )
  assert.deepEqual(
    resourceTypes(root).map(({ description: _description, ...rest }) => rest),
    (
      [
        ['User', '/Users', user, [{ schema: enterprise, required: false }]],
        ['Group', '/Groups', group, []],
      ] as const
    ).map(([name, endpoint, schema, schemaExtensions]) => ({
      schemas: [`${urn}:core:2.0:ResourceType`],
      id: name,
      name,
      endpoint,
      schema,
      schemaExtensions,
      meta: { resourceType: 'ResourceType', location: `${root}/ResourceTypes/${name}` },
    })),
  )
  assert.equal(
    JSON.stringify(schemaDocuments(root)).includes('mostValues'),
    false,
    'a bound of ours is no characteristic',
  )
})

test('RFC 7643 §5: what is supported, and how much of it', () => {
  const { authenticationSchemes, ...config } = serviceProviderConfig(root)
  assert.deepEqual(config, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: 100, maxPayloadSize: 1_048_576 },
    filter: { supported: true, maxResults: 200 },
    changePassword: { supported: true },
    sort: { supported: false },
    etag: { supported: true },
    meta: { resourceType: 'ServiceProviderConfig', location: `${root}/ServiceProviderConfig` },
  })
  const schemes = (authenticationSchemes as JsonObject[]).map(({ type, primary }) => [type, primary])
  assert.deepEqual(schemes, [
    ['oauthbearertoken', true],
    ['httpheader', undefined],
  ])
})

test('the bounds are those that docs/scim.md publishes', () => {
  const page = readFileSync(new URL('../../../../docs/scim.md', import.meta.url), 'utf8')
  const numbers = (pattern: RegExp) => pattern.exec(page)?.slice(1).map(Number)
  assert.deepEqual(numbers(/(\d+) KiB of JSON for a person, (\d+) characters a text, (\d+) values a list/), [
    mostProvisioned / 1024,
    valueBounds.text,
    valueBounds.list,
  ])
  assert.deepEqual(numbers(/up to (\d+) characters, (\d+) levels, (\d+) terms/), Object.values(filterBounds))
  assert.deepEqual(numbers(/\*\*Bulk\*\* takes (\d+) operations; over that, or over (\d+) MiB, 413/), [
    scimBounds.bulkOperations,
    scimBounds.body / 2 ** 20,
  ])
  assert.deepEqual([scimBounds.usualResults, scimBounds.depth, scimBounds.memberships], [100, 16, 20_000])
})

test('RFC 7644 §3.4.2, §3.12: lists and errors have the form that clients expect', () => {
  assert.deepEqual(listResponse([{ id: '1' }, { id: '2' }], { total: 9, from: 3 }), {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 9,
    startIndex: 3,
    itemsPerPage: 2,
    Resources: [{ id: '1' }, { id: '2' }],
  })
  assert.equal(errorSchema, 'urn:ietf:params:scim:api:messages:2.0:Error')
  assert.deepEqual(scimErrorDocument({ status: 409, scimType: 'uniqueness', detail: 'x' }), {
    schemas: [errorSchema],
    status: '409',
    scimType: 'uniqueness',
    detail: 'x',
  })
  assert.deepEqual(scimErrorDocument({ status: 404, detail: 'x' }), {
    schemas: [errorSchema],
    status: '404',
    detail: 'x',
  })
  assert.equal(scimMediaType, 'application/scim+json')
})
