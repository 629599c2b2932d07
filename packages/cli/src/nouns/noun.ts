/** A noun of the admin API as data. Commands, help, completion and docs/cli.md are made from it. */
import type { JsonObject } from '@grantor/protocol/types'
import type { CommandOption } from '../program/command.ts'

export interface Noun {
  /** The name of its group of commands, in the singular. */
  readonly name: string
  /** The path segment in `/v1/{collection}`, in the plural. */
  readonly collection: string
  readonly description: string
  /** Members of its documents that a table shows; the first is what `--quiet` prints. */
  readonly columns: readonly string[]
  /** Adds members that only the table shows. */
  readonly shown?: (item: JsonObject) => JsonObject
  /** A member, such as a name, that is accepted in place of the id. */
  readonly knownBy?: string
  /** Query parameters of its list, as flags. */
  readonly filters: readonly NounFilter[]
  readonly verbs: readonly NounVerb[]
  /** On SQLite these are only in the memory of the running server, so a command has to ask it. */
  readonly inMemoryOnSqlite?: true
  /** How the flags of `create` map to members of the API. */
  readonly creating?: {
    readonly flags: Readonly<Record<string, string>>
    /** The member that the argument sets; without it, the argument is the id. */
    readonly argument?: string
    /** The member that serves as the id if none is given. */
    readonly named?: string
    /** For the help: what the id is made of if none is given. */
    readonly idFrom?: string
    /** Flags without a member in the API. */
    readonly only?: readonly string[]
  }
}

export interface NounFilter extends Pick<CommandOption, 'flag' | 'description' | 'placeholder'> {
  readonly parameter: string
  /** The flag takes no value; if it is given, the member is true. */
  readonly isSwitch?: true
  /** The member is a whole number; otherwise digits are sent as text. */
  readonly isCount?: true
}

export type NounVerb = PlainVerb | RemovalVerb | ActionVerb

export interface PlainVerb {
  readonly kind: 'list' | 'show' | 'create' | 'update'
  readonly description: string
  readonly revokes?: true
}

export interface RemovalVerb {
  readonly kind: 'remove'
  /** A DELETE, under the verb that says what it does. */
  readonly word: 'delete' | 'revoke' | 'drop'
  readonly description: string
  /** It may revoke tokens: `--wait` follows the receipt. */
  readonly revokes?: true
}

export interface ActionVerb {
  readonly kind: 'action'
  readonly word: string
  /** `POST /v1/{collection}/{id}/{action}`, or without the id. */
  readonly action: string
  readonly on: 'item' | 'collection'
  readonly description: string
  /** Members of the request body, as flags. */
  readonly fields: readonly NounFilter[]
  /** If the answer has `items`: the columns of their table. */
  readonly columns?: readonly string[]
  /** Asks for confirmation first, because the action cannot be undone. */
  readonly asks: boolean
  readonly revokes?: true
}

export const wordOf = (verb: NounVerb): string => ('word' in verb ? verb.word : verb.kind)

export const textFilter = (parameter: string, description: string, placeholder = 'text'): NounFilter => ({
  flag: `--${parameter.replaceAll('_', '-')}`,
  parameter,
  description,
  placeholder,
})

export const countFilter = (...of: Parameters<typeof textFilter>): NounFilter => ({
  ...textFilter(...of),
  isCount: true,
})
