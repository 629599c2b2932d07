/** A small bounded request to an issuer: TLS only, no redirects, JSON back. */
import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { getCACertificates } from 'node:tls'
import { localCaFile } from '@grantor/server'
import { readBody } from '../program/response-body.ts'

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface Question {
  readonly form?: Readonly<Record<string, string>>
  readonly bearer?: string
}

/** Asks; rejects with an error when nobody answers properly. */
export type Ask = (url: string, question?: Question) => Promise<Answer>

const patience = 15_000

/** Names the system to whoever is asked to approve, and nothing else of this machine. */
const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'Mac OS X', win32: 'Windows' }
const userAgent = `grantor-cli (${systems[process.platform] ?? process.platform})`

export interface Trust {
  /** A certificate authority that was named, if any. */
  readonly caFile: string | null
  /** The data folder of this checkout, whose local CA is believed about this machine only. */
  readonly data: string
}

export function asking(trust: Trust): Ask {
  return async (address, question = {}) => {
    const url = URL.parse(address)
    if (url?.protocol !== 'https:') throw new Error(`${address} is not an https address`)
    return send(url, question, await authorities(url, trust))
  }
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Node's own (NODE_EXTRA_CA_CERTS among them), and what was named, or lies here for this machine. */
async function authorities({ hostname }: URL, { caFile, data }: Trust): Promise<readonly string[]> {
  const named = caFile === null ? [] : [await readFile(caFile, 'utf8')]
  const local = loopback.has(hostname) ? await readFile(localCaFile(data), 'utf8').catch(() => null) : null
  return [...getCACertificates('default'), ...named, ...(local === null ? [] : [local])]
}

function send(url: URL, { form, bearer }: Question, ca: readonly string[]): Promise<Answer> {
  const content = form === undefined ? null : new URLSearchParams(form).toString()
  const headers = {
    accept: 'application/json',
    'user-agent': userAgent,
    ...(content === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
  }
  const method = content === null ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    const how = { method, headers, ca: [...ca], agent: false, signal: AbortSignal.timeout(patience) }
    const asked = request(url, how, (response) => {
      readBody(response).then((text) => resolve({ status: response.statusCode ?? 0, body: parsed(text) }), reject)
    })
    asked.on('error', reject)
    asked.end(content ?? undefined)
  })
}

/** What is not a JSON object says nothing. */
function parsed(text: string): Answer['body'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer['body']) : {}
  } catch {
    return {}
  }
}

export const textIn = (body: Answer['body'], name: string): string | null => {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? value : null
}

export const numberIn = (body: Answer['body'], name: string): number | null => {
  const value = body[name]
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
