/** The Fetch adapter: an API as a function from Request to Response. */
import { type FetchInfo, readFetchRequest, responseOf } from '@grantor/resource/fetch'
import type { ResourceServer } from '../serve/resource-server.ts'

export function fetchHandler(api: ResourceServer): (request: Request, info?: FetchInfo) => Promise<Response> {
  return async (request, info = {}) => {
    return responseOf(await api.handle(readFetchRequest(request, info)))
  }
}
