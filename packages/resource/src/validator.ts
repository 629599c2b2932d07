/** The validator: says of a presented token whether it is accepted, and who calls. Framework-free; warm, it is synchronous. */
import type { Instant, JsonObject } from '@grantor/protocol'
import type { Presented } from './presented.ts'
import type { Rejection } from './rejections.ts'

/** Who calls, as the token says. */
export interface Caller {
  readonly issuer: string
  /** null for the default tenant and for issuers without tenants. */
  readonly tenant: string | null
  readonly subject: string
  readonly clientId: string
  readonly scope: ReadonlySet<string>
  readonly jti: string
  readonly grantId: string | null
  readonly claims: JsonObject
  readonly expiresAt: Instant
}

export type Verdict =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly rejection: Rejection }

export interface Validator {
  /** A plain value on the warm path; a promise only where keys or introspection must be asked for. */
  validate(presented: Presented): Verdict | Promise<Verdict>
  /** For refusals that are decided later, by the scope guard: counts and reports them like the validator's own. */
  record(rejection: Rejection, caller?: Caller): void
  /** Keys of every named issuer are known, and every feed has its first snapshot and tail. */
  ready(): boolean
  /** Resolves when ready() turns true; rejects when closed first. */
  whenReady(): Promise<void>
  /** Stops timers and connections, and hands in what is left to report. */
  close(): Promise<void>
}
