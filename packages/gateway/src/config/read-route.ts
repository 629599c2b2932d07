/** Reads a route in the file of a gateway: its path, its methods, and the scopes that it needs. */
import { readTemplate } from '../routing/request-target.ts'
import type { Route } from '../routing/routes.ts'
import type { Fields } from './fields.ts'

/** RFC 6749 §3.3. */
export const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/
const method = /^[A-Z][A-Z-]{0,30}$/

export function readScopes(fields: Fields, name: string): readonly string[] {
  const scopes = fields.texts(name) ?? []
  if (!scopes.every((scope) => scopeToken.test(scope))) fields.refuse(name, 'holds what is no scope')
  return scopes
}

export function readRoute(fields: Fields): Route {
  const path = readPath(fields, fields.requiredText('path'))
  const isPublic = fields.flag('public')
  if (isPublic && fields.has('scopes')) fields.refuse('scopes', 'stands beside public: a route has one of them')
  if (!isPublic && !fields.has('scopes'))
    fields.refuse('scopes', 'is missing; [] asks for a token with any scope, public: true for none')
  const methods = fields.texts('methods')?.map((name) => name.toUpperCase()) ?? null
  if (methods?.every((name) => method.test(name)) === false) fields.refuse('methods', 'holds what is no method')
  const scopes = readScopes(fields, 'scopes')
  const onStale = fields.choice('on_stale', ['refuse', 'introspect', 'serve'], 'refuse')
  if (isPublic && fields.has('on_stale')) fields.refuse('on_stale', 'stands beside public, which judges no token')
  fields.end()
  return {
    path,
    kind: path.includes('{') ? 'template' : 'prefix',
    methods: methods === null ? null : new Set(methods),
    need: isPublic ? null : [scopes],
    ...(onStale === 'refuse' ? {} : { onStale }),
  }
}

/** Reads a path in the normal form in which requests are compared with it. */
export function readPath(fields: Fields, path: string): string {
  const read = readTemplate(path)
  if (path !== '' && read.kind === 'error') fields.refuse('path', 'must be a path: /, /v1/orders or /v1/orders/{id}')
  // `*` would match nothing, so that a wider route would hold for the paths that this one was meant to restrict.
  else if (path.replaceAll(/\{[^{}]*\}/g, '').includes('*'))
    fields.refuse('path', 'covers what lies below it without a *; {name} stands for one segment')
  return read.kind === 'ok' ? read.value : path
}
