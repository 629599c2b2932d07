/** A person’s browser between several servers: keeps the cookies of each, goes where it is sent, and sends forms as they are. */
import { Agent, fetch } from 'undici'

export interface Page {
  readonly status: number
  readonly url: URL
  readonly body: string
}

const mostSteps = 20

export class FormBrowser implements AsyncDisposable {
  readonly #agent: Agent
  readonly #cookies = new Map<string, Map<string, string>>()

  /** `ca`: who signs for the servers. */
  constructor(ca: readonly string[]) {
    this.#agent = new Agent({ connect: { ca: [...ca] } })
  }

  /** The page that this address leads to. */
  open(url: string): Promise<Page> {
    return this.#follow(new URL(url), null)
  }

  /** Sends the form that holds `mark`, as the page has it, with what is typed into it. */
  submit(page: Page, mark: string, typed: Readonly<Record<string, string>> = {}): Promise<Page> {
    const form = page.body.split(/<form\b/i).find((part) => part.includes(mark))
    if (form === undefined) throw new Error(`no form with ${mark} at ${page.url.href}:\n${page.body}`)
    const action = attribute(form, 'action') ?? ''
    const fields = new URLSearchParams()
    for (const [input] of form.split(/<\/form>/i)[0]?.matchAll(/<input\b[^>]*>/gi) ?? []) {
      const name = attribute(input, 'name')
      if (name !== null && attribute(input, 'type')?.toLowerCase() === 'hidden')
        fields.set(name, attribute(input, 'value') ?? '')
    }
    for (const [name, value] of Object.entries(typed)) fields.set(name, value)
    return this.#follow(new URL(action, page.url), fields)
  }

  async #follow(address: URL, form: URLSearchParams | null): Promise<Page> {
    let [url, body] = [address, form]
    for (let steps = 0; steps < mostSteps; steps++) {
      const response = await fetch(url.href, {
        dispatcher: this.#agent,
        redirect: 'manual',
        method: body === null ? 'GET' : 'POST',
        headers: { cookie: this.#cookiesOf(url), accept: 'text/html' },
        ...(body === null ? {} : { body }),
      })
      this.#keep(url, response.headers.getSetCookie())
      const location = response.headers.get('location')
      if (location === null) return { status: response.status, url, body: await response.text() }
      await response.body?.cancel()
      ;[url, body] = [new URL(location, url), null]
    }
    throw new Error(`the way from ${address.href} does not end`)
  }

  #cookiesOf({ host }: URL): string {
    return [...(this.#cookies.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #keep({ host }: URL, lines: readonly string[]): void {
    const kept = this.#cookies.get(host) ?? new Map<string, string>()
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) kept.delete(name)
      else kept.set(name, value)
    }
    this.#cookies.set(host, kept)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#agent.close()
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'", '#x2F': '/' }

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag)
  const value = found?.[1] ?? found?.[2]
  return value === undefined
    ? null
    : value.replace(/&(\w+|#\w+);/g, (whole, entity: string) => entities[entity] ?? whole)
}
