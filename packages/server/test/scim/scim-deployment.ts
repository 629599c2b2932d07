/** A listening deployment with clients that provision by SCIM: one that may write, one that may read, one of a tenant. */
import assert from 'node:assert/strict'
import type { Json, JsonObject } from '@grantor/protocol/types'
import type { CallAnswer } from '../feed/https-client.ts'
import { type Database, type FeedDeployment, machine, operator, startFeedDeployment } from '../feed/feed-deployment.ts'

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export interface ScimCallOptions {
  readonly method?: string
  readonly body?: Json
  readonly headers?: Readonly<Record<string, string>>
  /** Who asks; `directory` unless told. */
  readonly by?: string
  /** '' is the root, `/t/acme` a tenant. */
  readonly tenant?: string
  /** Instead of a token of `by`. */
  readonly bearer?: string
}

export interface ScimDeployment extends AsyncDisposable {
  readonly it: FeedDeployment
  scim(path: string, options?: ScimCallOptions): Promise<CallAnswer>
  /** Makes a user and gives its document. */
  made(user: JsonObject): Promise<Record<string, unknown>>
}

const both = 'scim:read scim:write'
const registrar = 'admin:clients:write admin:users:read admin:groups:read'

export async function startScimDeployment(database: Database): Promise<ScimDeployment> {
  const it = await startFeedDeployment(database)
  const clients = [
    machine('directory', both),
    machine('reader', 'scim:read'),
    machine('stranger', 'metrics:read'),
    machine('registrar', registrar),
  ]
  const applied = await it.deployment.authority.admin.declared.apply(operator, {
    clients,
    users: [
      { username: 'root', password: 'correct-horse', administrator: 'owner' },
      { username: 'helper', password: 'correct-horse', administrator: 'support', email: 'helper@example.com' },
    ],
    tenants: [{ id: 'acme', clients: [machine('directory', both)] }],
  })
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
  const scopes: Readonly<Record<string, string>> = {
    directory: both,
    reader: 'scim:read',
    stranger: 'metrics:read',
    registrar,
  }
  const tokens = new Map<string, Promise<string>>()
  const scim: ScimDeployment['scim'] = async (
    path,
    { body, headers = {}, by = 'directory', tenant = '', method, bearer } = {},
  ) => {
    const key = `${tenant} ${by}`
    const token = tokens.get(key) ?? it.token(by, { scope: scopes[by] ?? '' }, tenant)
    tokens.set(key, token)
    return it.ask(`${tenant}/scim/v2${path}`, {
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { json: body }),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        authorization: `Bearer ${bearer ?? (await token)}`,
        ...headers,
      },
    })
  }
  return {
    it,
    scim,
    async made(user) {
      const answer = await scim('/Users', { body: { schemas: [userUrn], ...user } })
      assert.equal(answer.status, 201, answer.body)
      return answer.json()
    },
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
  }
}

export const patch = (...operations: readonly Json[]): JsonObject => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
})

/** What an error says: its status and scimType, in SCIM's form. */
export function errorIn(answer: CallAnswer): readonly [number, unknown] {
  assert.equal(answer.headers['content-type'], 'application/scim+json', answer.body)
  const { schemas, status, scimType, detail } = answer.json()
  assert.deepEqual(schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'])
  assert.equal(status, String(answer.status))
  assert.equal(typeof detail, 'string')
  return [answer.status, scimType]
}
