/** Clients under a failover: tokens, revocations, redemptions and refreshes over two nodes, and what they were told. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { ScriptedPerson } from '../../interop/person.ts'
import { claimsOf, type HttpResponse } from '../faults/http-client.ts'
import type { History } from '../faults/history.ts'
import { requestRevocation, requestToken, seed as service, tokenIn } from '../faults/service-client.ts'
import type { Node } from '../fleet/fleet.ts'

const web = ['web', 'zz9canary-web-secret-of-32-characters-long'] as const
const alice = { username: 'alice', password: 'correct-horse' }
const redirectUri = 'https://client.example/cb'
const verifier = 'v'.repeat(43)

export const declared = {
  ...service,
  users: [alice],
  clients: [
    ...service.clients,
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

/** What a client does until it is told to stop; `heard` counts what was acknowledged. */
export interface Load {
  readonly nodes: readonly Node[]
  readonly signal: AbortSignal
  heard(): void
}

/** 503 is no answer: the same is asked again a little later, of the next node. Anything but that and 200 is a failure. */
async function acknowledged(
  { nodes, signal, heard }: Load,
  ask: (node: Node) => Promise<HttpResponse>,
): Promise<HttpResponse | null> {
  for (let n = 0; !signal.aborted; n++) {
    const answer = await ask(nodes[n % nodes.length] as Node)
    if (answer.status === 503) {
      assert.match(String(answer.headers['retry-after']), /^\d+$/)
      await setTimeout(25)
      continue
    }
    assert.equal(answer.status, 200, answer.body)
    heard()
    return answer
  }
  return null
}

/** Asks for tokens, and revokes every one that it gets. */
export async function issueAndRevoke(load: Load, history: History): Promise<void> {
  for (;;) {
    const issued = await acknowledged(load, requestToken)
    if (issued === null) return
    const token = tokenIn(issued)
    history.issued.add(claimsOf(token).jti)
    if ((await acknowledged(load, (node) => requestRevocation(node, token))) === null) return
    history.revoked.set(claimsOf(token).jti, token)
  }
}

/** A client with one grant: it knows the last refresh token that it was given, and nothing else. */
export interface Holder {
  token: string
}

const refreshTokenIn = ({ body }: HttpResponse): string => (JSON.parse(body) as { refresh_token: string }).refresh_token

export const refresh = (node: Node, token: string): Promise<HttpResponse> =>
  node.send('/token', { basic: web, form: { grant_type: 'refresh_token', refresh_token: token } })

/** Whoever lost its answer asks again with what it has, and is never told that it is spent. */
export async function keepRefreshing(load: Load, holder: Holder): Promise<void> {
  for (;;) {
    const answer = await acknowledged(load, (node) => refresh(node, holder.token))
    if (answer === null) return
    holder.token = refreshTokenIn(answer)
  }
}

/** Both nodes are asked at once, and say the same. */
export async function assertOneSuccessor([one, other]: readonly Node[], holder: Holder): Promise<void> {
  const answers = await Promise.all([refresh(one as Node, holder.token), refresh(other as Node, holder.token)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  const [first, second] = answers.map(refreshTokenIn)
  assert.equal(first, second, 'one successor')
  holder.token = first ?? ''
}

/** Signs in once; every call is another code. Null while the server is away. */
export function codesOf(node: Node): { next(): Promise<string | null>; close(): Promise<void> } {
  const { port, ca } = node.server
  const origin = `https://localhost:${port}`
  const agent = new Agent({ connect: { ca: ca ?? '' } })
  const person = new ScriptedPerson((url, init) => fetch(url, { ...init, dispatcher: agent }), alice)
  const address = new URL(`${origin}/authorize`)
  address.search = new URLSearchParams({
    client_id: web[0],
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'invoices:read',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  return {
    next: () =>
      person.follow(address).then(
        (url) => url.searchParams.get('code'),
        () => null,
      ),
    close: () => agent.close(),
  }
}

const redeem = (node: Node, code: string): Promise<HttpResponse> =>
  node.send('/token', {
    basic: web,
    form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
  })

export async function grantOf(node: Node, code: string): Promise<Holder> {
  const answer = await redeem(node, code)
  assert.equal(answer.status, 200, answer.body)
  return { token: refreshTokenIn(answer) }
}

/** Redeems codes at both nodes at once and again until both have an answer: never is one code good twice. */
export async function redeemTwice({ nodes, signal, heard }: Load, codes: ReturnType<typeof codesOf>): Promise<void> {
  while (!signal.aborted) {
    const code = await codes.next()
    if (code === null) {
      await setTimeout(25)
      continue
    }
    const answers = await Promise.all(nodes.map((node) => settled(() => redeem(node, code), signal)))
    const good = answers.filter((status) => status === 200).length
    assert.ok(good <= 1, `a code was good ${good} times`)
    if (good === 1) heard()
  }
}

async function settled(ask: () => Promise<HttpResponse>, signal: AbortSignal): Promise<number> {
  for (;;) {
    const { status, body } = await ask()
    if (status !== 503 || signal.aborted) {
      assert.ok([200, 400, 503].includes(status), `${status} ${body}`)
      return status
    }
    await setTimeout(25)
  }
}
