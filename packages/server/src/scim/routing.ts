/** Finds the destination of a request to the SCIM service: RFC 7644 §3.2. */
import { err, ok, type Result } from '@grantor/protocol/result'
import type { ScimScope } from './admission.ts'
import type { ServedCollection } from './collections.ts'
import { type ScimAnswer, scimRefusal } from './scim-responder.ts'

export type Destination =
  | { readonly kind: 'document'; readonly path: string }
  | { readonly kind: 'list'; readonly of: readonly ServedCollection[]; readonly scope: ScimScope }
  | { readonly kind: 'search'; readonly of: readonly ServedCollection[]; readonly scope: ScimScope }
  | { readonly kind: 'read'; readonly collection: ServedCollection; readonly id: string; readonly scope: ScimScope }
  | {
      readonly kind: 'write'
      readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      readonly collection: ServedCollection
      readonly id: string | null
      readonly scope: ScimScope
    }
  | { readonly kind: 'bulk'; readonly scope: ScimScope }

const documents = /^\/(?:ServiceProviderConfig|ResourceTypes(?:\/[^/]+)?|Schemas(?:\/[^/]+)?)$/

const notFound = err(scimRefusal({ status: 404, detail: 'There is nothing at this address.' }))

const wrongMethod = (allow: string) => err(scimRefusal({ status: 405, detail: `Allowed here: ${allow}.` }, { allow }))

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

export function destinationOf(
  method: string,
  path: string,
  collections: readonly ServedCollection[],
): Result<Destination, ScimAnswer> {
  if (documents.test(path)) return isRead(method) ? ok({ kind: 'document', path }) : wrongMethod('GET, HEAD')
  if (path === '/Bulk') return method === 'POST' ? ok({ kind: 'bulk', scope: 'scim:write' }) : wrongMethod('POST')
  if (path === '/Me') return err(scimRefusal({ status: 501, detail: 'Nobody speaks for themselves here.' }))
  if (path === '/.search')
    return method === 'POST' ? ok({ kind: 'search', of: collections, scope: 'scim:read' }) : wrongMethod('POST')
  if (path === '' || path === '/')
    return isRead(method) ? ok({ kind: 'list', of: collections, scope: 'scim:read' }) : wrongMethod('GET, HEAD')
  return ofCollection(method, path, collections)
}

/** The resource at a path, also at one in a bulk request. */
export function resourceAt(
  path: string,
  collections: readonly ServedCollection[],
): { readonly collection: ServedCollection; readonly id: string | null } | null {
  const [, endpoint = '', id, ...more] = path.split('/')
  const collection = collections.find(({ schema }) => schema.endpoint === `/${endpoint}`)
  if (collection === undefined || more.length > 0) return null
  if (id === undefined || id === '') return { collection, id: null }
  try {
    return { collection, id: decodeURIComponent(id) }
  } catch {
    return null
  }
}

function ofCollection(
  method: string,
  path: string,
  collections: readonly ServedCollection[],
): Result<Destination, ScimAnswer> {
  const at = resourceAt(path, collections)
  if (at === null) return notFound
  const { collection, id } = at
  if (id === '.search')
    return method === 'POST' ? ok({ kind: 'search', of: [collection], scope: 'scim:read' }) : wrongMethod('POST')
  if (id === null) {
    if (isRead(method)) return ok({ kind: 'list', of: [collection], scope: 'scim:read' })
    return method === 'POST'
      ? ok({ kind: 'write', method, collection, id, scope: 'scim:write' })
      : wrongMethod('GET, HEAD, POST')
  }
  if (isRead(method)) return ok({ kind: 'read', collection, id, scope: 'scim:read' })
  return method === 'PUT' || method === 'PATCH' || method === 'DELETE'
    ? ok({ kind: 'write', method, collection, id, scope: 'scim:write' })
    : wrongMethod('GET, HEAD, PUT, PATCH, DELETE')
}
