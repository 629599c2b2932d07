/** Checks of answers: documented, problem details, quotas, caching. */
import {
  type Check,
  type CheckContext,
  type CheckRequest,
  expect,
  failed,
  noItem,
  noList,
  passed,
  skipped,
  warned,
} from '../check.ts'
import type { Answer } from '../exchange.ts'
import { isObject } from '../model.ts'
import { absentTarget, itemTarget, jsonOf, listTarget, seen } from '../targets.ts'

interface Refusal extends Answer {
  /** The request target, which URLs in the problem may be relative to. */
  readonly target: string
}

/** Refusals that every API gives. */
async function refusals({ send, sendAnonymous, api }: CheckContext): Promise<readonly Refusal[]> {
  const list = listTarget(api)
  const item = itemTarget(api, 'grantor-api-check-absent')
  const asked = async (request: CheckRequest, by = send): Promise<Refusal> => ({
    ...(await by(request)),
    target: request.target,
  })
  const answers = [
    await asked({ target: absentTarget(api) }),
    ...(item === null ? [] : [await asked({ target: item })]),
    ...(list === null
      ? []
      : [await asked({ method: 'PROPFIND', target: list }), await asked({ target: list }, sendAnonymous)]),
  ]
  return answers.filter(({ status }) => status >= 400)
}

const essence = (answer: Answer): string => (answer.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? ''

export const answerChecks: readonly Check[] = [
  {
    name: 'answers have documented statuses',
    group: 'document',
    clause: 'OpenAPI 3.1 §4.8.16',
    remedy: 'document every status that an operation answers with',
    async run(context) {
      const [list, item] = [await context.list(), await context.item()]
      if (list === null) return noList
      const undocumented = [
        { answer: list, operation: context.api.list },
        { answer: item, operation: context.api.item },
      ].flatMap(({ answer, operation }) => {
        if (answer === null || operation === null || answer.status === 0) return []
        const { status } = answer
        const known = [String(status), `${Math.floor(status / 100)}XX`, 'default'].some((it) =>
          operation.statuses.has(it),
        )
        return known ? [] : [`${operation.method} ${operation.template} answers ${status}`]
      })
      return expect(undocumented.length === 0, undocumented.join('; '))
    },
  },
  {
    name: 'the list can be read',
    group: 'document',
    clause: 'RFC 9110 §15.3.1',
    remedy: 'give credentials that may read (--token), or mend what the list answers',
    async run(context) {
      const answer = await context.list()
      if (answer === null) return noList
      if (answer.status === 401 && !context.hasCredentials) return skipped('it asks for credentials: give --token')
      if (answer.status !== 200) return failed(seen(answer))
      return expect(jsonOf(answer) !== undefined, `200 with ${essence(answer) || 'no type'} that is no JSON`)
    },
  },
  {
    name: 'refusals are problem details',
    group: 'problems',
    clause: 'RFC 9457 §3',
    remedy: 'answer errors with application/problem+json on every path',
    async run(context) {
      const refused = await refusals(context)
      if (refused.length === 0) return skipped('nothing was refused')
      const wrong = refused.filter((answer) => essence(answer) !== 'application/problem+json')
      const texts = wrong.map((answer) => `${answer.status} has ${essence(answer) || 'no type'}`)
      return expect(wrong.length === 0, [...new Set(texts)].join('; '))
    },
  },
  {
    name: 'problems have their members',
    group: 'problems',
    clause: 'RFC 9457 §3.1',
    remedy: 'give type, title, status (the same as the answer’s) and detail',
    async run(context) {
      const problems = (await refusals(context)).filter((answer) => essence(answer) === 'application/problem+json')
      if (problems.length === 0) return skipped('no refusal is a problem')
      const wrong = problems.filter((answer) => {
        const body = jsonOf(answer)
        return !isObject(body) || typeof body['title'] !== 'string' || body['status'] !== answer.status
      })
      return expect(wrong.length === 0, `of ${problems.length} problems ${wrong.length} lack title or the right status`)
    },
  },
  {
    name: 'the page of a problem type can be read',
    group: 'problems',
    clause: 'RFC 9457 §3.1.1',
    remedy: 'serve a page at the address in type, to anyone; or use about:blank',
    async run(context) {
      const problem = (await refusals(context)).find((answer) => essence(answer) === 'application/problem+json')
      const body = problem === undefined ? undefined : jsonOf(problem)
      const type = isObject(body) ? (body['type'] ?? 'about:blank') : undefined
      if (typeof type !== 'string') return skipped('no refusal is a problem')
      const url = URL.parse(type, context.origin + (problem?.target ?? ''))
      if (url === null) return failed(`${type.slice(0, 100)} is no address`)
      if (url.origin !== context.origin) return passed('it is not an address of this API')
      const page = await context.sendAnonymous({ target: url.pathname })
      return expect(page.status === 200, `${url.pathname} ${seen(page)}`)
    },
  },
  {
    name: 'quotas are told',
    group: 'quotas',
    clause: 'draft-ietf-httpapi-ratelimit-headers-11 §4',
    remedy: 'send RateLimit and RateLimit-Policy with answers that count',
    async run(context) {
      const answer = await context.list()
      if (answer === null) return noList
      if (answer.status !== 200) return skipped('the list cannot be read')
      if (answer.headers.has('ratelimit') && answer.headers.has('ratelimit-policy')) return passed()
      return answer.headers.has('x-ratelimit-limit') || answer.headers.has('x-ratelimit-remaining')
        ? warned('X-RateLimit-… headers of older drafts')
        : failed('no RateLimit headers')
    },
  },
  {
    name: 'who may keep an answer is told',
    group: 'caching',
    clause: 'RFC 9111 §5.2, §3.5',
    remedy: 'send Cache-Control with every answer; private or no-store where it depends on the caller',
    async run(context) {
      const answer = (await context.item()) ?? (await context.list())
      if (answer === null) return noItem
      if (answer.status !== 200) return skipped('nothing can be read')
      const control = answer.headers.get('cache-control')
      if (control === undefined) return failed('no Cache-Control')
      const shared = context.hasCredentials && /\bpublic\b|s-maxage/.test(control)
      return expect(!shared, `an answer to a caller says ${control}`)
    },
  },
  {
    name: 'answers vary with what they depend on',
    group: 'caching',
    clause: 'RFC 9110 §12.5.5, RFC 9111 §4.1',
    remedy: 'send Vary: Authorization, or no-store, where the answer depends on the caller',
    async run(context) {
      const answer = await context.list()
      if (answer === null) return noList
      if (answer.status !== 200 || !context.hasCredentials) return skipped('no answer depends on a caller')
      const vary = (answer.headers.get('vary') ?? '').toLowerCase()
      const kept = answer.headers.get('cache-control') ?? ''
      return expect(/authorization|\*/.test(vary) || kept.includes('no-store'), `Vary: ${vary || 'none'}`)
    },
  },
]
