/** The public discovery documents of the SCIM service: RFC 7644 §4. */
import { listResponse, resourceTypes, schemaDocuments, serviceProviderConfig } from '@grantor/protocol/scim'
import { type ScimAnswer, scimAnswer, scimRefusal } from './scim-responder.ts'

interface DiscoveryRequest {
  /** The URL of the service. */
  readonly root: string
  readonly search: string
}

export function discovered(path: string, { root, search }: DiscoveryRequest): ScimAnswer {
  // §4: a filter is refused, so that nobody takes the answer for a filtered one.
  if ([...new URLSearchParams(search).keys()].some((name) => name.toLowerCase() === 'filter'))
    return scimRefusal({ status: 403, detail: 'What the service says of itself is not filtered.' })
  const [, kind, name] = path.split('/')
  if (kind === 'ServiceProviderConfig') return scimAnswer(200, serviceProviderConfig(root))
  const all = kind === 'Schemas' ? schemaDocuments(root) : resourceTypes(root)
  if (name === undefined) return scimAnswer(200, listResponse(all, { total: all.length, from: 1 }))
  const one = all.find(({ id }) => id === decodedName(name))
  return one === undefined ? scimRefusal({ status: 404, detail: 'There is none of that name.' }) : scimAnswer(200, one)
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
