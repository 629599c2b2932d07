/** The types of what is read from an export of another system: what can be imported, and what is left out. */
import type { ImportedUser } from '@grantor/authority'
import type { JsonObject } from '@grantor/protocol/types'

/** Objects in the form of declarations. */
export interface ImportedData {
  readonly people: readonly ImportedPerson[]
  readonly resources: readonly JsonObject[]
  readonly scopes: readonly JsonObject[]
  readonly roles: readonly JsonObject[]
  readonly groups: readonly ImportedGroup[]
  readonly providers: readonly JsonObject[]
  readonly clients: readonly JsonObject[]
  readonly leftOut: readonly LeftOut[]
}

export const nothing: ImportedData = {
  people: [],
  resources: [],
  scopes: [],
  roles: [],
  groups: [],
  providers: [],
  clients: [],
  leftOut: [],
}

/** The roles are those of the export; whether they exist here is checked during the import. */
export interface ImportedGroup {
  readonly name: string
  readonly roles: readonly string[]
}

export interface ImportedPerson extends Omit<ImportedUser, 'identities'> {
  readonly links: readonly ImportedLink[]
  /** Where in the export this person is, for messages. */
  readonly where: string
  /** Kinds of data of this person that are left out. */
  readonly leftOut: readonly string[]
}

/** A person's identity at another provider. */
export interface ImportedLink {
  /** The provider's id here. */
  readonly provider: string
  readonly upstreamSubject: string
}

/** Something left out that does not belong to one person. */
export interface LeftOut {
  readonly what: string
  readonly why: string
}

/** Thrown if the file is not an export of the named format. */
export class NotThatExport extends Error {
  override readonly name = 'NotThatExport'
  readonly fix: string | null

  constructor(what: string, fix: string | null = null) {
    super(what)
    this.fix = fix
  }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const records = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

export const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Parses JSON; the error message never quotes the input, because it may contain a password hash. */
export function parseJson(source: string, where: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    throw new NotThatExport(`${where} is no JSON`, 'was the file cut off, or is it compressed?')
  }
}

/** Makes a provider id from its name in the other system; null if no usable character is left. */
export function providerId(name: string): string | null {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return id.replace(/^-|-$/g, '') || null
}

/** Those of the claims that OIDC Core §5.1 defines. */
export const claimsOf = (claims: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null && value !== undefined)) as JsonObject

/** Base 64 without padding, as PHC strings use it. */
export const unpadded = (base64: string): string => base64.replace(/=+$/, '')
