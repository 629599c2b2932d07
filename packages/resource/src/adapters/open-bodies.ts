/** Cuts endless bodies of Fetch responses (streams) when the token of their request ends. */
import type { ApiResponse } from '../http/response.ts'
import type { OpenExchange, OpenExchanges } from '../protect/open-exchanges.ts'
import type { Protection } from '../protect/protection.ts'
import type { Caller } from '../validate/caller.ts'
import { isEndless } from '../http/endless-types.ts'

/** Milliseconds. A handler that answers sooner is not checked again, as its token was checked so shortly before. */
const prompt = 500

interface Answering extends Pick<Protection, 'open' | 'ended'> {
  readonly request: Request
  readonly caller: Caller
  handle(): Response | Promise<Response>
}

/** The handler's answer, unless the token ended while the handler worked: then a long poll gets a refusal instead. */
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

/** An answer of the toolkit, such as that of `lacking`, as a Response. */
export const responseOf = ({ status, headers, body }: ApiResponse): Response => new Response(body, { status, headers })

/** Returns any response that is not an endless stream unchanged. */
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
        // The body may end in the same moment as it is cut.
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
