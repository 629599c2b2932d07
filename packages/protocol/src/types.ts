/** The types that all subjects share: times, identifiers, secrets, JSON. */

declare const brand: unique symbol

export type Brand<T, B extends string> = T & { readonly [brand]: B }

/** Milliseconds since the epoch. The seconds of JWT occur only inside documents (tokens/, documents/). */
export type Instant = Brand<number, 'instant'>

/**
 * Milliseconds of tolerated clock error: a node may differ from the database's clock by this much, and a clock may be
 * set back by this much. A time that is further ahead was recorded by a clock that has been set back since.
 */
export const mostSkew = 60_000

export type TenantId = Brand<string, 'tenant'>

export type GrantId = Brand<string, 'grant'>

/** The `jti` of an access token, JWT or opaque. */
export type TokenId = Brand<string, 'token id'>

export type EventId = Brand<string, 'event'>

/** A value that gives access: never logged, never stored; only its Handle is stored. */
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

/** The reserved id of the root tenant (its tokens have no tenant claim). */
export const defaultTenant = 'default'
