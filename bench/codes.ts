/** Authorization codes and refresh tokens, made before the measurement uses them. */
import { ScriptedPerson } from '../interop/person.ts'
import type { Contestant } from './contestants/contestant.ts'
import { authorizationRequest, person, redemption } from './contestants/web-client.ts'
import { applyLoad } from './load.ts'

export type CodeSource = (count: number) => Promise<readonly string[]>

const issuer = 'https://localhost:8443'
const concurrency = 16

/** The real way: /authorize, the hub, and a redirect with a code. Sign-in and consent happen once, at the beginning. */
export async function codesByAuthorizing({ port }: Contestant): Promise<CodeSource> {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
  const throughProxy = (url: string, init: RequestInit = {}): Promise<Response> =>
    fetch(url.replace(issuer, `http://127.0.0.1:${port}`), {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...forwarded },
    })
  const alice = new ScriptedPerson(throughProxy, person)
  const address = new URL(`${issuer}/authorize`)
  address.search = new URLSearchParams(authorizationRequest).toString()
  const one = async (): Promise<string> => {
    const answer = await alice.follow(address)
    const code = answer.searchParams.get('code')
    if (code === null) throw new Error(`no code: ${answer.search}`)
    return code
  }
  await one()
  return async (count) => {
    const codes: string[] = []
    let begun = 0
    const worker = async (): Promise<void> => {
      while (begun++ < count) codes.push(await one())
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    return codes
  }
}

/** Codes that the peer's program makes through its models. */
export const codesFromProgram =
  ({ port }: Contestant): CodeSource =>
  async (count) =>
    (await (await fetch(`http://127.0.0.1:${port}/new-codes/${count}`)).json()) as readonly string[]

interface Granted {
  readonly access_token: string
  readonly id_token: string
  readonly refresh_token: string
}

/** Fails if a token is missing or signed with a cheaper algorithm: that contestant would be measured doing less. */
export function granted(status: number, body: string): Granted {
  const answer = status === 200 ? (JSON.parse(body) as Partial<Granted>) : {}
  const { access_token, id_token, refresh_token } = answer
  if (refresh_token === undefined || !isEs256(access_token) || !isEs256(id_token)) throw new Error(`${status}: ${body}`)
  return { access_token, id_token, refresh_token }
}

function isEs256(token: string | undefined): token is string {
  const [head = '', , signature] = token?.split('.') ?? []
  if (signature === undefined) return false
  return (JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string }).alg === 'ES256'
}

export async function refreshTokens(
  { port }: Contestant,
  codes: readonly string[],
  path = '/token',
): Promise<readonly string[]> {
  const tokens: string[] = []
  const waiting = codes.values()
  await applyLoad({
    port,
    request: () => redemption(waiting.next().value as string, path),
    answered: (status, body) => void tokens.push(granted(status, body).refresh_token),
    connections: 16,
    requests: codes.length,
  })
  return tokens
}
