/** Actors of a campaign: clients, people, and an administrator; each records the answers that it gets. */
import { setTimeout } from 'node:timers/promises'
import { Browser, redeem, refresh, type Sender } from '../attacks/browser.ts'
import type { HttpRequest, HttpResponse } from '../attacks/http-client.ts'
import { service, web } from '../attacks/objects.ts'
import { seed } from '../clocks/deployment.ts'
import { claimsOf } from '../faults/http-client.ts'
import { nameOf, type Recorder } from './history.ts'
import { type CampaignNode, GivenUp } from './node.ts'

const admin = ['admin-tool', 'zz9canary-admin-secret-of-32-characters'] as const

export const declared = {
  ...seed,
  clients: [
    ...seed.clients,
    {
      client_id: admin[0],
      client_secret: admin[1],
      grant_types: ['client_credentials'],
      response_types: [],
      scope: 'admin:clients:read admin:clients:write',
    },
  ],
}

export interface KnownToken {
  readonly jti: string
  readonly token: string
}

/** What clients share: the nodes, the recorder, and the tokens that validators check. */
export interface Load {
  readonly nodes: readonly CampaignNode[]
  readonly recorder: Recorder
  readonly signal: AbortSignal
  /** A random number between 0 and 1. */
  readonly random: () => number
  readonly alive: KnownToken[]
  readonly dead: KnownToken[]
}

interface Answered {
  readonly answer: HttpResponse
  readonly times: { readonly asked: number; readonly at: number }
}

interface Question {
  readonly what: string
  /** The subject of the request, if it matters in the case that no answer comes. */
  readonly of?: string
  readonly expected: readonly number[]
  ask(http: Sender): Promise<HttpResponse>
}

const anyOf = <T>({ random }: Pick<Load, 'random'>, list: readonly T[]): T | undefined =>
  list[Math.floor(random() * list.length)]

/** No conclusive answer: the request may have been processed, or not, or may be processed later. */
type NoAnswer = 'unavailable' | 'given up'

const isAnswered = (it: Answered | NoAnswer): it is Answered => typeof it !== 'string'

/** Sends a request to one of the nodes, and records unexpected answers. */
export async function put(
  load: Load,
  question: Question,
  node = anyOf(load, load.nodes),
): Promise<Answered | NoAnswer> {
  const { recorder } = load
  const asked = recorder.now()
  const { what, of = '', expected } = question
  let outcome: NoAnswer = 'unavailable'
  try {
    const answer = await question.ask(node as CampaignNode)
    const times = { asked, at: recorder.now() }
    if (expected.includes(answer.status)) return { answer, times }
    // 429: with a slow clock a quota refills more slowly than clients use it.
    if (answer.status === 503 || answer.status === 429) recorder.add({ kind: 'unanswered', what, of, ...times })
    else recorder.add({ kind: 'unexpected', what, status: answer.status, body: answer.body.slice(0, 200), ...times })
  } catch (error) {
    recorder.add({ kind: 'unanswered', what, of, asked, at: recorder.now() })
    if (error instanceof GivenUp) outcome = 'given up'
  }
  // Back off as a client does, so that a stopped node does not get a thousand requests.
  await setTimeout(50)
  return outcome
}

const post = (what: string, path: string, how: HttpRequest, of = ''): Question => ({
  what,
  of,
  expected: [200],
  ask: ({ send }) => send(path, how),
})

/** The body of a token response or an introspection; each has only its own members. */
const bodyOf = ({ answer }: Answered): Tokens & { readonly active: boolean } =>
  JSON.parse(answer.body) as Tokens & { active: boolean }

/** Gets tokens for the client itself, and revokes half of them. */
export async function issueAndRevoke(load: Load): Promise<void> {
  const { recorder } = load
  const form = { grant_type: 'client_credentials', scope: 'invoices:read' }
  const issued = await put(load, post('client credentials', '/token', { basic: service, form }))
  if (!isAnswered(issued)) return
  const { access_token: token } = bodyOf(issued)
  const { jti } = claimsOf(token)
  recorder.add({ kind: 'issued', jti, ...issued.times })
  load.alive.push({ jti, token })
  if (load.random() < 0.5) return
  const revoked = await put(load, post('revoke', '/revoke', { basic: service, form: { token } }))
  if (!isAnswered(revoked)) return
  recorder.add({ kind: 'revoked', jti, ...revoked.times })
  load.dead.push({ jti, token })
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** A person signs in at one node and consents; null if that could not be completed. */
async function codeOf(load: Load): Promise<string | null> {
  try {
    const node = anyOf(load, load.nodes)
    return (await new Browser(node as CampaignNode).authorize()).get('code')
  } catch {
    await setTimeout(50)
    return null
  }
}

const redemption = (code: string): Question => ({
  what: 'redeem',
  of: nameOf(code),
  expected: [200, 400],
  ask: (http) => redeem(http, code),
})

async function redeemed(load: Load, code: string, node?: CampaignNode): Promise<Tokens | null> {
  const answered = await put(load, redemption(code), node)
  if (!isAnswered(answered) || answered.answer.status !== 200) return null
  const tokens = bodyOf(answered)
  const { jti } = claimsOf(tokens.access_token)
  load.recorder.add({
    kind: 'redeemed',
    code: nameOf(code),
    jti,
    token: nameOf(tokens.refresh_token),
    ...answered.times,
  })
  return tokens
}

/** Redeems one code at every node at the same time. */
export async function redeemEverywhere(load: Load): Promise<void> {
  const code = await codeOf(load)
  if (code === null) return
  const everywhere = load.nodes.length === 1 ? [...load.nodes, ...load.nodes] : load.nodes
  await Promise.all(everywhere.map((node) => redeemed(load, code, node)))
}

/** The holder of one grant, with its latest tokens. */
export interface Holder {
  tokens: Tokens | null
  /** The time at which the current refresh token was first sent; null if it was not. */
  triedAt: number | null
  /** Something may have ended the grant, or may still end it. */
  doubtful: boolean
}

export const newHolder = (): Holder => ({ tokens: null, triedAt: null, doubtful: false })

export async function refreshOrBegin(load: Load, holder: Holder): Promise<void> {
  if (holder.tokens === null) {
    const code = await codeOf(load)
    const tokens = code === null ? null : await redeemed(load, code)
    Object.assign(holder, { ...newHolder(), tokens })
  } else if (load.random() < 0.1) await endGrant(load, holder, holder.tokens)
  else await refreshHeld(load, holder, holder.tokens)
}

/** Refreshes once, or twice at the same time, as a client with two processes does. */
async function refreshHeld(load: Load, holder: Holder, { refresh_token: token }: Tokens): Promise<void> {
  const { recorder } = load
  holder.triedAt ??= recorder.now()
  const answers = await Promise.all(Array.from({ length: load.random() < 0.3 ? 2 : 1 }, () => refreshed(load, token)))
  if (answers.includes('given up')) holder.doubtful = true
  const given = answers.find((answer) => typeof answer === 'object')
  if (given !== undefined) {
    holder.tokens = given
    holder.triedAt = null
  } else if (answers.includes('refused')) {
    const triedFor = Math.round(recorder.now() - holder.triedAt)
    recorder.add({ kind: 'refused', token: nameOf(token), triedFor, doubtful: holder.doubtful })
    holder.tokens = null
  }
}

async function refreshed(load: Load, token: string): Promise<Tokens | 'refused' | NoAnswer> {
  const question: Question = {
    what: 'refresh',
    of: nameOf(token),
    expected: [200, 400],
    ask: (http) => refresh(http, token),
  }
  const answered = await put(load, question)
  if (!isAnswered(answered)) return answered
  if (answered.answer.status !== 200) return 'refused'
  const tokens = bodyOf(answered)
  const { jti } = claimsOf(tokens.access_token)
  load.recorder.add({
    kind: 'refreshed',
    from: nameOf(token),
    to: nameOf(tokens.refresh_token),
    jti,
    ...answered.times,
  })
  return tokens
}

/** Revokes the grant by its refresh token, and then tries to use it. */
async function endGrant(load: Load, holder: Holder, tokens: Tokens): Promise<void> {
  const { refresh_token: token, access_token: access } = tokens
  const { doubtful } = holder
  const question = post('revoke a grant', '/revoke', { basic: web, form: { token } }, nameOf(token))
  const revoked = await put(load, question)
  if (!isAnswered(revoked)) {
    holder.doubtful = true
    return
  }
  holder.tokens = null
  const { jti } = claimsOf(access)
  load.recorder.add({ kind: 'grant revoked', token: nameOf(token), jti, doubtful, ...revoked.times })
  load.dead.push({ jti, token: access })
  await refreshed(load, token)
}

export async function lookAt(load: Load, { jti, token }: KnownToken, node = anyOf(load, load.nodes)): Promise<void> {
  const answered = await put(load, post('introspect', '/introspect', { basic: service, form: { token } }), node)
  if (!isAnswered(answered)) return
  const { active } = bodyOf(answered)
  load.recorder.add({ kind: 'introspected', node: node?.number ?? 0, jti, active, ...answered.times })
}

export async function introspect(load: Load): Promise<void> {
  const known = anyOf(load, load.random() < 0.7 ? load.dead.slice(-200) : load.alive.slice(-200))
  if (known === undefined) await setTimeout(20)
  else await lookAt(load, known)
}

/** An administrator, who creates clients and deletes half of them. */
export class Administrator {
  #token: string | null = null
  #made = 0

  async act(load: Load): Promise<void> {
    const { recorder } = load
    this.#token ??= await this.#access(load)
    if (this.#token === null) return
    const client = `made-${this.#made++}`
    const made = await this.#call(load, client, 'PUT')
    if (made === null) return
    recorder.add({ kind: 'client made', client, ...made.times })
    if (load.random() < 0.5) return
    recorder.add({ kind: 'client delete tried', client, asked: recorder.now(), at: recorder.now() })
    const deleted = await this.#call(load, client, 'DELETE')
    if (deleted !== null) recorder.add({ kind: 'client deleted', client, ...deleted.times })
  }

  async #access(load: Load): Promise<string | null> {
    const form = { grant_type: 'client_credentials', scope: 'admin:clients:read admin:clients:write' }
    const answered = await put(load, post('token of an administrator', '/token', { basic: admin, form }))
    return isAnswered(answered) ? bodyOf(answered).access_token : null
  }

  async #call(load: Load, client: string, method: 'PUT' | 'DELETE'): Promise<Answered | null> {
    const body = JSON.stringify({ grant_types: ['client_credentials'], scope: 'invoices:read' })
    const how: HttpRequest = {
      method,
      bearer: this.#token ?? '',
      ...(method === 'PUT' ? { body, headers: [['content-type', 'application/json']] } : {}),
    }
    const question: Question = {
      what: `${method} a client`,
      of: client,
      // 401: the token is invalid because the clock was set back.
      expected: [200, 201, 204, 401],
      ask: ({ send }) => send(`/v1/clients/${client}`, how),
    }
    const answered = await put(load, question)
    if (!isAnswered(answered)) return null
    if (answered.answer.status !== 401) return answered
    this.#token = null
    return null
  }
}
