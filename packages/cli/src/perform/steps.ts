/** Prints requests to an issuer and their answers as they happen: no secrets, and tokens and codes are shortened. */
import type { CustomFetch } from 'openid-client'
import type { Output } from '../output/output.ts'

const hidden = new Set(['client_secret', 'client_assertion', 'code_verifier', 'subject_token', 'actor_token'])
/** Bearer values, which anybody could use: only enough is shown to tell two of them apart. */
const bearers = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'code',
  'device_code',
  'auth_req_id',
  'request_uri',
])
const headersShown = ['dpop', 'www-authenticate', 'dpop-nonce', 'retry-after'] as const

const shortened = (text: string, longest = 60): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

function shown(name: string, value: string): string {
  if (hidden.has(name)) return '…'
  return bearers.has(name) ? shortened(value, 8) : shortened(value)
}

export const telling =
  (out: Pick<Output, 'remark'>, ask: CustomFetch): CustomFetch =>
  async (url, options) => {
    await out.remark(`> ${options.method} ${url}`)
    const { body, headers } = options
    if (headers['authorization'] !== undefined)
      await out.remark(`>   authorization: ${headers['authorization'].split(' ')[0]} …`)
    if (headers['dpop'] !== undefined) await out.remark(`>   dpop: ${shortened(headers['dpop'])}`)
    if (body instanceof URLSearchParams)
      for (const [name, value] of body) await out.remark(`>   ${name}=${shown(name, value)}`)
    const answer = await ask(url, options)
    await out.remark(`< ${answer.status}`)
    for (const name of headersShown) {
      const value = answer.headers.get(name)
      if (value !== null) await out.remark(`<   ${name}: ${shortened(value)}`)
    }
    for (const [name, value] of await members(answer)) await out.remark(`<   ${name}: ${shown(name, value)}`)
    return answer
  }

/** The members of a JSON answer; none for long documents, metadata and key sets, of which only the address is shown. */
async function members(answer: Response): Promise<readonly (readonly [string, string])[]> {
  const text = await answer.clone().text()
  if (text.length > 8192 || answer.headers.get('content-type')?.includes('json') !== true) return []
  try {
    const document: unknown = JSON.parse(text)
    if (typeof document !== 'object' || document === null || 'issuer' in document || 'keys' in document) return []
    return Object.entries(document).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
  } catch {
    return []
  }
}
