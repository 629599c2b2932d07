/** What a noun of the admin API is at the command line, as data: commands, help, completion and docs/cli.md follow from it. */
import type { JsonObject } from '@grantor/protocol/types'
import type { CommandOption } from '../program/command.ts'

export interface Noun {
  /** In the singular: the name of its group of commands. */
  readonly name: string
  /** In the plural: `/v1/{collection}`. */
  readonly collection: string
  readonly description: string
  /** Members of its documents that a table shows; the first is what `--quiet` prints. */
  readonly columns: readonly string[]
  /** With members that a table alone shows. */
  readonly shown?: (item: JsonObject) => JsonObject
  /** A member that people know it by, taken in place of its id. */
  readonly knownBy?: string
  /** Query parameters of its list, as flags. */
  readonly filters: readonly NounFilter[]
  readonly verbs: readonly NounVerb[]
  /** On SQLite the server that runs has them in its memory, and nobody else knows them. */
  readonly inMemoryOnSqlite?: true
  /** What the flags of its `create` are in the API. */
  readonly creating?: {
    readonly flags: Readonly<Record<string, string>>
    /** The member that its argument is; left out, the argument is its id. */
    readonly argument?: string
    /** The member that is the id where it is not given. */
    readonly named?: string
    /** What its id is made of where none is given. */
    readonly idFrom?: string
    /** Flags that the API has no member for. */
    readonly only?: readonly string[]
  }
}

export interface NounFilter extends Pick<CommandOption, 'flag' | 'description' | 'placeholder'> {
  readonly parameter: string
  /** It takes no value: given, the member is true. */
  readonly isSwitch?: true
  /** The member is a whole number; without it, digits are text as everything else is. */
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
  /** DELETE, by the word that says what becomes of it. */
  readonly word: 'delete' | 'revoke' | 'drop'
  readonly description: string
  /** What was issued may end with it: `--wait` follows the receipt. */
  readonly revokes?: true
}

export interface ActionVerb {
  readonly kind: 'action'
  readonly word: string
  /** `POST /v1/{collection}/{id}/{action}`, or without the id. */
  readonly action: string
  readonly on: 'item' | 'collection'
  readonly description: string
  /** Members of its body, as flags. */
  readonly fields: readonly NounFilter[]
  /** Where it answers with `items`: what a table of them shows. */
  readonly columns?: readonly string[]
  /** What cannot be undone is asked about. */
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
