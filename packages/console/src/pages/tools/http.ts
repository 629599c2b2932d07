/** Requests to this issuer's own endpoints, as a client would send them, and the curl that sends the same. */

export interface PlainRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  /** HTTP Basic (RFC 6749 §2.3.1). */
  readonly user?: { readonly id: string; readonly secret: string }
}

export interface PlainAnswer {
  readonly status: number
  /** Null where the body is no JSON. */
  readonly json: Readonly<Record<string, unknown>> | null
  readonly text: string
}

/** RFC 6749 §2.3.1: both parts as a form has them. */
const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function curlOf({ url, headers = {}, form, user }: PlainRequest): string {
  const lines = [
    `curl ${quoted(url)}`,
    ...(user === undefined ? [] : [`-u ${quoted(`${formEncoded(user.id)}:${formEncoded(user.secret)}`)}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...Object.entries(form ?? {}).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
  ]
  return lines.join(' \\\n  ')
}

/** Without cookies, to nobody but this origin: the policy of the page allows no other. */
export async function sendPlain({ method, url, headers = {}, form, user }: PlainRequest): Promise<PlainAnswer> {
  const answer = await fetch(url, {
    method,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    headers: {
      ...headers,
      ...(user === undefined
        ? {}
        : { authorization: `Basic ${btoa(`${formEncoded(user.id)}:${formEncoded(user.secret)}`)}` }),
    },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  })
  const text = await answer.text()
  return { status: answer.status, json: jsonOf(text), text }
}

function jsonOf(text: string): PlainAnswer['json'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as PlainAnswer['json']) : null
  } catch {
    return null
  }
}

export type Metadata = Readonly<Partial<Record<string, string>>>

export const metadataUrl = (issuer: string): string => `${issuer}/.well-known/openid-configuration`

export async function metadataOf(issuer: string): Promise<Metadata> {
  const { json } = await sendPlain({ method: 'GET', url: metadataUrl(issuer) })
  return (json ?? {}) as Metadata
}

export const shownAnswer = ({ json, text }: PlainAnswer): string =>
  json === null ? text || '–' : JSON.stringify(json, null, 2)
