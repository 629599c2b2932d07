/** A listening deployment with administrators: one of the root, one of a tenant, and calls in their name. */
import assert from 'node:assert/strict'
import type { CallAnswer, CallOptions } from '../feed/https-client.ts'
import { type Database, type FeedDeployment, startFeedDeployment, machine, operator } from '../feed/feed-deployment.ts'

export const scopes = [
  'admin:events:read',
  'admin:tenants:read',
  'admin:statistics:read',
  'admin:settings:read',
  ...['locks', 'mails', 'webhooks', 'operations'].flatMap((noun) => [`admin:${noun}:read`, `admin:${noun}:write`]),
  ...['clients', 'users', 'sessions', 'grants', 'consents'].flatMap((noun) => [
    `admin:${noun}:read`,
    `admin:${noun}:write`,
  ]),
].join(' ')

export interface AdminDeployment extends AsyncDisposable {
  readonly it: FeedDeployment
  /** Asks in the name of the administrator of that issuer: '' is the root, `/t/acme` a tenant. */
  call(path: string, question?: CallOptions, tenant?: string): Promise<CallAnswer>
  /** The bearer header of any client of the root. */
  as(client: string, scope: string): Promise<Readonly<Record<string, string>>>
}

export async function startAdminDeployment(
  database: Database = 'sqlite',
  env: Readonly<Record<string, string>> = {},
): Promise<AdminDeployment> {
  const it = await startFeedDeployment(database, env)
  const clients = [machine('admin', scopes)]
  const applied = await it.deployment.authority.admin.declared.apply(operator, {
    clients,
    tenants: [{ id: 'acme', clients }],
  })
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
  const tokens = new Map<string, string>()
  return {
    it,
    async call(path, question = {}, tenant = '') {
      const token = tokens.get(tenant) ?? (await it.token('admin', { scope: scopes }, tenant))
      tokens.set(tenant, token)
      return it.ask(tenant + path, { ...question, headers: { authorization: `Bearer ${token}`, ...question.headers } })
    },
    as: async (client, scope) => ({ authorization: `Bearer ${await it.token(client, { scope })}` }),
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
  }
}

export interface Item {
  readonly id: string
  readonly [field: string]: unknown
}

export const itemsIn = (answer: CallAnswer): readonly Item[] => {
  assert.equal(answer.status, 200, answer.body)
  return answer.json()['items'] as readonly Item[]
}

/** Every page of a list. */
export async function everyPage(it: AdminDeployment, path: string): Promise<readonly Item[]> {
  const items: Item[] = []
  let next: string | undefined = path
  while (next !== undefined) {
    const answer: CallAnswer = await it.call(next)
    items.push(...itemsIn(answer))
    next = answer.json()['next'] as string | undefined
  }
  return items
}

export const codeIn = (answer: CallAnswer): unknown => answer.json()['code']
