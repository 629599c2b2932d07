/** The types of metadata values: each with its check, and the JSON schema that describes it in an API. */
import { parseColour } from '../branding/colour.ts'
import type { Served } from '../documents/capabilities.ts'
import { keySetProblem } from '../jose/key-set.ts'
import { type AlternativeNameKind, alternativeNameProblem } from '../mtls/alternative-name.ts'
import { parseDistinguishedName } from '../mtls/distinguished-name.ts'
import { isLoopbackUri } from '../oauth/redirect-uri.ts'
import { displayTextProblem } from '../oauth/display-text.ts'
import { parseScope } from '../oauth/scope.ts'
import { textLimits } from '../oauth/text-limits.ts'
import { canonicalUri } from '../oauth/uri.ts'
import { err } from '../result.ts'
import type { JsonObject } from '../types.ts'
import { parseUri, queryNames, uriProblem, withoutFragment } from '../uri/grammar.ts'
import { outboundProblem, type PortRule } from '../uri/outbound-address.ts'

export interface FieldProblem {
  /** A path such as `clients[0].redirect_uris[1]`. */
  readonly field: string
  readonly problem: string
}

export interface FieldType<T> {
  /** The problem of a value, or null. */
  check(value: unknown, served: Served): string | null
  /** Never stricter than the check. */
  readonly schema: JsonObject
  /** Never set: only carries the type for the compiler. */
  readonly value?: T
}

/** Bidirectional controls are refused with the others: they let a name on a consent page imitate another. */
const unseen = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

export const text = (limit: number = textLimits.uri): FieldType<string> => ({
  check(value) {
    if (typeof value !== 'string') return 'must be a text'
    if (value === '') return 'must not be empty'
    if (value.length > limit) return `must not be longer than ${limit} characters`
    return unseen.test(value) ? 'must not hold control characters' : null
  },
  schema: { type: 'string', minLength: 1, maxLength: limit },
})

/** A name for display, by which people decide. */
export const displayName: FieldType<string> = {
  check: (value) => displayTextProblem(value),
  schema: { type: 'string', minLength: 1, maxLength: textLimits.name },
}

/** Any colour is accepted, because the pages adjust it until text on it is readable. */
export const colour: FieldType<string> = {
  check: (value) => (typeof value === 'string' && parseColour(value) !== null ? null : 'must be a colour as #rrggbb'),
  schema: { type: 'string', pattern: '^#([0-9a-fA-F]{3}){1,2}$' },
}

export const flag: FieldType<boolean> = {
  check: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  schema: { type: 'boolean' },
}

/** A feature that needs client certificates is refused where the server does not ask for them. */
export const certificateFlag: FieldType<boolean> = {
  check(value, { certificates }) {
    if (typeof value !== 'boolean') return 'must be true or false'
    return value && !certificates ? 'needs certificates, which clients are not asked for here' : null
  },
  schema: flag.schema,
}

export const wholeSeconds: FieldType<number> = {
  check: (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? null : 'must be a whole number of seconds',
  schema: { type: 'integer', minimum: 0 },
}

const among = (value: unknown, allowed: readonly string[]): string | null =>
  typeof value === 'string' && allowed.includes(value) ? null : `must be one of ${allowed.join(', ')}`

export const oneOf = <const T extends string>(allowed: readonly T[]): FieldType<T> => ({
  check: (value) => among(value, allowed),
  schema: text().schema,
})

export const servedGrantType: FieldType<string> = {
  check: (value, served) => among(value, served.grantTypes),
  schema: text().schema,
}

export const servedAuthMethod: FieldType<string> = {
  check: (value, served) => among(value, served.clientAuthMethods),
  schema: text().schema,
}

export const listOf = <T>(type: FieldType<T>, limit = 50): FieldType<readonly T[]> => ({
  check(value, served) {
    if (!Array.isArray(value)) return 'must be a list'
    if (value.length > limit) return `must not hold more than ${limit} entries`
    if (new Set(value).size !== value.length) return 'must not hold an entry twice'
    const problem = value.map((entry) => type.check(entry, served)).find((it) => it !== null)
    return problem === undefined ? null : `holds an entry that ${problem}`
  },
  schema: { type: 'array', items: type.schema, maxItems: limit },
})

/** The address of a page for browsers; `added` are parameters that we add to its query. */
export const pageUrl = (...added: readonly string[]): FieldType<string> => ({
  check(value) {
    const parsed = typeof value === 'string' ? parseUri(value) : err('must be a text')
    if (parsed.kind === 'error') return parsed.error
    if (parsed.value.scheme !== 'https' && !isLoopbackUri(value as string)) return 'must use https'
    const names = queryNames(parsed.value.query)
    const reserved = added.find((name) => names.includes(name.toLowerCase()))
    return reserved === undefined ? null : `must not hold ${reserved} in its query, which we add`
  },
  schema: text().schema,
})

/**
 * The same, but https even for a loopback address: the start of a sign-in must not be altered in transit (OIDC
 * Registration §2).
 */
export const httpsOnly = ({ check, schema }: FieldType<string>): FieldType<string> => ({
  check: (value, served) => check(value, served) ?? (/^https:/i.test(String(value)) ? null : 'must use https'),
  schema,
})

/** An address that this server itself calls; one that it would never call is refused at once. */
export const outboundUrl = (ports: PortRule): FieldType<string> => ({
  check(value, { addresses }) {
    const problem = typeof value === 'string' ? uriProblem(value) : 'must be a text'
    return problem ?? outboundProblem(new URL(value as string), ports, addresses.outboundAllow)
  },
  schema: text().schema,
})

/** OIDC Registration §2, request_uris: the fragment may be a hash of the content, and is never sent. */
export const requestObjectUrl: FieldType<string> = {
  check: (value, served) =>
    outboundUrl('web').check(typeof value === 'string' ? withoutFragment(value) : value, served),
  schema: text().schema,
}

export const identifier: FieldType<string> = {
  check: (value) =>
    typeof value === 'string' && canonicalUri(value) !== null ? null : 'must be an absolute URI without fragment',
  schema: text().schema,
}

export const scopeNames: FieldType<string> = {
  check: (value) =>
    value === '' || (typeof value === 'string' && parseScope(value) !== null)
      ? null
      : 'must be scope names separated by single spaces',
  schema: { type: 'string', maxLength: 4096 },
}

/** RFC 7517 §5; none of its keys may be private, weak or for another use. */
export const publicKeySet: FieldType<JsonObject> = {
  check: keySetProblem,
  schema: {
    type: 'object',
    required: ['keys'],
    properties: { keys: { type: 'array', items: {}, maxItems: 50 } },
    additionalProperties: true,
  },
}

/** RFC 8705 §2.1.2: a distinguished name in the form of RFC 4514. */
export const subjectName: FieldType<string> = {
  check(value, served) {
    const problem = text(1024).check(value, served)
    return (
      problem ?? (parseDistinguishedName(value as string) === null ? 'must be a distinguished name (RFC 4514)' : null)
    )
  },
  schema: text(1024).schema,
}

/** RFC 8705 §2.1.2: the one subject alternative name of that kind. */
export const certificateName = (kind: AlternativeNameKind): FieldType<string> => ({
  check: (value, served) => text().check(value, served) ?? alternativeNameProblem(kind, value as string),
  schema: text().schema,
})
