/** GET /assets/{name} and /assets/logos/{tenant}/{file}: the files of our pages, whose names contain a content hash. */
import { isTenantName } from '@grantor/authority'
import type { TenantId } from '@grantor/protocol/types'
import { defaultTenant } from '../issuer.ts'
import { assetFolder, assets } from '../pages/assets/assets.ts'
import { assetHeaders } from '../pages/csp.ts'
import { brandSheetNamed } from '../pages/theme/palette.ts'
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
      const { name } = request.params as { name: string }
      const found = files.get(name) ?? brandSheetNamed(name)
      if (found === null) return responder.refuse(reply, { reason: 'not_found' })
      return responder.send(reply, 200, found.bytes, assetHeaders(found.contentType))
    }
  },
}

/** The current logo of a tenant's branding; no other name is served. */
export const tenantLogo: Route = {
  path: `${assetFolder}/logos/:name/:file`,
  methods: ['GET'],
  cors: false,
  at: 'root',
  handler:
    ({ responder, authority }) =>
    async (request, reply) => {
      const { name, file } = request.params as { name: string; file: string }
      const known = name === defaultTenant || isTenantName(name)
      const path = `${assetFolder}/logos/${name}/${file}`
      const found = known ? await authority.tenantLogo(name as TenantId, path) : null
      if (found === null) return responder.refuse(reply, { reason: 'not_found' })
      return responder.send(reply, 200, Buffer.from(found.bytes), assetHeaders(found.type))
    },
}
