/** The Hono adapter: an API as middleware, next to other routes of an application. */
import { type ConnectionInfo, readHonoRequest, responseOf } from '@grantor/resource/hono'
import type { MiddlewareHandler } from 'hono'
import type { ResourceServer } from '../serve/resource-server.ts'
import { type BesideOptions, ownsPath } from './own-paths.ts'

export interface HonoApiOptions extends BesideOptions {
  readonly connection?: ConnectionInfo
}

/** `app.use(honoApi(api))`: other paths are left to the application. Call `api.close()` when the server closes. */
export function honoApi(api: ResourceServer, options: HonoApiOptions = {}): MiddlewareHandler {
  const owns = ownsPath(api, options)
  return async (context, next) => {
    const request = readHonoRequest(context, options.connection)
    return owns(request.target) ? responseOf(await api.handle(request)) : next()
  }
}
