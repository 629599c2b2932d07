/** Runs the checks against one API, one after the other, within the limits of its exchange. */
import type { Check, CheckContext, CheckRequest, Finding, MadeResource } from './check.ts'
import { skipped } from './check.ts'
import { checks } from './checks/index.ts'
import type { Answer, Exchange } from './exchange.ts'
import type { ApiModel } from './model.ts'
import { entriesOf, idOf, itemTarget, jsonOf, listTarget } from './targets.ts'

export interface CheckedApi {
  readonly origin: string
  readonly model: ApiModel
  /** Sent with every request but those that come without credentials on purpose. */
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
  await context.removeMade()
  return results
}

/** An API that stops answering, or more than may be asked, is said of a check, and not taken for its outcome. */
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
): CheckContext & { removeMade(): Promise<void> } {
  const common = { accept: 'application/json, application/problem+json, */*;q=0.1', 'user-agent': 'grantor-api-check' }
  const to = ({ target, method, headers, body }: CheckRequest, more: Readonly<Record<string, string>>) =>
    exchange.send(new URL(origin + target), {
      headers: { ...common, ...more, ...headers },
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body }),
    })
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
  const made = remembered(async () => makeOne(model, send))
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
    async removeMade() {
      const one = made.known()
      if (one !== null && model.remove !== null) await send({ method: 'DELETE', target: one.path })
    },
  }
}

async function makeOne({ create, item, ...model }: ApiModel, send: CheckContext['send']): Promise<MadeResource | null> {
  if (create === null || create.example === null || create.mediaType === null || item === null) return null
  const headers = { 'content-type': create.mediaType, 'idempotency-key': crypto.randomUUID() }
  const answer = await send({ method: 'POST', target: create.template, headers, body: create.example })
  const whole = { create, item, ...model }
  const id = idOf(jsonOf(answer), whole)
  const path = id === null ? null : itemTarget(whole, id)
  return path === null || answer.status < 200 || answer.status >= 300 ? null : { path, answer, body: create.example }
}

/** Asked for once. */
function remembered<T>(ask: () => Promise<T | null>): (() => Promise<T | null>) & { known(): T | null } {
  let asked: Promise<T | null> | null = null
  let value: T | null = null
  const get = (): Promise<T | null> => (asked ??= ask().then((found) => (value = found)))
  return Object.assign(get, { known: () => value })
}
