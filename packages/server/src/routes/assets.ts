/** GET /assets/{name}: the files of our pages; a name carries the hash of its content. */
import { assetFolder, assets } from '../pages/assets/assets.ts'
import { assetHeaders } from '../pages/csp.ts'
import { themeFiles } from '../pages/theme/theme.ts'
import type { Route } from './route.ts'

export const asset: Route = {
  path: `${assetFolder}/:name`,
  methods: ['GET'],
  cors: false,
  at: 'root',
  handler: ({ responder, theme }) => {
    const files = new Map([...assets, ...themeFiles(theme).map((file) => [file.name, file] as const)])
    return (request, reply) => {
      const found = files.get((request.params as { name: string }).name)
      if (found === undefined) return responder.refuse(reply, { reason: 'not_found' })
      return responder.send(reply, 200, found.bytes, assetHeaders(found.contentType))
    }
  },
}
