/** Calls a running server over its own certificate. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'

export interface Answered {
  readonly status: number
  readonly body: string
  /** The WWW-Authenticate header, or nothing. */
  readonly challenge: string
}

// oxlint-disable-next-line max-params -- a call is its address, its form and its token
export function call(
  origin: string,
  caFile: string | null,
  path: string,
  form?: Record<string, string>,
  authorization?: string,
): Promise<Answered> {
  const agent = new Agent({ ca: caFile === null ? undefined : readFileSync(caFile), keepAlive: false })
  return new Promise((resolve, reject) => {
    const asking = request(
      new URL(path, origin),
      { agent, method: form === undefined ? 'GET' : 'POST' },
      (response) => {
        text(response).then(
          (body) =>
            resolve({ status: response.statusCode ?? 0, body, challenge: response.headers['www-authenticate'] ?? '' }),
          reject,
        )
      },
    )
    asking.on('error', reject)
    if (authorization !== undefined) asking.setHeader('authorization', authorization)
    if (form !== undefined) {
      const content = new URLSearchParams(form).toString()
      asking.setHeader('content-type', 'application/x-www-form-urlencoded').setHeader('content-length', content.length)
      asking.write(content)
    }
    asking.end()
  })
}
