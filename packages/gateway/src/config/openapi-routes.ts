/** Routes from the API's OpenAPI document: its paths, with the scopes of their security (OpenAPI 3.1 §4.8). */
import { err, ok, type Result } from '@grantor/protocol/result'
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'
import { readTemplate } from '../routing/request-target.ts'
import type { Route } from '../routing/routes.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** Security schemes that an access token can satisfy; the API itself checks its own API keys or passwords. */
const tokenSchemes = new Set(['oauth2', 'openIdConnect', 'http'])

/** The routes, or the first problem of the document as text. */
export function readOpenApiRoutes(document: Json): Result<readonly Route[], string> {
  const paths = isJsonObject(document) ? document['paths'] : undefined
  if (!isJsonObject(document) || !textOf(document['openapi']).startsWith('3.') || !isJsonObject(paths))
    return err('is no OpenAPI 3 document with paths')
  const base = basePathOf(document)
  if (base === null)
    return err('has servers with different paths, or with a variable in one: which of them is behind this gateway?')
  const routes: Route[] = []
  for (const [path, item] of Object.entries(paths)) {
    // §4.9: a name that begins with x- is an extension, not a path.
    if (!isJsonObject(item) || path.startsWith('x-')) continue
    const read = readTemplate(`${base}${path}`)
    if (read.kind === 'error') return err(`${path}: ${read.error}`)
    if (item['$ref'] !== undefined) return err(`${path}: refers to another document`)
    for (const method of methods) {
      const operation = item[method]
      if (!isJsonObject(operation)) continue
      const need = needOf(operation['security'] ?? document['security'], document)
      if (need.kind === 'error') return err(`${method} ${path}: ${need.error}`)
      const methodsOfRoute = new Set([method.toUpperCase()])
      routes.push({ path: read.value, kind: 'template', methods: methodsOfRoute, need: need.value })
    }
  }
  return ok(routes)
}

/** Null where the servers have different paths, or a variable in one. */
function basePathOf({ servers }: JsonObject): string | null {
  const list = Array.isArray(servers) ? (servers as readonly Json[]) : []
  const bases = list.map((server) => {
    const url = isJsonObject(server) && typeof server['url'] === 'string' ? server['url'] : '/'
    // §4.8.6: a variable of the host or the port makes no difference to the path.
    const [path, other] = ['1', '2'].map((value) => pathOf(url.replaceAll(/\{[^{}]*\}/g, value)))
    return path === other ? (path ?? null) : null
  })
  const [first = ''] = bases
  return bases.every((base) => base === first) ? first : null
}

const pathOf = (url: string): string | null =>
  URL.canParse(url, 'http://api') ? new URL(url, 'http://api').pathname.replace(/\/$/, '') : null

/** Alternatives, one of which suffices; an empty one admits every request (§4.8.30). */
function needOf(security: Json | undefined, document: JsonObject): Result<Route['need'], string> {
  if (security === undefined || (Array.isArray(security) && security.length === 0)) return ok(null)
  if (!Array.isArray(security)) return err('its security is no list')
  const alternatives: (readonly string[])[] = []
  for (const requirement of security as readonly Json[]) {
    if (!isJsonObject(requirement)) return err('its security holds what is no requirement')
    const named = Object.entries(requirement)
    if (named.length === 0) return ok(null)
    if (!named.every(([scheme]) => isTokenScheme(scheme, document))) continue
    alternatives.push(named.flatMap(([, scopes]) => (Array.isArray(scopes) ? scopes.map(String) : [])))
  }
  return alternatives.length === 0
    ? err('its security asks for nothing that an access token can answer; list this route in the file')
    : ok(alternatives)
}

function isTokenScheme(name: string, { components }: JsonObject): boolean {
  const schemes = isJsonObject(components) ? components['securitySchemes'] : undefined
  const scheme = isJsonObject(schemes) ? schemes[name] : undefined
  if (!isJsonObject(scheme) || !tokenSchemes.has(textOf(scheme['type']))) return false
  return scheme['type'] !== 'http' || textOf(scheme['scheme']).toLowerCase() === 'bearer'
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
