/** What an export of another system holds that can be carried over, and what of it cannot. */
import type { ImportedUser } from '@grantor/authority'
import type { JsonObject } from '@grantor/protocol/types'

/** Objects as they are declared here. */
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

/** Roles are those of the export; whether they are roles here is found when it is carried over. */
export interface ImportedGroup {
  readonly name: string
  readonly roles: readonly string[]
}

export interface ImportedPerson extends Omit<ImportedUser, 'identities'> {
  readonly links: readonly ImportedLink[]
  /** Where in the export they stand, for whoever looks for them. */
  readonly where: string
  /** Kinds of things of theirs that stay behind. */
  readonly leftOut: readonly string[]
}

/** Who somebody is at another provider. */
export interface ImportedLink {
  /** The id that the provider has here. */
  readonly provider: string
  readonly upstreamSubject: string
}

/** Something that is not about one person. */
export interface LeftOut {
  readonly what: string
  readonly why: string
}

/** The export cannot be read as what it was said to be. */
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

/** JSON, or why it is none, in words that do not repeat what was read: it may be a password hash. */
export function parseJson(source: string, where: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    throw new NotThatExport(`${where} is no JSON`, 'was the file cut off, or is it compressed?')
  }
}

/** A provider's name elsewhere as an id here; null where nothing of it is left. */
export function providerId(name: string): string | null {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return id.replace(/^-|-$/g, '') || null
}

/** The claims of OIDC Core §5.1 that were given. */
export const claimsOf = (claims: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null && value !== undefined)) as JsonObject

/** Base 64 as PHC strings have it: without padding. */
export const unpadded = (base64: string): string => base64.replace(/=+$/, '')
