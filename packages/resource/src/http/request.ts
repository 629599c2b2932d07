/** A request without a framework, as an adapter hands it over, and its first checks. */
import { problem, type Problem } from '@grantor/protocol/http'
import { err, type Err, ok, type Result } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'

/** A client certificate, as far as tokens are bound to one. */
export interface ShownCertificate {
  /** `x5t#S256`: base64url SHA-256 of its DER (RFC 8705 §3.1). */
  readonly thumbprint: string
  /** Its validity, where whoever terminated TLS tells it. */
  readonly notBefore?: Instant
  readonly notAfter?: Instant
}

export type HeaderLine = readonly [name: string, value: string]

export interface ApiRequest {
  readonly method: string
  /** The request target as it was sent: path and query. */
  readonly target: string
  /** One entry per field line, as received, so that a repeated header is seen. */
  readonly headers: readonly HeaderLine[]
  readonly ip: string | null
  /** Reads the body once, up to `limit` bytes. */
  body(limit: number): Promise<RequestBody>
  /** The address of the peer of the connection: behind a proxy that of the proxy, whatever a header says. */
  readonly peer?: string | null | undefined
  /** The client certificate of the connection, where TLS asked for one (RFC 8705 §3). */
  readonly certificate?: (() => ShownCertificate | 'unreadable' | null) | undefined
}

export type RequestBody = Result<Uint8Array, 'too_large' | 'cut_short'>

export interface RequestHeaders {
  /** One value; the lines of a list are joined (RFC 9110 §5.3). */
  get(name: string): string | null
  lines(name: string): readonly string[]
}

/** Headers with one value: two readers may choose differently between repeated lines, so they are refused. */
const single = new Set([
  'authorization',
  'content-type',
  'content-length',
  'host',
  'origin',
  'idempotency-key',
  'if-modified-since',
  'if-unmodified-since',
])

export interface SizeLimits {
  /** Bytes. */
  readonly body: number
  readonly headers: number
  readonly url: number
}

export const defaultSizes: SizeLimits = { body: 1_048_576, headers: 16_384, url: 8192 }

/** The first checks: the sizes of request target and headers, and repeated headers. */
export function readRequestHead(request: ApiRequest, sizes: SizeLimits): Result<RequestHeaders, Problem> {
  if (request.target.length > sizes.url) return err(tooLongTarget(request.target, sizes.url))
  let bytes = 0
  const lines = new Map<string, string[]>()
  for (const [name, value] of request.headers) {
    bytes += name.length + value.length + 4
    const held = lines.get(name.toLowerCase())
    if (held === undefined) lines.set(name.toLowerCase(), [value])
    else held.push(value)
  }
  if (bytes > sizes.headers)
    return err(problem('headers-too-large', `Header fields take at most ${sizes.headers} bytes.`))
  for (const [name, values] of lines) {
    if (values.length > 1 && single.has(name)) {
      const repeated = { header: name, code: 'repeated', detail: 'This header is given at most once.' }
      const more = { code: 'header_repeated', errors: [repeated] }
      return err(problem('invalid-request', 'A header that is given once was given twice.', more))
    }
  }
  return ok({
    get: (name) => lines.get(name)?.join(', ') ?? null,
    lines: (name) => lines.get(name) ?? [],
  })
}

/** Names the longest parameter if the URL would be short enough without it; otherwise the URL is refused as a whole. */
function tooLongTarget(target: string, limit: number): Problem {
  const pairs = target.split('?').slice(1).join('?').split('&')
  const longest = pairs.reduce((one, other) => (other.length > one.length ? other : one), '')
  if (target.length - longest.length > limit) return problem('uri-too-long', `A URL has at most ${limit} characters.`)
  const name = longest.split('=')[0]?.slice(0, 100) ?? ''
  const detail = `It is too long: a URL has at most ${limit} characters.`
  const errors = [{ parameter: decodedName(name), code: 'too_long', detail }]
  return problem('validation-error', 'A parameter is too long.', { code: 'invalid_parameter', errors })
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The whole body. A wrong Content-Length is refused: a proxy and this server would read different bodies. */
export async function readRequestBody(
  request: ApiRequest,
  headers: RequestHeaders,
  limit: number,
): Promise<Result<Uint8Array, Problem>> {
  const declared = headers.get('content-length')
  if (declared !== null && !/^\d{1,15}$/.test(declared)) return lengthMismatch('Content-Length is not a number.')
  if (declared !== null && Number(declared) > limit) return tooLarge(limit)
  const read = await request.body(limit)
  if (read.kind === 'error')
    return read.error === 'too_large' ? tooLarge(limit) : lengthMismatch('The body ended too early.')
  if (declared !== null && Number(declared) !== read.value.length) {
    return lengthMismatch('Content-Length differs from the length of the body.')
  }
  return read
}

const tooLarge = (limit: number): Err<Problem> =>
  err(problem('payload-too-large', `A body has at most ${limit} bytes.`))

function lengthMismatch(detail: string): Err<Problem> {
  const errors = [{ header: 'content-length', code: 'invalid', detail }]
  return err(problem('invalid-request', detail, { code: 'length_mismatch', errors }))
}
