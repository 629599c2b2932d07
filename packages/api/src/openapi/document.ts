/** The OpenAPI 3.1 document of an API, derived from the declaration that serves it. Equal input gives equal bytes. */
import type { ScopeNeed } from '@grantor/resource'
import { scopesOf } from '@grantor/resource/http'
import type { Collection } from '../collection/collection.ts'
import type { ServedVersion } from '../serve/routes.ts'
import { headerComponents, problemComponents } from './components.ts'
import { type OpenApiNode, schemaName } from './node.ts'
import { operationsOf } from './operations.ts'

export interface DescribedApi {
  readonly name: string
  readonly description?: string
  readonly audience: string
  readonly basePath?: string
  readonly issuers: readonly [string, ...string[]]
  readonly insufficientScopeStatus?: 401 | 403
  readonly served: readonly ServedVersion[]
}

export function openApiDocument(api: DescribedApi): OpenApiNode {
  const all = api.served.flatMap(({ collections }) => [...collections.values()])
  const scopeStatus = api.insufficientScopeStatus ?? 401
  return {
    openapi: '3.1.1',
    info: {
      title: api.name,
      version: api.served.map(({ version }) => version.name).join(', '),
      description: api.description ?? '',
    },
    servers: [{ url: new URL(api.audience).origin + (api.basePath ?? '') }],
    tags: [...new Map(all.map(({ name, description }) => [name, { name, description }])).values()],
    paths: Object.fromEntries(api.served.flatMap((served) => pathsOf(served, scopeStatus))),
    components: {
      schemas: Object.fromEntries(api.served.flatMap(schemasOf)),
      headers: headerComponents,
      responses: problemComponents(new URL(api.audience).origin, scopeStatus),
      securitySchemes: { oauth2: securityScheme(api.issuers[0], all) },
    },
  }
}

function pathsOf({ version, collections }: ServedVersion, scopeStatus: 401 | 403): [string, OpenApiNode][] {
  return [...collections.values()].flatMap((collection) => {
    const base = `/${version.name}/${collection.name}`
    return operationsOf({ collection, version, base, scopeStatus })
  })
}

/** Three schemas for each collection, so that no client has to guess which members it may send. */
function schemasOf({ version, collections }: ServedVersion): [string, OpenApiNode][] {
  return [...collections.values()].flatMap(({ name, schema }) => {
    const base = schemaName(version.name, name)
    return [
      [base, schema.read],
      [`${base}Write`, schema.write],
      [`${base}Patch`, schema.patch],
    ]
  })
}

/** Assumes the endpoints of docs/conventions.md. For other issuers the description names the discovery document. */
function securityScheme(issuer: string, collections: readonly Collection[]): OpenApiNode {
  const needs = collections.flatMap(({ name, scopes, actions }) => [
    ...described(scopes.read, `Read ${name}`),
    ...described(scopes.write, `Create and change ${name}`),
    ...described(scopes.delete, `Delete ${name}`),
    ...[...actions.values()].flatMap(({ plan }) => described(plan.scope, plan.summary)),
  ])
  // The first text wins: `delete` may fall back to the scope of `write`.
  const scopes = Object.fromEntries([...new Map(needs.toReversed())].toReversed())
  const tokenUrl = `${issuer}/token`
  return {
    type: 'oauth2',
    description: `Access tokens of ${issuer}; its endpoints: ${issuer}/.well-known/openid-configuration`,
    flows: {
      authorizationCode: { authorizationUrl: `${issuer}/authorize`, tokenUrl, refreshUrl: tokenUrl, scopes },
      clientCredentials: { tokenUrl, scopes },
    },
  }
}

function described(need: ScopeNeed | null, text: string): [string, string][] {
  return need === null ? [] : scopesOf(need).map((scope) => [scope, text])
}
