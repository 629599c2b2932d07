/** Receipts of revocations: which change has one, by its `Link` (RFC 8631), and what has become of it so far. */
import type { Middleware } from 'openapi-fetch'
import { type AdminApi, answered, type Schemas } from './client.ts'
import { readPage } from './lists.ts'

export type Receipt = Schemas['Revocations']

/** Tells whoever listens where the receipt is of what was just revoked. */
export class ReceiptLinks {
  readonly #listeners = new Set<(link: string) => void>()

  readonly subscribe = (listener: (link: string) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Sees every answer of the API: no page has to know which of its changes revoke. */
  readonly middleware: Middleware = {
    onResponse: ({ request, response }) => {
      const link = request.method === 'GET' || !response.ok ? null : statusLink(response.headers.get('link'))
      if (link !== null) for (const listener of this.#listeners) listener(link)
    },
  }
}

export const statusLink = (header: string | null): string | null =>
  /<([^>]+\/revocations\?[^>]+)>; rel="status"/.exec(header ?? '')?.[1] ?? null

/** Milliseconds between two looks: soon at first, and seldom where somebody is waited for long. */
const [lookAgain, atLeast, longer] = [400, 2000, 1.5]

/** Ends with the first receipt for which nobody is waited any more. */
export async function* followReceipt(api: AdminApi, link: string, signal: AbortSignal): AsyncGenerator<Receipt> {
  const query = Object.fromEntries(new URL(link, location.origin).searchParams)
  let [receipt] = (await readPage(api, '/v1/revocations', query, signal)).items
  for (let rest = lookAgain; receipt !== undefined && !signal.aborted; rest = Math.min(atLeast, rest * longer)) {
    yield receipt
    if ((receipt.waiting ?? 0) === 0) return
    await new Promise((resolve) => setTimeout(resolve, rest))
    receipt = await answered(api.GET('/v1/revocations/{id}', { params: { path: { id: receipt.id } }, signal }))
  }
}
