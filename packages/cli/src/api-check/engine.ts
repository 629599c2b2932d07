/** Runs the checks against one API, one after the other, within the limits of its exchange. */
import type { Check, CheckContext, CheckRequest, Finding, MadeResource } from './check.ts'
import { skipped, warned } from './check.ts'
import { checks } from './checks/index.ts'
import { type Answer, type Exchange, noAnswer } from './exchange.ts'
import type { ApiModel } from './model.ts'
import { entriesOf, idOf, itemTarget, isMade, jsonOf, listTarget, madeTarget, seen } from './targets.ts'

export interface CheckedApi {
  readonly origin: string
  readonly model: ApiModel
  /** Sent with every request, except those that test missing credentials. */
  readonly credentials: Readonly<Record<string, string>>
  readonly write: boolean
  readonly scopelessToken: string | null
}

export interface CheckResult extends Finding, Pick<Check, 'name' | 'group' | 'clause' | 'remedy'> {}

export async function runChecks(api: CheckedApi, exchange: Exchange): Promise<readonly CheckResult[]> {
  const context = contextOf(api, exchange)
  const results: CheckResult[] = []
  for (const { name, group, clause, remedy, writes, run } of checks) {
    const finding = await findingOf(() => run(context), { writes: writes === true && !api.write, exchange })
    results.push({ name, group, clause, remedy, ...finding })
  }
  const left = await context.removeMade()
  return left.length === 0 ? results : [...results, { ...deletion, ...warned(left.join('; ')) }]
}

const deletion = {
  name: 'what was made is deleted again',
  group: 'writing',
  clause: 'RFC 9110 §9.3.5',
  remedy: 'delete it by hand',
}

/** A check is skipped, not failed, when the limit of requests or time is reached. */
async function findingOf(
  run: () => Promise<Finding>,
  { writes, exchange }: { readonly writes: boolean; readonly exchange: Exchange },
): Promise<Finding> {
  if (writes) return skipped('it changes something: add --write')
  if (exchange.exhausted()) return skipped('the limit of requests or time is reached')
  const finding = await run()
  return finding.outcome === 'fail' && exchange.exhausted()
    ? skipped('the limit of requests or time is reached')
    : finding
}

function contextOf(
  { origin, model, credentials, scopelessToken }: CheckedApi,
  exchange: Exchange,
): CheckContext & { removeMade(): Promise<readonly string[]> } {
  const common = { accept: 'application/json, application/problem+json, */*;q=0.1', 'user-agent': 'grantor-api-check' }
  const to = (request: CheckRequest, more: Readonly<Record<string, string>>, beyondLimits = false): Promise<Answer> => {
    const { target, method, headers, body } = request
    const url = URL.parse(origin + target)
    // A path in the document may change the host (by `@`, `:` or a dot).
    if (url?.origin !== origin)
      return Promise.resolve(noAnswer(`${(origin + target).slice(0, 200)} is not at ${origin}`))
    return exchange.send(url, {
      headers: { ...common, ...more, ...headers },
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body }),
      beyondLimits,
    })
  }
  const send = (request: CheckRequest): Promise<Answer> => to(request, credentials)
  const list = remembered(async () => {
    const target = listTarget(model)
    return target === null ? null : send({ target })
  })
  const itemPath = remembered(async () => {
    const page = await list()
    const [first] = page === null ? [] : (entriesOf(jsonOf(page)) ?? [])
    const id = idOf(first, model) ?? model.item?.parameters.find((it) => it.in === 'path')?.example ?? null
    return id === null ? null : itemTarget(model, id)
  })
  const made = remembered(async () => makeOne({ api: model, origin, send }))
  const { left, remove } = removalBy(model, (request) => to(request, credentials, true))
  let path: string | null = null
  return {
    api: model,
    origin,
    scopelessToken,
    hasCredentials: Object.keys(credentials).length > 0,
    send,
    sendAnonymous: (request) => to(request, {}),
    list,
    async item() {
      path = await itemPath()
      return path === null ? null : send({ target: path })
    },
    itemPath: () => path,
    made,
    remove,
    async removeMade() {
      const one = made.known()
      if (one !== null) await remove(one.path, one.answer)
      return left
    },
  }
}

/** `left`: the resources that could not be deleted, and why. */
function removalBy({ remove }: ApiModel, send: CheckContext['send']) {
  const left: string[] = []
  return {
    left,
    async remove(target: string, by: Answer): Promise<void> {
      if (!isMade(by)) return void left.push(`${target}: a create ${seen(by)}, and may not have made it`)
      if (remove === null) return void left.push(`${target}: the document has no DELETE`)
      // `*` matches any version: some APIs refuse a change without If-Match (428).
      const answer = await send({ method: 'DELETE', target, headers: { 'if-match': '*' } })
      const isGone = (answer.status >= 200 && answer.status < 300) || answer.status === 404 || answer.status === 410
      if (!isGone) left.push(`${target}: DELETE ${seen(answer)}`)
    },
  }
}

async function makeOne({
  api,
  origin,
  send,
}: Pick<CheckContext, 'api' | 'origin' | 'send'>): Promise<MadeResource | null> {
  const { create, item } = api
  if (create === null || create.example === null || create.mediaType === null || item === null) return null
  const key = crypto.randomUUID()
  const headers = { 'content-type': create.mediaType, 'idempotency-key': key }
  const answer = await send({ method: 'POST', target: create.template, headers, body: create.example })
  const path = madeTarget(answer, { api, origin })
  return path === null ? null : { path, answer, body: create.example, key }
}

/** Caches the first result. */
function remembered<T>(ask: () => Promise<T | null>): (() => Promise<T | null>) & { known(): T | null } {
  let asked: Promise<T | null> | null = null
  let value: T | null = null
  const get = (): Promise<T | null> => (asked ??= ask().then((found) => (value = found)))
  return Object.assign(get, { known: () => value })
}
