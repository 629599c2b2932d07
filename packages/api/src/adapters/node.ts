/** The adapter of node:http and node:https: an API as a listener. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isPlainlyFramed, problem, type Problem } from '@grantor/protocol/http'
import { err } from '@grantor/protocol/result'
import { renderResponse, reportToConsole } from '@grantor/resource/http'
import { answerWith, readNodeRequest } from '@grantor/resource/node'
import type { ResourceServer } from '../serve/resource-server.ts'

/** `createServer(nodeListener(api))`: the API answers every path. Call `api.close()` when the server closes. */
export function nodeListener(api: ResourceServer) {
  const { origin } = new URL(api.audience)
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = randomUUID()
    const refuse = (why: Problem): void =>
      answerWith(response, renderResponse(err(why), request.method ?? 'GET', { origin, requestId }))
    if (!isPlainlyFramed(request)) {
      response.setHeader('connection', 'close')
      return refuse(problem('invalid-request', 'The request could be read in two ways.'))
    }
    try {
      answerWith(response, await api.handle(readNodeRequest(request, request.socket.remoteAddress ?? null)))
    } catch (error) {
      // node:http refuses to write some answers: one with a line break in a header, say.
      reportToConsole(error, requestId)
      if (response.headersSent) response.destroy()
      else refuse(problem('internal', 'Something went wrong on our side.'))
    }
  }
}
