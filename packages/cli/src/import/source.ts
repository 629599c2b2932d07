/** What an export of another system holds that can be carried over, and what of it cannot. */
import type { ImportedUser } from '@grantor/authority'
import type { JsonObject } from '@grantor/protocol/types'

export interface ImportedData {
  readonly people: readonly ImportedPerson[]
  /** As they are declared here. */
  readonly clients: readonly JsonObject[]
  readonly leftOut: readonly LeftOut[]
}

export interface ImportedPerson extends ImportedUser {
  /** Where in the export they stand, for whoever looks for them. */
  readonly where: string
  /** Kinds of things of theirs that stay behind. */
  readonly leftOut: readonly string[]
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

/** The claims of OIDC Core §5.1 that were given. */
export const claimsOf = (claims: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null && value !== undefined)) as JsonObject

/** Base 64 as PHC strings have it: without padding. */
export const unpadded = (base64: string): string => base64.replace(/=+$/, '')
