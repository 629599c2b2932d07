/** Checks the form of a received request: it must be unambiguous, with one target, and within limits. */
import type { IncomingMessage } from 'node:http'
import { isPlainlyFramed, originForm, problem, type Problem } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { RequestHeaders } from '@grantor/resource/http'
import { readTarget, type RequestTarget } from '../routing/request-target.ts'

export interface FormedRequest {
  readonly method: string
  readonly target: RequestTarget
  readonly headers: RequestHeaders
}

const longestUrl = 8192
/** RFC 9110 §9.3.8: TRACE would show the client the headers that the gateway adds. */
const refusedMethods = new Set(['TRACE', 'CONNECT'])

export function readForm(request: IncomingMessage): Result<FormedRequest, Problem> {
  const { httpVersion, method = 'GET', url = '/', rawHeaders } = request
  if ((httpVersion !== '1.0' && httpVersion !== '1.1') || !isPlainlyFramed(request))
    return err(
      problem('invalid-request', 'The request could be read in two ways.', { headers: { connection: 'close' } }),
    )
  if (url.length > longestUrl) return err(problem('uri-too-long', `A URL has at most ${longestUrl} characters.`))
  if (refusedMethods.has(method))
    return err(problem('method-not-allowed', `${method} is not sent on.`, { headers: { allow: 'GET, HEAD, POST' } }))
  const target = readTarget(originForm(url))
  if (target.kind === 'error') return err(problem('invalid-request', target.error))
  const lines = (name: string): readonly string[] => linesOf(rawHeaders, name)
  const get = (name: string): string | null => {
    const found = lines(name)
    return found.length === 0 ? null : found.join(', ')
  }
  return ok({ method, target: target.value, headers: { get, lines } })
}

/** Every line of one header; `headers` would silently drop the second one. */
function linesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const lines: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const found = rawHeaders[at] ?? ''
    if (found.length === name.length && found.toLowerCase() === name) lines.push(rawHeaders[at + 1] ?? '')
  }
  return lines
}
