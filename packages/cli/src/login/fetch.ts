/** How an issuer is asked, and whom a command trusts to be it. */
import { readFile } from 'node:fs/promises'
import { getCACertificates } from 'node:tls'
import { isLoopbackHost } from '@grantor/protocol/http'
import { localCaFile } from '@grantor/server'
import type { CustomFetch } from 'openid-client'
import { fetchHttps, type HttpsRequest } from '../program/https.ts'

/** Names the system to whoever is asked to approve, and nothing else of this machine. */
const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'Mac OS X', win32: 'Windows' }
const userAgent = `grantor-cli (${systems[process.platform] ?? process.platform})`

const timeout = 15_000

export interface Trust {
  /** A certificate authority that was named, if any. */
  readonly caFile: string | null
  /** The data folder of this checkout, whose local CA is believed about this machine only. */
  readonly data: string
}

export const issuerFetch =
  (trust: Trust & Pick<HttpsRequest, 'certificate' | 'maxBytes'>): CustomFetch =>
  async (address, { method, headers, body }) => {
    const url = new URL(address)
    return fetchHttps(url, {
      ca: await authorities(url, trust),
      signal: AbortSignal.timeout(timeout),
      certificate: trust.certificate ?? null,
      ...(trust.maxBytes === undefined ? {} : { maxBytes: trust.maxBytes }),
      method,
      headers: { ...headers, 'user-agent': userAgent },
      ...(body instanceof URLSearchParams || typeof body === 'string' ? { body: body.toString() } : {}),
    })
  }

/** The body of a refusal says more than its challenge, and is not looked at beside one. */
export const withoutChallenges =
  (ask: CustomFetch): CustomFetch =>
  async (address, options) => {
    const answer = await ask(address, options)
    // RFC 9449 §9: an API asks for its nonce there.
    if (answer.headers.get('www-authenticate')?.includes('use_dpop_nonce') !== true)
      answer.headers.delete('www-authenticate')
    return answer
  }

/** Node's own (NODE_EXTRA_CA_CERTS among them), and what was named, or lies here for this machine. */
async function authorities({ hostname }: URL, { caFile, data }: Trust): Promise<readonly string[]> {
  const named = caFile === null ? [] : [await readFile(caFile, 'utf8')]
  const local = isLoopbackHost(hostname) ? await readFile(localCaFile(data), 'utf8').catch(() => null) : null
  return [...getCACertificates('default'), ...named, ...(local === null ? [] : [local])]
}
