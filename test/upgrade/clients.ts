/** Clients and people during an upgrade: each step at another node, of whatever version, and nothing that is valid is refused. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Agent, fetch } from 'undici'
import { ScriptedPerson } from '../../interop/person.ts'
import type { History } from '../faults/history.ts'
import { claimsOf, type HttpRequest, type HttpResponse } from '../faults/http-client.ts'
import { requestIntrospection, requestRevocation, requestToken, seed, tokenIn } from '../faults/service-client.ts'
import { issuer, type Node } from '../fleet/fleet.ts'

const web = ['web', 'zz9canary-web-secret-of-32-characters-long'] as const
const alice = { username: 'alice', password: 'correct-horse' }
const redirectUri = 'https://client.example/cb'
const verifier = 'v'.repeat(43)

export const declared = {
  ...seed,
  users: [alice],
  clients: [
    ...seed.clients,
    {
      client_id: web[0],
      client_secret: web[1],
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'invoices:read',
    },
  ],
}

/** What a balancer knows: the nodes that are asked, one after the other; one that is taken out finishes what it was asked. */
export class Balancer {
  readonly #nodes = new Map<Node, number>()
  /** Taken out, and not idle yet. */
  readonly #open = new Map<Node, number>()
  readonly #idle = new Map<Node, () => void>()
  #turn = 0

  add(node: Node): void {
    this.#nodes.set(node, 0)
  }

  /** Resolves when the node has answered all that it was asked. */
  async remove(node: Node): Promise<void> {
    const open = this.#nodes.get(node) ?? 0
    this.#nodes.delete(node)
    if (open === 0) return
    this.#open.set(node, open)
    await new Promise<void>((idle) => this.#idle.set(node, idle))
  }

  async ask<T>(work: (node: Node) => Promise<T>): Promise<T> {
    const nodes = [...this.#nodes.keys()]
    const node = nodes[this.#turn++ % nodes.length]
    assert.ok(node !== undefined, 'some node is asked')
    this.#count(node, 1)
    try {
      return await work(node)
    } finally {
      this.#count(node, -1)
    }
  }

  #count(node: Node, by: 1 | -1): void {
    const list = this.#nodes.has(node) ? this.#nodes : this.#open
    const open = (list.get(node) ?? 0) + by
    list.set(node, open)
    if (list === this.#open && open === 0) this.#idle.get(node)?.()
  }

  send = async (path: string, question: HttpRequest): Promise<HttpResponse> => {
    const answer = await this.ask((node) => node.send(path, question))
    assert.equal(answer.status, 200, `${path}: ${answer.body}`)
    return answer
  }
}

/** One round of everything; `history` is held against the log at the end. */
export interface Clients {
  /** Works until the signal; resolves then, and rejects where something valid was refused. */
  work(signal: AbortSignal): Promise<void>
  readonly rounds: { count: number }
}

/** What is never good again, at any node. */
export interface Dead {
  readonly tokens: string[]
  readonly refreshTokens: string[]
}

export function clientsOf(balancer: Balancer, history: History, dead: Dead): Clients {
  const rounds = { count: 0 }
  const until = async (signal: AbortSignal, round: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      await round()
      rounds.count += 1
    }
  }
  return {
    rounds,
    async work(signal) {
      const holder = { token: await grantOf(balancer) }
      await Promise.all([
        ...Array.from({ length: 3 }, () => until(signal, () => issueAndRevoke(balancer, history, dead))),
        until(signal, async () => void (holder.token = await refreshed(balancer, holder.token))),
        until(signal, () => signInAndEnd(balancer, dead)),
      ])
    },
  }
}

async function issueAndRevoke(balancer: Balancer, history: History, dead: Dead): Promise<void> {
  const token = tokenIn(await requestToken(balancer))
  history.issued.add(claimsOf(token).jti)
  await assertActive(balancer, token, true)
  await requestRevocation(balancer, token)
  history.revoked.set(claimsOf(token).jti, token)
  dead.tokens.push(token)
  await assertActive(balancer, token, false)
}

/** A grant from its beginning at one node to its end at another. */
async function signInAndEnd(balancer: Balancer, dead: Dead): Promise<void> {
  const first = await grantOf(balancer)
  const second = await refreshed(balancer, first)
  await balancer.send('/revoke', { basic: web, form: { token: second } })
  dead.refreshTokens.push(second)
}

export async function refreshed(balancer: Balancer, token: string): Promise<string> {
  return refreshTokenIn(
    await balancer.send('/token', { basic: web, form: { grant_type: 'refresh_token', refresh_token: token } }),
  )
}

export async function assertActive(balancer: Balancer, token: string, active: boolean): Promise<void> {
  const { body } = await requestIntrospection(balancer, token)
  assert.equal((JSON.parse(body) as { active: boolean }).active, active)
}

/** Signs in, each page from another node, and redeems the code at yet another. */
export async function grantOf(balancer: Balancer): Promise<string> {
  const agent = new Agent({ connect: { ca: await balancer.ask(async ({ server }) => server.ca ?? '') } })
  const person = new ScriptedPerson(
    (url, init) =>
      balancer.ask(({ server }) =>
        fetch(url.replace(issuer, `https://localhost:${server.port}`), { ...init, dispatcher: agent }),
      ),
    alice,
  )
  const address = new URL(`${issuer}/authorize`)
  address.search = new URLSearchParams({
    client_id: web[0],
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'invoices:read',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const code = (await person.follow(address)).searchParams.get('code')
  await agent.close()
  assert.ok(code !== null, 'a code')
  return refreshTokenIn(
    await balancer.send('/token', {
      basic: web,
      form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
    }),
  )
}

const refreshTokenIn = ({ body }: HttpResponse): string => (JSON.parse(body) as { refresh_token: string }).refresh_token

/** Asks every node: what was revoked, or the last so many of it, is dead there. */
export async function assertDead(nodes: readonly Node[], dead: Dead, last = Number.POSITIVE_INFINITY): Promise<void> {
  const refused = async (node: Node, token: string): Promise<void> => {
    const form = { grant_type: 'refresh_token', refresh_token: token }
    assert.equal((await node.send('/token', { basic: web, form })).status, 400)
  }
  const inactive = async (node: Node, token: string): Promise<void> =>
    assert.deepEqual(JSON.parse((await requestIntrospection(node, token)).body), { active: false })
  for (const node of nodes) {
    for (let tokens = dead.tokens.slice(-last); tokens.length > 0;)
      await Promise.all(tokens.splice(0, 20).map((token) => inactive(node, token)))
    for (const token of dead.refreshTokens.slice(-last)) await refused(node, token)
  }
}
