/** A small bounded GET, trusting the local CA beside the public ones. */
import { readFile } from 'node:fs/promises'
import { get } from 'node:https'
import { rootCertificates } from 'node:tls'
import { join } from 'node:path'
import { readBody } from '../program/response-body.ts'

export interface Fetched {
  readonly status: number
  readonly date: number | null
  readonly body: string
}

const patience = 5_000

/** Rejects with an error that has a code when nobody answers properly. */
export async function fetchFrom(url: string, data: string): Promise<Fetched> {
  const local = await readFile(join(data, 'tls', 'ca.pem'), 'utf8').catch(() => null)
  const ca = local === null ? {} : { ca: [...rootCertificates, local] }
  return new Promise((resolve, reject) => {
    const request = get(url, { ...ca, signal: AbortSignal.timeout(patience), agent: false }, (response) => {
      const date = Date.parse(response.headers.date ?? '')
      const head = { status: response.statusCode ?? 0, date: Number.isNaN(date) ? null : date }
      readBody(response).then((body) => resolve({ ...head, body }), reject)
    })
    request.on('error', reject)
  })
}
