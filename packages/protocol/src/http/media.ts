/** Media types: the type of a body (RFC 9110 §8.3), and the types that a client accepts (§12.5.1). */

export interface MediaType {
  /** `application/json`, in lower case, without parameters. */
  readonly essence: string
  readonly parameters: ReadonlyMap<string, string>
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const head = new RegExp(`^[ \\t]*(${token})/(${token})[ \\t]*`)
const parameter = new RegExp(`;[ \\t]*(?:(${token})=(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*`, 'y')

/** null for an invalid media type, and for two in one header. */
export function parseMediaType(value: string): MediaType | null {
  const found = head.exec(value)
  if (found === null) return null
  const parameters = new Map<string, string>()
  parameter.lastIndex = found[0].length
  while (parameter.lastIndex < value.length) {
    const next = parameter.exec(value)
    if (next === null) return null
    const [, name, plain, quoted] = next
    if (name === undefined) continue
    if (parameters.has(name.toLowerCase())) return null
    parameters.set(name.toLowerCase(), plain ?? (quoted ?? '').replaceAll(/\\(.)/g, '$1'))
  }
  return { essence: `${found[1]}/${found[2]}`.toLowerCase(), parameters }
}

/** RFC 8259 §8.1: JSON is UTF-8; another charset is treated as another media type. */
export function isUtf8({ parameters }: MediaType): boolean {
  const charset = parameters.get('charset')
  return charset === undefined || charset.toLowerCase() === 'utf-8'
}

/** RFC 9110 §12.5.1: whether this Accept header accepts the type. The most specific range decides; q=0 refuses. */
export const accepts = (accept: string | null, essence: string): boolean => preference(accept, essence).quality > 0

/**
 * Whether a type is requested by its own name, with at least the quality of the usual type: a wildcard requests the
 * usual one.
 */
export function asksFor(accept: string | null, essence: string, usual: string): boolean {
  const { rank, quality: wanted } = preference(accept, essence)
  return rank === byName && wanted > 0 && wanted >= preference(accept, usual).quality
}

/** The rank of a range that names a type itself, among the ranges that cover it. */
const byName = 2

/** An unterminated quote extends to the end: searching again from every quote would take quadratic time. */
const listMember = /(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|\\?$))+/g

function preference(accept: string | null, essence: string): { readonly rank: number; readonly quality: number } {
  if (accept === null || accept.trim() === '') return { rank: 0, quality: 1 }
  const [type = ''] = essence.split('/')
  let best = { rank: -1, quality: 0 }
  for (const member of accept.match(listMember) ?? []) {
    const range = parseMediaType(member)
    if (range === null) continue
    const rank = ['*/*', `${type}/*`, essence].indexOf(range.essence)
    if (rank > best.rank) best = { rank, quality: quality(range.parameters.get('q')) }
  }
  return best
}

function quality(text: string | undefined): number {
  if (text === undefined) return 1
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
