/** The request that another proxy asks about, as nginx, Caddy, Traefik, HAProxy and Envoy describe it. */
import { err, ok, type Result } from '@grantor/protocol/result'
import { readTarget, type RequestTarget } from '../routing/request-target.ts'

export const forwardAuthPath = '/forward-auth'

export interface AskedRequest {
  readonly method: string
  readonly target: RequestTarget
  readonly lines: (name: string) => readonly string[]
}

export interface OriginalRequest {
  readonly method: string
  readonly target: RequestTarget
}

/** `X-Original-URL` may hold the whole URL, as Kubernetes' ingress-nginx sends it. */
const uriHeaders = ['x-forwarded-uri', 'x-original-uri', 'x-original-url'] as const
const methodHeaders = ['x-forwarded-method', 'x-original-method'] as const

/**
 * Read from headers, or from the rest of the path (Envoy puts a prefix before the path and keeps the method). A proxy
 * that sets one of the headers passes on the others as the client sent them, so headers that disagree are refused.
 */
export function readOriginalRequest({ method, target, lines }: AskedRequest): Result<OriginalRequest, string> {
  const rest = target.path.slice(forwardAuthPath.length)
  if (rest !== '') return ok({ method, target: { path: rest, query: target.query } })
  const uri = agreed(uriHeaders.flatMap(lines).map(withoutOrigin))
  const named = agreed(methodHeaders.flatMap(lines))
  if (uri.kind === 'error') return err(`${uriHeaders.join(', ')}: ${uri.error}`)
  if (named.kind === 'error') return err(`${methodHeaders.join(', ')}: ${named.error}`)
  if (!/^[A-Z][A-Z-]{0,30}$/.test(named.value)) return err('the method is none')
  const original = readTarget(uri.value)
  return original.kind === 'error' ? original : ok({ method: named.value, target: original.value })
}

function agreed(values: readonly string[]): Result<string, string> {
  const [first] = values
  if (first === undefined) return err('none of them is set; the proxy in front must set one')
  return values.every((value) => value === first)
    ? ok(first)
    : err('they disagree; the proxy in front must set them all')
}

const withoutOrigin = (uri: string): string => {
  const rest = uri.replace(/^https?:\/\/[^/?#]*/i, '')
  return rest === uri || rest.startsWith('/') ? rest : `/${rest}`
}
