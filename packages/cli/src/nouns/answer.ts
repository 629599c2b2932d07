/** Prints answers of the admin API. */
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'
import { fieldsOf } from '../documents/client.ts'
import type { Cell } from '../output/table.ts'
import type { CommandContext } from '../program/command.ts'
import { done, type ExitResult } from '../program/exit.ts'
import type { AdminAnswer, AdminCall } from './admin-call.ts'
import type { Noun } from './noun.ts'
import { awaitReceipt, receiptSentence } from './receipt.ts'

export const itemsOf = ({ document: { items } }: AdminAnswer): readonly JsonObject[] =>
  Array.isArray(items) ? (items as readonly Json[]).filter(isJsonObject) : []

export const tell = (
  context: CommandContext,
  items: readonly JsonObject[],
  { columns, empty, shown = (item) => item }: Pick<Noun, 'columns' | 'shown'> & { readonly empty: string },
): Promise<void> =>
  context.out.list(items, {
    columns: columns.map((column) => column.toUpperCase()),
    rows: items.map(shown).map((item) => columns.map((column) => cellOf(item[column]))),
    empty,
  })

function cellOf(value: Json | undefined): Cell {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value.replace(/^(\d{4}-\d\d-\d\d)T([\d:]+)(?:\.\d+)?Z$/, '$1 $2Z')
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Object.values(value)
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    .join(' ')
}

/** The id is the first field, because `--quiet` prints the first field. */
export async function say(
  { out }: CommandContext,
  document: JsonObject,
  receipt: JsonObject | null = null,
): Promise<ExitResult> {
  const { id, ...rest } = document
  const fields = fieldsOf({
    ...(id === undefined ? {} : { id }),
    ...rest,
    ...(receipt === null ? {} : { receipt: receiptSentence(receipt) }),
  })
  await out.record(receipt === null ? document : { ...document, receipt }, fields)
  return done
}

/** Prints the answer to a revocation, with the receipt if `--wait` was given. */
export async function sayRevoked(
  context: CommandContext,
  call: AdminCall,
  { document, status }: Pick<AdminAnswer, 'document' | 'status'>,
): Promise<ExitResult> {
  const receipt = await awaitReceipt(context, call, { status })
  return receipt.kind === 'ok' ? say(context, document, receipt.value) : receipt
}
