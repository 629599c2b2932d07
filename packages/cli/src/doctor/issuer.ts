/** Does the issuer answer under its name, with the metadata that this database and these settings would give? */
import { readFile } from 'node:fs/promises'
import { getCACertificates } from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import { defaultTenant, type Deployment, localCaFile, failed, type Finding, passed, warning } from '@grantor/server'
import { fetchHttps } from '../program/https.ts'

const check = 'issuer'
const timeout = 5_000

export interface IssuerFindings {
  readonly findings: readonly Finding[]
  /** Whether the issuer's own server answered, so that a taken port is ours. */
  readonly answered: boolean
}

export async function checkIssuer(
  { authority, issuer, settings }: Deployment,
  now: () => number,
): Promise<IssuerFindings> {
  const origin = issuer.origin()
  if (settings.port === 0 && settings.issuer === null)
    return { findings: [passed(check, 'chosen at the start, with the port')], answered: false }
  const url = `${origin}/.well-known/oauth-authorization-server`
  const served = await fetchLocal(url, settings.data).catch((error: unknown) => error as NodeJS.ErrnoException)
  if (served instanceof Error) {
    const why = served.code ?? served.message
    return {
      findings: [
        warning(
          check,
          `nobody answers at ${origin} (${why})`,
          'start it: `grantor start`; if it runs, look at the proxy, the name and the certificate',
        ),
      ],
      answered: false,
    }
  }
  const expected = await authority.metadata(defaultTenant)
  const answered = served.status === 200 && expected.kind === 'ok' && sameIssuer(served.body, origin)
  const same = answered && isDeepStrictEqual(comparable(served.body), comparable(JSON.stringify(expected.value)))
  const skew = served.date === null ? 0 : Math.abs(served.date - now())
  return {
    findings: [
      same
        ? passed(check, `${origin} answers, and its metadata are as they should be`)
        : failed(
            check,
            `${url} answers ${served.status} with other metadata than these settings give`,
            answered
              ? 'restart the server: its settings or version differ'
              : 'another program answers under this name; check GRANTOR_ISSUER and the proxy',
          ),
      ...(skew > settings.leeway * 1000
        ? [
            failed(
              'clock',
              `differs from ${origin} by ${Math.round(skew / 1000)} s`,
              'let a time service set the clock of both machines',
            ),
          ]
        : []),
    ],
    answered,
  }
}

/** The metadata without the mutual TLS aliases, whose port may have been chosen at the start. */
function comparable(metadata: string): object {
  const { mtls_endpoint_aliases: _aliases, ...rest } = JSON.parse(metadata) as Record<string, unknown>
  return rest
}

/** Trusts the local CA in addition to Node's own (with NODE_EXTRA_CA_CERTS). */
async function fetchLocal(url: string, data: string) {
  const local = await readFile(localCaFile(data), 'utf8').catch(() => null)
  const ca = [...getCACertificates('default'), ...(local === null ? [] : [local])]
  const answer = await fetchHttps(new URL(url), { ca, signal: AbortSignal.timeout(timeout) })
  const date = Date.parse(answer.headers.get('date') ?? '')
  return { status: answer.status, date: Number.isNaN(date) ? null : date, body: await answer.text() }
}

function sameIssuer(body: string, origin: string): boolean {
  try {
    return (JSON.parse(body) as { readonly issuer?: unknown }).issuer === origin
  } catch {
    return false
  }
}
