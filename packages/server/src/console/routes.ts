/** GET /console: the administrators' console under every issuer, its files at the root only. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { assetHeaders, type Headers, pageHeaders } from '../pages/csp.ts'
import type { Responder } from '../http/responder.ts'
import type { Route, RouteContext } from '../routes/route.ts'
import { builtConsole, type ConsoleFile, type ConsoleFiles, encodingFor, readConsoleFiles } from './files.ts'

/**
 * Read at the first visit, as most processes have none. Null is remembered, too: the console is not built while
 * serving.
 */
let files: ConsoleFiles | null | undefined

function consoleFiles({ log }: Responder): ConsoleFiles | null {
  if (files === undefined) {
    files = readConsoleFiles(builtConsole)
    if (files === null) log.warn('the console is not built: `npm run build -w @grantor/console` builds it')
  }
  return files
}

interface Answer {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly headers: Headers
}

function sendFile(responder: Responder, file: ConsoleFile, { request, reply, headers }: Answer): FastifyReply {
  const encoding = encodingFor(file, request.headers['accept-encoding'])
  const content = (encoding === null ? null : file.compressed[encoding]) ?? file.plain
  return responder.tagged(reply, content, {
    ...headers,
    vary: 'accept-encoding',
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
    // Each encoding has an ETag of its own (RFC 9110 §8.8.3.3).
    etag: encoding === null ? `"${file.tag}"` : `"${file.tag}-${encoding}"`,
  })
}

const asset: Route = {
  path: '/console/assets/*',
  methods: ['GET'],
  cors: false,
  at: 'root',
  handler:
    ({ responder }) =>
    (request, reply) => {
      const name = (request.params as { readonly '*': string })['*']
      const file = consoleFiles(responder)?.assets.get(name)
      if (file === undefined) return responder.refuse(reply, { reason: 'not_found' })
      return sendFile(responder, file, { request, reply, headers: assetHeaders(file.contentType) })
    },
}

/** All pages of the console get the same file; its script finds the page by the URL. */
const handler =
  ({ responder, authority, consoleClients }: RouteContext) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const tenant = responder.tenant(request)
    if (tenant.kind === 'error') return responder.refuse(reply, tenant.error)
    const known = await authority.grantor(tenant.value)
    if (known.kind === 'error') return responder.refuse(reply, known.error)
    const index = consoleFiles(responder)?.index
    if (index === undefined) return responder.refuse(reply, { reason: 'not_found' })
    // The tenant's console client must exist before the script starts a sign-in.
    await consoleClients.ensure(tenant.value)
    const headers = { ...pageHeaders({ connects: true }), 'cache-control': 'no-cache' }
    return sendFile(responder, index, { request, reply, headers })
  }

const page = { methods: ['GET'], cors: false, at: 'every issuer', handler } as const

export const consoleRoutes: readonly Route[] = [asset, { ...page, path: '/console' }, { ...page, path: '/console/*' }]
