/** Checks of the answers to invalid methods, paths, parameters, bodies and media types. */
import { type Check, type CheckContext, type CheckRequest, expect, failed, noItem, noList, skipped } from '../check.ts'
import type { Answer } from '../exchange.ts'
import { absentTarget, itemTarget, listTarget, seen } from '../targets.ts'

const group = 'requests'

/** Sends a changed request for the list; null where there is no list. */
async function atList(
  context: CheckContext,
  change: Omit<CheckRequest, 'target'> & { readonly query?: string },
): Promise<Answer | null> {
  const target = listTarget(context.api)
  if (target === null) return null
  const { query, ...request } = change
  return context.send({ ...request, target: query === undefined ? target : `${target}?${query}` })
}

/** Invalid JSON, so that no API can create anything from it. */
const nothing = '{"a":'

async function posted(context: CheckContext, type: string, body: string): Promise<Answer | null> {
  const { create } = context.api
  if (create === null || create.mediaType === null) return null
  return context.send({ method: 'POST', target: create.template, headers: { 'content-type': type }, body })
}

const noCreate = skipped('the document names no POST with a JSON body beside the list')

export const requestChecks: readonly Check[] = [
  {
    name: 'unknown address is 404',
    group,
    clause: 'RFC 9110 §15.5.5',
    remedy: 'answer 404 for addresses that nothing is at, also below known ones',
    async run({ send, api }) {
      const answer = await send({ target: absentTarget(api) })
      return expect([401, 404].includes(answer.status), seen(answer))
    },
  },
  {
    name: 'absent item is 404',
    group,
    clause: 'RFC 9110 §15.5.5',
    remedy: 'answer 404 where there is no such item, neither 200 nor 500',
    async run({ send, api }) {
      const target = itemTarget(api, 'grantor-api-check-absent')
      if (target === null) return noItem
      const answer = await send({ target })
      return expect([400, 401, 403, 404].includes(answer.status), seen(answer))
    },
  },
  {
    name: 'unknown method is 405 or 501, with Allow',
    group,
    clause: 'RFC 9110 §15.5.6, §10.2.1',
    remedy: 'answer 405 with the methods of the resource in Allow',
    async run(context) {
      const answer = await atList(context, { method: 'PROPFIND' })
      if (answer === null) return noList
      if (answer.status === 405 && answer.headers.get('allow') === undefined) return failed('405 without Allow')
      return expect([400, 401, 405, 501].includes(answer.status), seen(answer))
    },
  },
  {
    name: 'HEAD is GET without the content',
    group,
    clause: 'RFC 9110 §9.3.2',
    remedy: 'serve HEAD wherever GET is served',
    async run(context) {
      const [get, head] = [await context.list(), await atList(context, { method: 'HEAD' })]
      if (get === null || head === null) return noList
      return expect(head.status === get.status, `GET answers ${get.status}, HEAD ${seen(head)}`)
    },
  },
  {
    name: 'OPTIONS tells the methods',
    group,
    clause: 'RFC 9110 §9.3.7',
    remedy: 'answer OPTIONS with 200 or 204 and Allow',
    async run(context) {
      const answer = await atList(context, { method: 'OPTIONS' })
      if (answer === null) return noList
      return expect(
        answer.status < 300 && answer.status > 0 && answer.headers.get('allow') !== undefined,
        `${seen(answer)}, Allow: ${answer.headers.get('allow') ?? 'none'}`,
      )
    },
  },
  {
    name: 'unknown parameter is 400',
    group,
    clause: 'docs/conventions.md, lists',
    remedy: 'refuse parameters that are not declared: a misspelt filter otherwise gives everything',
    async run(context) {
      const answer = await atList(context, { query: 'grantor_api_check=1' })
      return answer === null ? noList : expect(answer.status === 400, seen(answer))
    },
  },
  {
    name: 'nothing acceptable is 406',
    group,
    clause: 'RFC 9110 §15.5.7, §12.5.1',
    remedy: 'answer 406 where Accept names nothing that is offered',
    async run(context) {
      const answer = await atList(context, { headers: { accept: 'application/x-grantor-api-check' } })
      return answer === null ? noList : expect(answer.status === 406, seen(answer))
    },
  },
  {
    name: 'unknown media type is 415',
    group,
    clause: 'RFC 9110 §15.5.16',
    remedy: 'answer 415 for a Content-Type that the operation does not read',
    async run(context) {
      const answer = await posted(context, 'application/x-grantor-api-check', nothing)
      return answer === null ? noCreate : expect([401, 403, 415].includes(answer.status), seen(answer))
    },
  },
  {
    name: 'malformed JSON is 400',
    group,
    clause: 'RFC 9110 §15.5.1, RFC 8259 §2',
    remedy: 'answer 400 for a body that is no JSON, never 500',
    async run(context) {
      const answer = await posted(context, context.api.create?.mediaType ?? 'application/json', nothing)
      return answer === null ? noCreate : expect([400, 401, 403, 422].includes(answer.status), seen(answer))
    },
  },
  {
    name: 'broken percent-encoding is no fault of the server',
    group,
    clause: 'RFC 3986 §2.1, RFC 9110 §15.6.1',
    remedy: 'answer 400 or 404 for an address that cannot be decoded, never 500',
    async run(context) {
      const target = listTarget(context.api)
      if (target === null) return noList
      const answer = await context.send({ target: `${target}/%zz` })
      return expect(answer.status >= 400 && answer.status < 500, seen(answer))
    },
  },
]
