/** One call of the admin API, over HTTPS or in this process, with the same requests and answers. */
import { parseJsonObject } from '@grantor/protocol/http'
import { type Err, ok } from '@grantor/protocol/result'
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'
import { issuerFetch } from '../login/fetch.ts'
import { freshLogin } from '../login/tokens.ts'
import { withIssuer } from '../login/issuer-client.ts'
import { caOption, issuerIdentifier } from '../login/target.ts'
import { type CommandContext, type CommandOption, textOption } from '../program/command.ts'
import { withTenant } from '../program/deployment.ts'
import { type CommandFailure, type CommandResult, type ExitResult, failure } from '../program/exit.ts'
import { operator } from '../program/operator.ts'
import type { Noun } from './noun.ts'

export const serverOptions: readonly CommandOption[] = [
  {
    flag: '--server',
    description:
      'act at this server, as who `grantor login` signed in there, instead of on the database of these settings',
    takes: 'text',
    placeholder: 'url',
  },
  caOption,
]

export type AdminQuery = Readonly<Record<string, string | number | boolean>>

export interface AdminRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below `/v1/`. */
  readonly path: string
  readonly query?: AdminQuery
  readonly body?: JsonObject
  /** The expected version of what is changed (If-Match). */
  readonly etag?: string | null
  /** Nothing may exist at this path yet (If-None-Match). */
  readonly absent?: true
}

export interface AdminAnswer {
  readonly document: JsonObject
  readonly etag: string | null
  /** Path below `/v1/` of the receipt of a change (`Link` with the relation `status`). */
  readonly status: string | null
}

export type AdminCall = (request: AdminRequest) => Promise<CommandResult<AdminAnswer>>

interface HttpAnswer {
  readonly status: number
  readonly etag: string | null
  readonly link: string | null
  readonly text: string
}

type Send = (
  target: string,
  sent: { method: string; headers: Record<string, string>; body: string | null },
) => Promise<HttpAnswer>

export function withAdminApi(
  context: CommandContext,
  noun: Noun,
  work: (call: AdminCall) => Promise<ExitResult>,
): Promise<ExitResult> {
  const server = textOption(context, '--server')
  return server === undefined ? inProcess(context, noun, work) : atServer(context, server, work)
}

const inProcess: typeof withAdminApi = (context, { collection, inMemoryOnSqlite }, work) =>
  withTenant(context, async (deployment) => {
    if (inMemoryOnSqlite === true && deployment.settings.databaseUrl === null)
      return failure('invalid', `on SQLite only the server that runs knows its ${collection}`, {
        fix: 'ask it: --server, after `grantor login`',
      })
    // Loaded only here, because the declarations of the API and their schemas are large.
    const { operatorApi } = await import('@grantor/server/operator-api')
    const onError = (error: unknown): never => {
      throw error
    }
    const api = operatorApi(deployment, { actor: operator(), tenant: context.tenant, onError })
    const send: Send = async (target, sent) => {
      const { status, headers, body } = await api.handle({ target, ...sent })
      return { status, etag: headers['etag'] ?? null, link: headers['link'] ?? null, text: body }
    }
    try {
      return await work(callBy(send, null))
    } finally {
      await api.close()
    }
  })

/** Bytes: enough for a page of a hundred complete documents. */
const mostOfAnswer = 64 * 1024 * 1024

async function atServer(
  context: CommandContext,
  server: string,
  work: (call: AdminCall) => Promise<ExitResult>,
): Promise<ExitResult> {
  const base = issuerIdentifier(server)
  if (base === null)
    return failure('invalid', `${server} is not the address of a server`, { fix: 'give it as https://host' })
  const issuer = context.tenant === 'default' ? base : `${base}/t/${context.tenant}`
  return withIssuer(context, { stored: true, issuer }, async (target) => {
    const login = await freshLogin(target)
    if (login.kind === 'error') return login
    const authorization = `Bearer ${login.value.accessToken}`
    const fetch = issuerFetch({ ...target.trust, maxBytes: mostOfAnswer })
    return work(
      callBy(async (path, { method, headers, body }) => {
        const sent = { method, headers: { ...headers, authorization }, body, redirect: 'manual' as const }
        const answer = await fetch(`${issuer}${path}`, { ...sent, body: body ?? undefined })
        const { status, headers: given } = answer
        return { status, etag: given.get('etag'), link: given.get('link'), text: await answer.text() }
      }, issuer),
    )
  })
}

const callBy =
  (send: Send, issuer: string | null): AdminCall =>
  async ({ method, path, query = {}, body, etag, absent }) => {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const headers = {
      accept: 'application/json, application/problem+json',
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(absent === true ? { 'if-none-match': '*' } : {}),
      ...(etag === undefined || etag === null ? {} : { 'if-match': etag }),
    }
    const target = `/v1/${path}${search === '' ? '' : `?${search}`}`
    const answer = await send(target, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
    const document = parseJsonObject(answer.text) ?? {}
    if (answer.status >= 200 && answer.status < 300)
      return ok({ document, etag: answer.etag, status: statusIn(answer.link) })
    return refusal(answer.status, document, issuer)
  }

const statusIn = (link: string | null): string | null =>
  /<(?:\/t\/[^/>]+)?\/v1\/([^>]+)>; rel="status"/.exec(link ?? '')?.[1] ?? null

/** Turns a problem (RFC 9457) into a failure of the command. */
function refusal(status: number, document: JsonObject, issuer: string | null): Err<CommandFailure> {
  const what = text(document['detail']) ?? text(document['title']) ?? `the server answered ${status}`
  const faults = Array.isArray(document['errors']) ? (document['errors'] as readonly Json[]) : []
  const where = faults.flatMap((fault) => (isJsonObject(fault) ? [faultText(fault)] : []))
  if (status === 404) return failure('absent', what, { where })
  // The text already says what to do.
  if (document['code'] === 'last_owner') return failure('conflict', what)
  if (status === 409 || status === 412) return failure('conflict', what, { where, fix: 'look at it, then try again' })
  if (status === 401 && issuer !== null)
    return failure('failed', what, { where, fix: `grantor login ${issuer} --admin, ${signedInAs(document)}` })
  if (status === 403 || status === 401) return failure('failed', what, { where })
  if (status === 503 || status === 429) return failure('unavailable', what, { where })
  return failure(status >= 500 ? 'failed' : 'invalid', what, { where })
}

const signedInAs = ({ type }: JsonObject): string =>
  text(type)?.endsWith('/insufficient-user-authentication') === true
    ? 'with a second factor, and then this within five minutes'
    : 'as an administrator'

const text = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

/** Writes the pointer `#/redirect_uris/0` as redirect_uris[0]. */
function faultText({ pointer, parameter, header, detail }: JsonObject): string {
  const place =
    text(parameter) ??
    text(header) ??
    text(pointer)
      ?.replace(/^#\//, '')
      .replaceAll(/\/(\d+)/g, '[$1]')
  return `${place ?? ''}: ${text(detail) ?? 'is not acceptable'}`
}
