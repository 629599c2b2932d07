/** The Express adapter: an API as middleware, next to other routes of an application. */
import { answerWith, type ExpressMiddleware, readExpressRequest } from '@grantor/resource/express'
import type { ResourceServer } from '../serve/resource-server.ts'
import { type BesideOptions, ownsPath } from './own-paths.ts'

/**
 * `app.use(expressApi(api))`, at the root and before body parsers: the API reads bodies by its own rules, and only of
 * callers who may send one. Other paths are left to the application. Call `api.close()` when the server closes.
 */
export function expressApi(api: ResourceServer, options: BesideOptions = {}): ExpressMiddleware {
  const owns = ownsPath(api, options)
  return (request, response, next) => {
    if (!owns(request.originalUrl)) return next()
    const unsent = (error: unknown): void => {
      // The application's own error answer must not carry headers of ours.
      if (!response.headersSent) for (const name of response.getHeaderNames()) response.removeHeader(name)
      next(error)
    }
    api
      .handle(readExpressRequest(request))
      .then((answer) => answerWith(response, answer))
      .catch(unsent)
  }
}
