/** A hook of an API that decides before a token is issued: refuses whom it must, and adds a claim for the others. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { IssuanceHookAnswer, IssuanceHookRequest } from '@grantor/protocol/decisions'
import { isOwnMessage } from '@grantor/protocol/webhooks'

const { HOOK_SECRET: secret = '', PORT: port = '8080' } = process.env

const server = createServer(async (request, response) => {
  const content = await text(request)
  if (!isOwnMessage({ headers: request.headers, content, secrets: [secret], now: Date.now() })) {
    response.writeHead(401).end()
    return
  }
  const { data } = JSON.parse(content) as IssuanceHookRequest
  const answer: IssuanceHookAnswer =
    data.user?.attributes['suspended'] === true
      ? { decision: 'deny', reason: 'suspended' }
      : { decision: 'allow', claims: { plan: 'gold' } }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
server.listen(Number(port), '127.0.0.1', () => console.log('ready'))
