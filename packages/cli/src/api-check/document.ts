/** Finds the OpenAPI document of an API: at the given URL, or at a usual path. */
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json } from '@grantor/protocol/types'
import { parse } from 'yaml'
import type { Exchange } from './exchange.ts'
import { type ApiModel, modelOf } from './model.ts'

const usualPlaces = [
  'openapi.json',
  'openapi.yaml',
  'documentation/json',
  'docs/json',
  'swagger.json',
  'v3/api-docs',
  'api-docs',
]

export interface FoundDocument {
  readonly url: URL
  readonly model: ApiModel
}

/** The error lists what each URL answered. */
export async function findDocument(
  url: URL,
  credentials: Readonly<Record<string, string>>,
  exchange: Exchange,
): Promise<Result<FoundDocument, readonly string[]>> {
  const named = /\.(?:json|ya?ml)$/.test(url.pathname)
  const base = url.href.endsWith('/') ? url.href : `${url.href}/`
  const places = named ? [url] : [url, ...usualPlaces.map((place) => new URL(place, base))]
  const tried: string[] = []
  for (const place of places) {
    const headers = { accept: 'application/json, application/yaml;q=0.9, */*;q=0.1', ...credentials }
    const { status, headers: received, body, failure } = await exchange.send(place, { headers })
    const model = status === 200 ? modelOf(parsed(body), place.origin) : null
    if (model !== null) return ok({ url: place, model })
    tried.push(`${place.href}: ${failure ?? (status === 200 ? 'no OpenAPI document' : `answers ${status}`)}`)
    // If the server does not answer at all, other paths are not tried.
    if (failure !== null && received.size === 0) break
  }
  return err(tried)
}

/** JSON or YAML, which is read with the parser's default limit of aliases; null for other text. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    try {
      return parse(text, { logLevel: 'silent' }) as Json
    } catch {
      return null
    }
  }
}
