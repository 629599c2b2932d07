/** Calls a running server over its own certificate. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'

export interface Answered {
  readonly status: number
  readonly body: string
}

export function call(
  origin: string,
  caFile: string | null,
  path: string,
  form?: Record<string, string>,
): Promise<Answered> {
  const agent = new Agent({ ca: caFile === null ? undefined : readFileSync(caFile), keepAlive: false })
  return new Promise((resolve, reject) => {
    const asking = request(
      new URL(path, origin),
      { agent, method: form === undefined ? 'GET' : 'POST' },
      (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
      },
    )
    asking.on('error', reject)
    if (form !== undefined) {
      const content = new URLSearchParams(form).toString()
      asking.setHeader('content-type', 'application/x-www-form-urlencoded').setHeader('content-length', content.length)
      asking.write(content)
    }
    asking.end()
  })
}
