/** Who is signed in, and their calls: the token is in memory only, renewed before it ends, and sent with a proof of its key. */
import * as oauth from 'oauth4webapi'
import type { Authorization, SignedIn, SignInDemand } from './authorization.ts'
import { draftsToKeep } from './drafts.ts'
import { endpointProblem, isRefusal } from './endpoint-problem.ts'

/** Why nothing can be sent any more until the person has signed in again. */
export type Interruption = { readonly kind: 'ended' } | { readonly kind: 'stronger'; readonly demand: SignInDemand }

/** Thrown at whoever called; the page asks for the sign-in, the form keeps what was typed. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded'
}

/** Renewed this long before its end: longer than any call takes. */
const margin = 30_000

/** Questions that are asked by POST. */
const question =
  /\/v1\/(?:settings\/check|scopes\/consent|users\/invitations|tenants\/[^/]+\/preview-branding|(?:webhooks|streams)\/[^/]+\/deliveries)$/

/** What a page asks by itself, again and again. */
const isRead = ({ method, url }: Request): boolean => method === 'GET' || question.test(new URL(url).pathname)

export class Session {
  readonly #authorization: Authorization
  #signedIn: SignedIn
  /** Whether there is a session still. */
  #renewal: Promise<boolean> | null = null
  #interruption: Interruption | null = null
  /** "Not now" was said to the end: what pages read by themselves is refused in silence. */
  #isQuiet = false
  readonly #listeners = new Set<() => void>()

  constructor(authorization: Authorization, signedIn: SignedIn) {
    this.#authorization = authorization
    this.#signedIn = signedIn
  }

  get person(): Pick<SignedIn, 'name' | 'subject' | 'sessionId'> {
    return this.#signedIn
  }

  get interruption(): Interruption | null {
    return this.#interruption
  }

  /** Whether the token holds a scope; null asks for none. */
  readonly may = (scope: string | null): boolean => scope === null || this.#signedIn.scope.has(scope)

  /** Whether there is anything to see for this person. */
  get isAdministrator(): boolean {
    return [...this.#signedIn.scope].some((scope) => scope.startsWith('admin:'))
  }

  /** For React: called when the interruption changes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Leaves for the sign-in page, and returns here with what was typed. */
  readonly signInAgain = (): Promise<never> =>
    this.#authorization.begin({
      returnTo: location.pathname + location.search + location.hash,
      subject: this.#signedIn.subject,
      drafts: draftsToKeep(),
      ...(this.#interruption?.kind === 'stronger' ? { demand: this.#interruption.demand } : {}),
    })

  readonly dismiss = (): void => {
    if (this.#interruption?.kind === 'ended') this.#isQuiet = true
    this.#interrupt(null)
  }

  /** The person does something themselves: what is read next asks for the sign-in again. */
  readonly askAgain = (): void => void (this.#isQuiet = false)

  readonly signOut = (): void => location.assign(this.#authorization.signOutUrl(this.#signedIn.idToken))

  /** As `fetch`. */
  readonly fetch = async (request: Request): Promise<Response> => {
    // Not every browser says by `request.body` whether there is one, and none sends an empty one with a GET.
    const body = (await request.text()) || null
    if (this.#signedIn.expiresAt - margin < Date.now()) await this.#renew(request)
    return this.#send(request, body, { nonce: true, renewal: true })
  }

  async #send(
    request: Request,
    body: string | null,
    retries: { readonly nonce: boolean; readonly renewal: boolean },
  ): Promise<Response> {
    try {
      return await oauth.protectedResourceRequest(
        this.#signedIn.accessToken,
        request.method,
        new URL(request.url),
        request.headers,
        body,
        { DPoP: this.#authorization.proof, signal: request.signal },
      )
    } catch (error) {
      if (retries.nonce && oauth.isDPoPNonceError(error)) return this.#send(request, body, { ...retries, nonce: false })
      if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error
      const parameters = error.cause[0]?.parameters
      if (parameters?.error === 'insufficient_user_authentication') {
        const { acr_values: acrValues, max_age: maxAge } = parameters
        const demand = {
          ...(acrValues === undefined ? {} : { acrValues }),
          ...(maxAge === undefined ? {} : { maxAge }),
        }
        this.#interrupt({ kind: 'stronger', demand })
        throw new SignInNeeded('a stronger sign-in is needed')
      }
      if (error.status !== 401) return error.response
      if (!retries.renewal) return this.#end(request)
      await this.#renew(request)
      return this.#send(request, body, { ...retries, renewal: false })
    }
  }

  /** One at a time: a refresh token is used once. */
  async #renew(request: Request): Promise<void> {
    this.#renewal ??= this.#renewed().finally(() => (this.#renewal = null))
    if (!(await this.#renewal)) this.#end(request)
  }

  async #renewed(): Promise<boolean> {
    if (this.#signedIn.refreshToken === null) return false
    try {
      this.#signedIn = await this.#authorization.refresh(this.#signedIn)
      return true
    } catch (error) {
      // A limit or an outage is not the end: the call fails and can be made again.
      if (!isRefusal(error)) throw endpointProblem(error)
      this.#signedIn = { ...this.#signedIn, refreshToken: null, expiresAt: 0 }
      return false
    }
  }

  #end(request: Request): never {
    if (!this.#isQuiet || !isRead(request)) this.#interrupt({ kind: 'ended' })
    throw new SignInNeeded('the session has ended')
  }

  #interrupt(interruption: Interruption | null): void {
    this.#interruption = interruption
    for (const listener of this.#listeners) listener()
  }
}
