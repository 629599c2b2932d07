/** The adapter of node:http and node:https: an API as a listener. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isPlainlyFramed, problem } from '@grantor/protocol/http'
import { err } from '@grantor/protocol/result'
import { renderResponse } from '@grantor/resource/http'
import { answerWith, readNodeRequest } from '@grantor/resource/node'
import type { ResourceServer } from '../serve/resource-server.ts'

/** `createServer(nodeListener(api))`: everything belongs to the API. Close it beside the server. */
export function nodeListener(api: ResourceServer) {
  const { origin } = new URL(api.audience)
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isPlainlyFramed(request))
      return answerWith(response, await api.handle(readNodeRequest(request, request.socket.remoteAddress ?? null)))
    const refused = err(problem('invalid-request', 'The request could be read in two ways.'))
    response.setHeader('connection', 'close')
    answerWith(response, renderResponse(refused, 'GET', { origin, requestId: randomUUID() }))
  }
}
