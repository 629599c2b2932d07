/** The Express adapter: an API as middleware, beside the routes of an application. */
import { answerWith, type ExpressMiddleware, readExpressRequest } from '@grantor/resource/express'
import type { ResourceServer } from '../serve/resource-server.ts'
import { type BesideOptions, ownsPath } from './own-paths.ts'

/**
 * `app.use(expressApi(api))`, at the root and before what parses bodies: the API reads them by its own rules, and not
 * at all for who may not send one. Other addresses are left to the application. Close the API beside the server.
 */
export function expressApi(api: ResourceServer, options: BesideOptions = {}): ExpressMiddleware {
  const owns = ownsPath(api, options)
  return (request, response, next) => {
    if (!owns(request.originalUrl)) return next()
    const unsent = (error: unknown): void => {
      // What the application answers instead is none of this.
      if (!response.headersSent) for (const name of response.getHeaderNames()) response.removeHeader(name)
      next(error)
    }
    api
      .handle(readExpressRequest(request))
      .then((answer) => answerWith(response, answer))
      .catch(unsent)
  }
}
