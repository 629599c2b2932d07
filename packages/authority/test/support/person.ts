/** A person at a browser, for tests: walks from /authorize to the client's answer. */
import { createHash } from 'node:crypto'
import type { Authority, CookieChanges, InteractionResponse, InteractionResult, Visitor } from '@grantor/authority'
import { type Form, formOf, type Refusal } from '@grantor/protocol/oauth'
import type { JsonObject, Secret } from '@grantor/protocol/types'
import { api, declaration, declare, type Deployment, machine, root } from './deployment.ts'

export const redirectUri = 'https://client.example/cb'

/** Adds a web client that may do everything a person can grant, another one, and two people. */
export async function declarePeople(deployment: Deployment, more: JsonObject = {}): Promise<void> {
  const web = (id: string): JsonObject => ({
    ...machine(id, 'openid profile email offline_access invoices:read invoices:write'),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: [redirectUri],
    ...more,
  })
  await declare(deployment, {
    ...declaration,
    clients: [...declaration.clients, web('web'), web('web2')],
    users: [
      {
        username: 'alice',
        password: 'correct-horse',
        name: 'Alice Doe',
        email: 'alice@example.com',
        email_verified: true,
      },
      { username: 'bob', password: 'battery-staple' },
    ],
  })
}

export const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

export const authorizeQuery = (more: Record<string, string> = {}): Form => {
  const query = new URLSearchParams({
    client_id: 'web',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid profile offline_access invoices:read',
    resource: api,
    state: 'xyz',
    nonce: 'n-0S6',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })
  return formOf(query)
}

export class PersonAtBrowser {
  browser: Secret | null = null
  sessions: readonly Secret[] = []
  pendingSecondFactor: string | null = null
  remembered: readonly Secret[] = []
  readonly authority: Authority

  constructor(authority: Authority) {
    this.authority = authority
  }

  visitor(): Visitor {
    return {
      tenant: root,
      browser: this.browser,
      sessions: this.sessions,
      pendingSecondFactor: this.pendingSecondFactor,
      remembered: this.remembered,
      ip: '192.0.2.9',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
      traceId: null,
    }
  }

  keep({ browser, sessions, pendingSecondFactor, remembered }: CookieChanges): void {
    this.browser = browser ?? this.browser
    this.sessions = sessions ?? this.sessions
    if (pendingSecondFactor !== undefined) this.pendingSecondFactor = pendingSecondFactor
    this.remembered = remembered ?? this.remembered
  }

  /** Begins, and says where it stands; the interaction is remembered for the steps. */
  async begin(form: Form = authorizeQuery()): Promise<Shown> {
    const begun = shownOf(await this.authority.browser.authorize(form, this.visitor()))
    if (begun.go !== 'hub') return begun
    this.keep(begun.cookies)
    this.interaction = begun.interaction
    return this.stand()
  }
  interaction: Secret = '' as Secret

  async stand(): Promise<Shown> {
    return shownOf(await this.authority.browser.continueInteraction(this.interaction, this.visitor()))
  }

  at() {
    return { interaction: this.interaction, visitor: this.visitor() }
  }

  async signIn(username = 'alice', password = 'correct-horse'): Promise<Shown> {
    const outcome = await this.authority.browser.signIn(this.at(), { username, password })
    if (outcome.kind === 'error') throw new Error(outcome.error.reason)
    if ('cookies' in outcome.value) this.keep(outcome.value.cookies)
    return this.stand()
  }

  async allow(...ticked: string[]): Promise<Shown> {
    await this.authority.browser.answerConsent(this.at(), { allow: true, ticked: new Set(ticked) })
    return this.stand()
  }

  async deny(): Promise<Shown> {
    await this.authority.browser.answerConsent(this.at(), { allow: false, ticked: new Set() })
    return this.stand()
  }

  /** From nothing to a code. */
  async code(form: Form = authorizeQuery()): Promise<string> {
    let shown = await this.begin(form)
    if (shown.go === 'login') shown = await this.signIn()
    if (shown.go === 'consent') shown = await this.allow()
    return codeOf(shown)
  }
}

/** What a browser shows: the step, or our own error page. */
export type Shown = InteractionResponse | { readonly go: 'error'; readonly refusal: Refusal }

export const shownOf = (result: InteractionResult): Shown =>
  result.kind === 'ok' ? result.value : { go: 'error', refusal: result.error }

export function answerOf(shown: Shown): URLSearchParams {
  if (shown.go !== 'answer') throw new Error(`no answer yet: ${shown.go}`)
  if (shown.response.mode === 'form_post') return new URLSearchParams(shown.response.fields.map(([k, v]) => [k, v]))
  return new URL(shown.response.location).searchParams
}

export function codeOf(shown: Shown): string {
  const answer = answerOf(shown)
  const code = answer.get('code')
  if (code === null) throw new Error(`no code: ${answer.toString()}`)
  return code
}

export const redemption = (code: string, more: Record<string, string> = {}): string =>
  new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...more,
  }).toString()

export const refreshing = (token: string, more: Record<string, string> = {}): string =>
  new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, ...more }).toString()
