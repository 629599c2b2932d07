/** How commands send requests to an issuer, and which certificate authorities they trust for it. */
import { readFile } from 'node:fs/promises'
import { getCACertificates } from 'node:tls'
import { isLoopbackHost } from '@grantor/protocol/http'
import { localCaFile } from '@grantor/server'
import type { CustomFetch } from 'openid-client'
import { fetchHttps, type HttpsRequest } from '../program/https.ts'

/** Names of operating systems in the User-Agent: shown to whoever approves; nothing else of this machine is sent. */
const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'Mac OS X', win32: 'Windows' }
const userAgent = `grantor-cli (${systems[process.platform] ?? process.platform})`

const timeout = 15_000

export interface Trust {
  /** The file of the certificate authority given with --ca, if any. */
  readonly caFile: string | null
  /** The data folder, whose local CA is trusted for addresses of this machine only. */
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

/** Removes challenges: the body of a refusal says more, but the library ignores the body if there is a challenge. */
export const withoutChallenges =
  (ask: CustomFetch): CustomFetch =>
  async (address, options) => {
    const answer = await ask(address, options)
    // RFC 9449 §9: an API asks for a DPoP nonce in this header.
    if (answer.headers.get('www-authenticate')?.includes('use_dpop_nonce') !== true)
      answer.headers.delete('www-authenticate')
    return answer
  }

/** Node's default CAs (with NODE_EXTRA_CA_CERTS), the CA given with --ca, and for a loopback host the local CA. */
async function authorities({ hostname }: URL, { caFile, data }: Trust): Promise<readonly string[]> {
  const named = caFile === null ? [] : [await readFile(caFile, 'utf8')]
  const local = isLoopbackHost(hostname) ? await readFile(localCaFile(data), 'utf8').catch(() => null) : null
  return [...getCACertificates('default'), ...named, ...(local === null ? [] : [local])]
}
