/** An administrator at the console: signs in to its client, and calls the admin API with tokens bound to a key. */
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import type { CookieChanges, InteractionResponse, Visitor } from '@grantor/authority'
import { makeProof } from '@grantor/protocol/dpop'
import { formOf } from '@grantor/protocol/oauth'
import { consoleClient } from '@grantor/protocol/registration'
import type { Instant, Secret, TenantId } from '@grantor/protocol/types'
import type { FeedDeployment } from '../feed/feed-deployment.ts'
import type { CallAnswer, CallOptions } from '../feed/https-client.ts'

export const verifier = 'v'.repeat(43)

export interface SignIn {
  readonly username: string
  readonly password: string
  readonly tenant?: string
  readonly scope: string
  /** Two factors, as the record of the session has it: enrolling them is tested elsewhere. */
  readonly strong?: boolean
  /** Seconds since they signed in. */
  readonly ago?: number
  /** Another client than the console's, whose person says yes. */
  readonly client?: { readonly id: string; readonly redirectUri: string }
}

export interface ConsoleSession {
  readonly token: string
  readonly answer: Readonly<Record<string, unknown>>
  call(path: string, question?: CallOptions): Promise<CallAnswer>
}

/** Everything a browser keeps between two requests. */
class Browser {
  visitor: Visitor
  constructor(tenant: string) {
    this.visitor = {
      tenant: tenant as TenantId,
      browser: null,
      sessions: [],
      pendingSecondFactor: null,
      remembered: [],
      ip: '192.0.2.9',
      userAgent: 'test',
      traceId: null,
    }
  }

  keep({ browser, sessions, pendingSecondFactor, remembered }: CookieChanges): void {
    const { visitor } = this
    this.visitor = {
      ...visitor,
      browser: browser ?? visitor.browser,
      sessions: sessions ?? visitor.sessions,
      pendingSecondFactor: pendingSecondFactor === undefined ? visitor.pendingSecondFactor : pendingSecondFactor,
      remembered: remembered ?? visitor.remembered,
    }
  }
}

/** The parameters that the console is sent. */
export async function consoleAnswer(it: FeedDeployment, who: SignIn) {
  const { username, password, tenant, scope, client, strong = false, ago = 0 } = who
  const { authority, issuer } = it.deployment
  const browser = new Browser(tenant ?? 'default')
  const { origin } = new URL(it.running.issuer)
  const base = tenant === undefined ? '' : `/t/${tenant}`
  const query = new URLSearchParams({
    client_id: client?.id ?? consoleClient,
    response_type: 'code',
    redirect_uri: client?.redirectUri ?? `${issuer.of(browser.visitor.tenant)}/console/callback`,
    scope,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const begun = await authority.browser.authorize(formOf(query), browser.visitor)
  assert.ok(begun.kind === 'ok' && begun.value.go === 'hub', JSON.stringify(begun))
  browser.keep(begun.value.cookies)
  const { interaction } = begun.value as { interaction: Secret }
  const entered = await authority.browser.signIn({ interaction, visitor: browser.visitor }, { username, password })
  assert.ok(entered.kind === 'ok' && 'cookies' in entered.value, JSON.stringify(entered))
  browser.keep(entered.value.cookies)
  if (strong)
    await it.tamper(
      `update sessions set acr = 'urn:grantor:acr:2fa', authenticated_at = authenticated_at - ${ago * 1000}`,
    )
  if (client !== undefined)
    await authority.browser.answerConsent({ interaction, visitor: browser.visitor }, { allow: true, ticked: new Set() })
  const stood = await authority.browser.continueInteraction(interaction, browser.visitor)
  assert.ok(stood.kind === 'ok', JSON.stringify(stood))
  return { address: addressOf(stood.value), url: `${origin}${base}/token` }
}

const addressOf = (response: InteractionResponse): URL => {
  assert.ok(response.go === 'answer' && 'location' in response.response, JSON.stringify(response))
  return new URL(response.response.location)
}

export async function consoleSession(it: FeedDeployment, who: SignIn): Promise<ConsoleSession> {
  const { address, url } = await consoleAnswer(it, who)
  const code = address.searchParams.get('code')
  assert.ok(code !== null, address.href)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const proof = (method: string, to: string, accessToken?: string) =>
    makeProof(privateKey, {
      method,
      url: to,
      now: Date.now() as Instant,
      ...(accessToken === undefined ? {} : { accessToken }),
    })
  const redeemed = await it.ask(new URL(url).pathname, {
    form: {
      grant_type: 'authorization_code',
      client_id: who.client?.id ?? consoleClient,
      code,
      code_verifier: verifier,
      redirect_uri: `${address.origin}${address.pathname}`,
    },
    headers: { dpop: proof('POST', url) },
  })
  assert.equal(redeemed.status, 200, redeemed.body)
  const answer = redeemed.json()
  const token = String(answer['access_token'])
  const home = url.slice(0, -'/token'.length)
  return {
    token,
    answer,
    call(path, question = {}) {
      const method = question.method ?? (question.json === undefined && question.body === undefined ? 'GET' : 'POST')
      const to = `${home}${path}`
      const headers = { authorization: `DPoP ${token}`, dpop: proof(method, to.split('?')[0] ?? to, token) }
      return it.ask(to, { ...question, headers: { ...headers, ...question.headers } })
    },
  }
}
