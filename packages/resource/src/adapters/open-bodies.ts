/** Bodies of Fetch responses that have no end of their own: they end with the token of their request. */
import type { ApiResponse } from '../http/response.ts'
import type { OpenExchange, OpenExchanges } from '../protect/open-exchanges.ts'
import type { Protection } from '../protect/protection.ts'
import type { Caller } from '../validate/caller.ts'
import { isEndless } from '../http/endless-types.ts'

/** Milliseconds: who answers sooner than anything could be looked at is not looked at. */
const prompt = 500

interface Answering extends Pick<Protection, 'open' | 'ended'> {
  readonly request: Request
  readonly caller: Caller
  handle(): Response | Promise<Response>
}

/** The handler's answer, unless it came late and the token is over by then: a long poll tells nothing more. */
export async function answerWhileGood({ request, caller, handle, open, ended }: Answering): Promise<Response> {
  const began = performance.now()
  const response = await handle()
  const waited = performance.now() - began
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (open === null || !isRead || waited < prompt) return endWithToken(response, caller, open)
  const ending = await open.endOf(caller, Date.now() - waited)
  if (ending === null) return endWithToken(response, caller, open)
  await response.body?.cancel()
  return responseOf(ended(ending, caller))
}

/** An answer of the toolkit, such as what `lacking` gives, as a Response. */
export const responseOf = ({ status, headers, body }: ApiResponse): Response => new Response(body, { status, headers })

/** Anything but a stream goes by untouched. */
function endWithToken(response: Response, caller: Caller, open: OpenExchanges | null): Response {
  if (open === null || response.body === null || !isEndless(response.headers.get('content-type') ?? '')) return response
  const { status, statusText, headers } = response
  return new Response(watchedBody(response.body, caller, open), { status, statusText, headers })
}

function watchedBody(body: ReadableStream<Uint8Array>, caller: Caller, open: OpenExchanges): ReadableStream {
  const reader = body.getReader()
  let exchange: OpenExchange | null = null
  const leave = (): void => {
    if (exchange !== null) open.delete(exchange)
    exchange = null
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const cut = (): void => {
        // Its end, and what ends it, may come together.
        if (exchange === null) return
        leave()
        controller.close()
        reader.cancel().catch(() => {})
      }
      exchange = { caller, seenAt: Date.now(), cut }
      open.add(exchange)
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        leave()
        controller.close()
      } catch (error) {
        leave()
        controller.error(error)
      }
    },
    cancel(reason) {
      leave()
      return reader.cancel(reason)
    },
  })
}
