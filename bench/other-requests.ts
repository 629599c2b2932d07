/** Introspection and revocation requests to be measured, with tokens issued beforehand. */
import { clientId, clientSecret, tokenRequest } from './contestants/client.ts'
import type { Contestant } from './contestants/contestant.ts'
import { applyLoad, formRequest } from './load.ts'
import type { Participant, Plan } from './measure.ts'

async function issued({ port }: Contestant, count: number): Promise<readonly string[]> {
  const request = tokenRequest()
  const tokens: string[] = []
  const answered = (_status: number, body: string): void =>
    void tokens.push((JSON.parse(body) as { access_token: string }).access_token)
  await applyLoad({ port, request: () => request, answered, connections: 32, requests: count })
  return tokens
}

const about = (path: string, token: string): Buffer =>
  formRequest({ path, basic: [clientId, clientSecret], form: { token } })

/** Introspects the same hundred live tokens again and again. */
export async function introspections(name: string, contestant: Contestant): Promise<Participant> {
  const requests = (await issued(contestant, 100)).map((token) => about('/introspect', token))
  let next = 0
  return { name, contestant, requests: () => () => requests[next++ % requests.length] as Buffer }
}

/** More revocations per second than one machine can do. */
const mostPerSecond = 12_000

/** Revokes every token once; a round that runs out of tokens fails, because it would measure repeated revocations. */
export async function revocations(name: string, contestant: Contestant, plan: Plan): Promise<Participant> {
  const count = plan.warmUp + Math.ceil((plan.rounds * plan.milliseconds * mostPerSecond) / 1000)
  const requests = (await issued(contestant, count)).map((token) => about('/revoke', token))
  const next = (): Buffer => {
    const request = requests.pop()
    if (request === undefined) throw new Error(`${name}: more revocations than tokens`)
    return request
  }
  return { name, contestant, requests: () => next }
}
