/**
 * A browser as the conformance suite drives one: requests, cookies, forms by the ids of their fields and buttons.
 * `plain` runs no script and sends no Sec-Fetch headers; `htmlunit` sends those that HtmlUnit always sends, whatever the
 * truth, and does what the scripts of our pages do.
 */
import assert from 'node:assert/strict'
import { formsIn, framesIn, type HtmlForm, linkOf } from './html.ts'

/** The platform's, trusting the server's local CA and nothing else. */
export type Fetch = (url: string, init?: object) => Promise<Response>

export type BrowserKind = 'plain' | 'htmlunit'

/** A page of ours that waits for a person. */
export interface Page {
  readonly at: 'page'
  readonly url: URL
  readonly status: number
  readonly body: string
}

/** What arrived at a client's redirect URI. */
export interface Arrival {
  readonly at: 'client'
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly query: URLSearchParams
  readonly body: URLSearchParams
}

const mostRedirects = 10

const htmlunit = {
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-user': '?1',
}

interface BrowserContext {
  readonly issuer: URL
  readonly fetch: Fetch
  readonly kind: BrowserKind
}

export class Browser {
  readonly #cookies = new Map<string, string>()
  readonly #context: BrowserContext
  /** What pages of ours have shown in frames. */
  readonly frames: URL[] = []

  constructor(context: BrowserContext) {
    this.#context = context
  }

  get = (url: string): Promise<Page | Arrival> => this.#go('GET', new URL(url), null)

  post = (url: string, fields: URLSearchParams, headers: Readonly<Record<string, string>> = {}) =>
    this.#go('POST', new URL(url), fields, headers)

  /** Fills the fields by name and presses the button. */
  press(page: Page, button: string, typed: Readonly<Record<string, string>> = {}): Promise<Page | Arrival> {
    const form = formsIn(page.body).find((it) => it.buttons.has(button))
    assert.ok(form, `no form of this page has a button ${button}:\n${page.body}`)
    for (const name of Object.keys(typed)) assert.ok(form.fields.has(name), `the form has no field ${name}`)
    const sent = new Map([...form.fields, ...Object.entries(typed), [button, form.buttons.get(button) ?? ''] as const])
    sent.delete('')
    return this.#submit(form, page, new URLSearchParams([...sent]))
  }

  #submit(form: HtmlForm, page: Page, fields: URLSearchParams): Promise<Page | Arrival> {
    assert.equal(form.method.toLowerCase(), 'post')
    return this.#go('POST', new URL(form.action, page.url), fields)
  }

  async #go(
    method: 'GET' | 'POST',
    url: URL,
    fields: URLSearchParams | null,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Page | Arrival> {
    let [how, to, body] = [method, url, fields]
    for (let hops = 0; hops < mostRedirects; hops++) {
      if (to.origin !== this.#context.issuer.origin) return arrival(how, to, body)
      const response = await this.#send(how, to, { body, headers })
      const location = response.headers.get('location')
      if (location === null)
        return this.#show({ at: 'page', url: to, status: response.status, body: await response.text() })
      assert.equal(response.status, 303, 'a redirect turns every method into GET')
      ;[how, to, body] = ['GET', new URL(location, to), null]
    }
    throw new Error(`more than ${mostRedirects} redirects`)
  }

  async #send(
    method: string,
    url: URL,
    { body, headers }: { readonly body: URLSearchParams | null; readonly headers: Readonly<Record<string, string>> },
  ): Promise<Response> {
    const response = await this.#context.fetch(url.href, {
      method,
      redirect: 'manual',
      body: body?.toString(),
      headers: {
        accept: 'text/html',
        ...(body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(this.#cookies.size === 0 ? {} : { cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; ') }),
        ...(this.#context.kind === 'htmlunit' ? htmlunit : {}),
        ...headers,
      },
    })
    for (const set of response.headers.getSetCookie()) this.#keep(set)
    return response
  }

  #keep(set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
    if (/;\s*Max-Age=0\b/i.test(set)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }

  /** What becomes of a page before a person can touch it: a script goes on, or somebody presses its only button. */
  #show(page: Page): Promise<Page | Arrival> | Page {
    this.frames.push(...framesIn(page.body).map((address) => new URL(address)))
    const [form] = formsIn(page.body)
    const leaves = form !== undefined && new URL(form.action, page.url).origin !== page.url.origin
    if (leaves) return this.#submit(form, page, new URLSearchParams([...form.fields]))
    const onward = linkOf(page.body, 'onward')
    return onward === null ? page : this.#go('GET', new URL(onward, page.url), null)
  }
}

const arrival = (method: 'GET' | 'POST', url: URL, body: URLSearchParams | null): Arrival => ({
  at: 'client',
  method,
  url,
  query: url.searchParams,
  body: body ?? new URLSearchParams(),
})
