/**
 * Parses the query of a URL strictly: every parameter once, no broken percent-encoding (otherwise WHATWG form
 * encoding).
 */
import { err, ok, type Result } from '../result.ts'
import type { RequestFault } from './problem.ts'

const mostParameters = 64

export function readQuery(search: string): Result<ReadonlyMap<string, string>, readonly RequestFault[]> {
  const parameters = new Map<string, string>()
  const errors: RequestFault[] = []
  const pairs = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '')
  if (pairs.length > mostParameters) {
    return err([{ parameter: '', code: 'too_many', detail: `At most ${mostParameters} parameters.` }])
  }
  for (const pair of pairs) {
    const cut = pair.indexOf('=')
    const name = decoded(cut < 0 ? pair : pair.slice(0, cut))
    const value = decoded(cut < 0 ? '' : pair.slice(cut + 1))
    if (name === null || value === null) {
      errors.push({ parameter: name ?? '', code: 'malformed', detail: 'The percent-encoding is broken.' })
    } else if (parameters.has(name)) {
      errors.push({ parameter: name, code: 'repeated', detail: 'A parameter is given at most once.' })
    } else parameters.set(name, value)
  }
  return errors.length === 0 ? ok(parameters) : err(errors)
}

/** For operations without parameters: an unknown one is an error, never ignored. */
export function refuseParameters(
  parameters: ReadonlyMap<string, string>,
  known: readonly string[] = [],
): RequestFault[] {
  return [...parameters.keys()].filter((name) => !known.includes(name)).map(unknownParameter)
}

export function unknownParameter(parameter: string): RequestFault {
  return { parameter, code: 'unknown', detail: 'This operation has no such parameter.' }
}

/** null where the encoding is broken or contains a control character. */
function decoded(text: string): string | null {
  try {
    const plain = decodeURIComponent(text.replaceAll('+', ' '))
    return hasControl(plain) ? null : plain
  } catch {
    return null
  }
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x20 || text.charCodeAt(i) === 0x7f) return true
  return false
}
