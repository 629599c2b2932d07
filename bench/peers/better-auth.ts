/** better-auth as a contestant: its paths, and how its codes and sign-ins are prepared. */
import type { CodeSource } from '../codes.ts'
import { audience } from '../contestants/client.ts'
import { startProgram } from '../contestants/contestant.ts'
import { authorizationRequest, person } from '../contestants/web-client.ts'
import { type Compared, names } from './contestants.ts'
import { cookiesOf, forwardedHeaders, getPage, peopleSigningIn, type SignIns } from './sign-ins.ts'

const base = '/api/auth'
const address = `${base}/oauth2/authorize?${new URLSearchParams(authorizationRequest).toString()}`

const paths = {
  token: `${base}/oauth2/token`,
  introspect: `${base}/oauth2/introspect`,
  device: `${base}/device/code`,
}

type Person = typeof person

const emailOf = ({ username }: Person): string => `${username}@example.com`

export async function startBetterAuth(stack: AsyncDisposableStack): Promise<Compared> {
  const started = await startProgram('better-auth.ts', [], { NODE_ENV: 'production' })
  const contestant = stack.adopt(started, (one) => one.stop())
  const { port } = contestant
  for (const who of [person, ...peopleSigningIn]) await signUp(port, who)
  return {
    name: names.betterAuth,
    contestant,
    paths,
    resource: audience,
    codes: codesOfBrowser(port),
    signIns: () => betterAuthSignIns(port),
    requestsPerSignIn: 1,
    introspectsOpaque: false,
    lacks: ['pushed request', 'exchange'],
  }
}

async function signUp(port: number, who: Person): Promise<void> {
  const answer = await postJson(port, '/sign-up/email', { ...credentials(who), name: who.username })
  if (!answer.ok) throw new Error(`better-auth signed nobody up: ${answer.status} ${await answer.text()}`)
}

/** The Origin header that browsers send: it accepts forms of its own pages only. */
const originOf = (port: number): string => `https://localhost:${port}`

const credentials = (who: Person) => ({ email: emailOf(who), password: who.password })

const postJson = (port: number, path: string, body: object): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${base}${path}`, {
    method: 'POST',
    headers: {
      origin: originOf(port),
      'content-type': 'application/json',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '192.0.2.1',
    },
    body: JSON.stringify(body),
  })

/** The address to which it redirects the browser; a caller that is a script gets it in JSON. */
async function authorize(port: number, cookie?: string): Promise<URL> {
  const answer = await getPage(port, address, cookie)
  const { url } = (await answer.json()) as { url: string }
  return new URL(url, 'https://localhost')
}

/** Codes of one signed-in browser, one after another. */
function codesOfBrowser(port: number): CodeSource {
  let cookie: string | undefined
  return async (count) => {
    cookie ??= cookiesOf((await postJson(port, '/sign-in/email', credentials(person))).headers)
    const codes: string[] = []
    while (codes.length < count) {
      const code = (await authorize(port, cookie)).searchParams.get('code')
      if (code === null) throw new Error('better-auth gave no code')
      codes.push(code)
    }
    return codes
  }
}

/** It has no pages: an app's page sends the parameters that it was called with, and gets the address with the code. */
async function betterAuthSignIns(port: number): Promise<SignIns> {
  const requests: Buffer[] = []
  for (const who of peopleSigningIn) {
    const query = (await authorize(port)).search.slice(1)
    const body = JSON.stringify({ ...credentials(who), oauth_query: query })
    const head = `POST ${base}/sign-in/email HTTP/1.1\r\n${forwardedHeaders}Origin: ${originOf(port)}\r\n`
    requests.push(Buffer.from(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`))
  }
  return { requests, success: 200 }
}
