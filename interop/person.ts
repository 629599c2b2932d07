/** A person at a browser, played by plain form posts: signs in and allows whatever the page asks, until the client is reached. */

import { AuthenticatorApp } from './authenticator-app.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

type Fetch = (url: string, init?: object) => Promise<Response>

export class ScriptedPerson {
  readonly #fetch: Fetch
  readonly #who: Credentials
  readonly #cookies = new Map<string, string>()
  /** Set up here or elsewhere; null until then. */
  app: AuthenticatorApp | null = null
  /** For whoever has no app at hand. */
  recoveryCode: string | null = null

  constructor(fetch: Fetch, who: Credentials) {
    this.#fetch = fetch
    this.#who = who
  }

  /** Follows an authorization request to where the answer is sent; `decide` is the button pressed on the way. */
  async follow(address: URL, decide: 'allow' | 'deny' = 'allow'): Promise<URL> {
    const { origin } = address
    let next = { url: address, form: null as URLSearchParams | null }
    for (let steps = 0; steps < 12; steps++) {
      const response = await this.#ask(next.url, next.form)
      const location = response.headers.get('location')
      if (location !== null) {
        const target = new URL(location, next.url)
        if (target.origin !== origin) return target
        next = { url: target, form: null }
        continue
      }
      const page = await response.text()
      const button = this.#buttonOf(page) ?? decide
      next = { url: new URL(actionOf(page, button), origin), form: this.#filled(page, button) }
    }
    throw new Error('the way to the client does not end')
  }

  /** Types the code of a device, decides, and tells what the last page says of it. */
  async answerDevice(
    { verification_uri: page, user_code: code }: { readonly verification_uri: string; readonly user_code: string },
    decide: 'allow' | 'deny',
  ): Promise<string> {
    let next = { url: new URL(page), form: null as URLSearchParams | null }
    for (let steps = 0; steps < 12; steps++) {
      const response = await this.#ask(next.url, next.form)
      const location = response.headers.get('location')
      const shown = location === null ? await response.text() : ''
      const end = /id="device-(\w+)"/.exec(shown)?.[1]
      if (end !== undefined) return end
      if (location !== null) next = { url: new URL(location, next.url), form: null }
      else {
        const button = ['confirm', 'sign-in'].find((it) => shown.includes(`id="${it}"`)) ?? decide
        const form = this.#filled(shown, button)
        if (button === 'confirm') form.set('user_code', code)
        next = { url: new URL(actionOf(shown, button), next.url), form }
      }
    }
    throw new Error('the way through the device page does not end')
  }

  /** Answers a request by the back channel (CIBA) on the account page, and tells what the last page says of it. */
  async answerRequest(issuer: URL, decide: 'allow' | 'deny', which: 'oldest' | 'newest' = 'oldest'): Promise<string> {
    const requests = new URL('/account/requests', issuer)
    let next = { url: requests, form: null as URLSearchParams | null }
    let chosen = which === 'oldest'
    for (let steps = 0; steps < 12; steps++) {
      const response = await this.#ask(next.url, next.form)
      const location = response.headers.get('location')
      const shown = location === null ? await response.text() : ''
      const end = /id="request-(\w+)"/.exec(shown)?.[1]
      if (end !== undefined) return end
      if (location !== null) next = { url: new URL(location, next.url), form: null }
      else if (!chosen && shown.includes('id="allow"')) {
        chosen = true
        const [, newest = ''] = [...shown.matchAll(/href="([^"]+\?request=[\w-]+)"/g)].at(-1) ?? []
        next = { url: new URL(newest, next.url), form: null }
      } else {
        const button = this.#buttonOf(shown) ?? decide
        const form = this.#filled(shown, button)
        next = { url: new URL(actionOf(shown, button), next.url), form }
      }
    }
    throw new Error('the way through the page of requests does not end')
  }

  /** Signs in to the account pages and sets up an authenticator app there; returns the recovery codes. */
  async setUpApp(issuer: URL): Promise<readonly string[]> {
    const at = (path: string) => new URL(path, issuer)
    const login = await (await this.#ask(at('/account'), null)).text()
    await this.#ask(at(actionOf(login, 'sign-in')), this.#filled(login, 'sign-in'))
    const page = await (await this.#ask(at('/account/sign-in-methods/authenticator'), null)).text()
    this.app = new AuthenticatorApp(/id="secret">([A-Z2-7 ]+)</.exec(page)?.[1] ?? '')
    const form = this.#filled(page, 'confirm')
    const done = await (await this.#ask(at(actionOf(page, 'confirm')), form)).text()
    return [...done.matchAll(/<code>([\w-]{19})<\/code>/g)].map(([, code = '']) => code)
  }

  #buttonOf(page: string): string | undefined {
    if (this.recoveryCode !== null && page.includes('id="recover"')) return 'recover'
    return page.includes('id="sign-in"') ? 'sign-in' : undefined
  }

  #filled(page: string, button: string): URLSearchParams {
    const hidden = formOf(page, button).matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)
    const carried = Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]))
    // Boxes stay as they are: what is optional is ticked.
    const ticked = page.matchAll(/type="checkbox" id="[^"]*" name="([^"]+)" value="yes" checked/g)
    const boxes = Object.fromEntries([...ticked].map(([, name = '']) => [name, 'yes']))
    return new URLSearchParams({ ...carried, ...this.#who, ...this.#further(page, button), ...boxes, [button]: 'yes' })
  }

  #further(page: string, button: string): Readonly<Record<string, string>> {
    if (button === 'recover') return { recovery_code: this.recoveryCode ?? '' }
    return this.app !== null && page.includes('name="otp"') ? { otp: this.app.code() } : {}
  }

  async #ask(url: URL, form: URLSearchParams | null): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.#fetch(url.href, {
      redirect: 'manual',
      method: form === null ? 'GET' : 'POST',
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === null ? {} : { body: form.toString() }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      this.#cookies.set(name, value)
    }
    return response
  }
}

/** The form that holds the button. */
function formOf(page: string, button: string): string {
  const form = page.split('<form ').find((part) => part.includes(`id="${button}"`))
  if (form === undefined) throw new Error(`no form with ${button}:\n${page}`)
  return form
}

const actionOf = (page: string, button: string): string => /action="([^"]+)"/.exec(formOf(page, button))?.[1] ?? ''
