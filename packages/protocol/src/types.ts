/** The types that every subject shares: moments, identifiers, secrets, JSON. */

declare const brand: unique symbol

export type Brand<T, B extends string> = T & { readonly [brand]: B }

/** Milliseconds since the epoch. The seconds of JWT exist only inside documents (tokens/, documents/). */
export type Instant = Brand<number, 'instant'>

/**
 * Milliseconds that a clock may be off and still be believed: a node may be so far from the database's clock, and a clock
 * may go back by so much. Whatever says that it was later than that from now was dated by a clock that has been set since.
 */
export const mostSkew = 60_000

export type TenantId = Brand<string, 'tenant'>

export type GrantId = Brand<string, 'grant'>

/** The `jti` of an access token, JWT or opaque. */
export type TokenId = Brand<string, 'token id'>

export type EventId = Brand<string, 'event'>

/** A value that opens something: never logged, never stored; at rest there is only its Handle. */
export type Secret = Brand<string, 'secret'>

/** base64url SHA-256 of a Secret. */
export type Handle = Brand<string, 'handle'>

export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const jsonObject = (value: unknown): JsonObject | null => (isJsonObject(value) ? value : null)

/** The reserved id of the tenant at the root (its tokens carry no tenant claim). */
export const defaultTenant = 'default'
