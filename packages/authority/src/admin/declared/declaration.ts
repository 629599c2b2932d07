/** Declared objects: the shape of the file, and of the difference between it and the present state. */
import type { EventName } from '@grantor/protocol/events'
import type { Catalogue } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { JsonObject } from '@grantor/protocol/types'
import type { GroupRow } from '@grantor/store'

/** Raw objects as read from YAML or JSON; plan and apply validate them, and name the field of every problem. */
export interface Declaration {
  /** The profile of the first tenant. */
  readonly profile?: string
  readonly branding?: JsonObject
  readonly accounts?: JsonObject
  readonly resources?: readonly JsonObject[]
  readonly scopes?: readonly JsonObject[]
  readonly authorization_details_types?: readonly JsonObject[]
  readonly roles?: readonly JsonObject[]
  readonly groups?: readonly JsonObject[]
  readonly users?: readonly JsonObject[]
  readonly clients?: readonly JsonObject[]
  readonly trusted_issuers?: readonly JsonObject[]
  readonly webhooks?: readonly JsonObject[]
  readonly providers?: readonly JsonObject[]
  readonly tenants?: readonly JsonObject[]
}

export interface PlanStep {
  readonly tenant: string
  readonly kind:
    | 'tenant'
    | 'resource'
    | 'scope'
    | 'authorization details type'
    | 'role'
    | 'group'
    | 'client'
    | 'user'
    | 'trusted issuer'
    | 'webhook'
    | 'provider'
  readonly id: string
  readonly act: 'create' | 'change' | 'remove'
  /** For a change: the fields that differ; secrets are never shown. */
  readonly fields: readonly { readonly field: string; readonly from: string | null; readonly to: string | null }[]
}

export interface Plan {
  readonly steps: readonly PlanStep[]
}

export interface ApplyOptions {
  /**
   * Whether objects that the sections of the file no longer name are removed; by default a file only adds and changes.
   */
  readonly prune: boolean
  /** Skips the password policy, for the demo, whose passwords everybody knows. */
  readonly anyPassword?: boolean
}

/** The present objects of one tenant; the catalogue is null where the tenant does not exist yet. */
export interface PresentObjects {
  readonly catalogue: Catalogue | null
  readonly clients: ReadonlyMap<string, Client>
  /** Existing rows of declared ids that cannot be read, with their versions: declaring them replaces them. */
  readonly unreadable: ReadonlyMap<string, number>
  /** The existing groups among those that the file names, by the keys of their names. */
  readonly groups: ReadonlyMap<string, GroupRow>
  /** The existing clients among those that rules name. */
  readonly namedByRules: ReadonlySet<string>
  /** The declared ids that are the `sub` of a person. */
  readonly namedAsPeople: ReadonlySet<string>
}

/** Events of a change as data; they get their ids and time when the change is made. */
export interface Announcement {
  readonly name: EventName
  readonly clientId: string | null
  readonly subject?: string | null
  readonly data: JsonObject
}
