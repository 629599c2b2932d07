/** Makes the commands of a noun from the table of nouns: each makes one or two calls of the admin API. */
import { ok } from '@grantor/protocol/result'
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'
import { argument, type Command, type CommandContext, countOption } from '../program/command.ts'
import { confirmAction, yesOption } from '../program/confirm.ts'
import { type CommandResult, done, type ExitResult, failure } from '../program/exit.ts'
import { type AdminAnswer, type AdminCall, type AdminQuery, serverOptions, withAdminApi } from './admin-call.ts'
import { fileOption, readBody, setOption } from './body.ts'
import { itemsOf, say, sayRevoked, tell } from './answer.ts'
import { awaitReceipt, receiptSentence, waitOption } from './receipt.ts'
import { type ActionVerb, type Noun, type NounFilter, type NounVerb, type RemovalVerb, wordOf } from './noun.ts'

const limitOption = {
  flag: '--limit',
  description: 'how many at most; all of them if left out',
  takes: 'count',
  placeholder: 'count',
} as const
const mostOfPage = 100

export const commandsOf = (noun: Noun): readonly Command[] => noun.verbs.map((verb) => commandOf(noun, verb))

function commandOf(noun: Noun, verb: NounVerb): Command {
  const isList = verb.kind === 'list'
  const named = verb.kind === 'action' ? verb.on === 'item' : verb.kind !== 'list' && verb.kind !== 'create'
  const id = noun.knownBy === undefined ? 'its id' : `its id, or its ${noun.knownBy}`
  const flags = isList ? noun.filters : verb.kind === 'action' ? verb.fields : []
  const asks = verb.kind === 'remove' || (verb.kind === 'action' && verb.asks)
  return {
    name: wordOf(verb),
    description: verb.description,
    ...(named ? { args: [{ form: '<id>', description: id }] } : {}),
    ...(verb.kind === 'create' && noun.creating?.idFrom !== undefined
      ? { args: [{ form: '[id]', description: `its id; left out, made of ${noun.creating.idFrom}` }] }
      : {}),
    options: [
      ...flags.map(({ flag, description, placeholder = 'text', isSwitch, isCount }) => ({
        flag,
        description,
        ...(isSwitch === true ? {} : { placeholder, takes: isCount === true ? ('count' as const) : ('text' as const) }),
      })),
      ...(isList ? [limitOption] : []),
      ...(verb.kind === 'create' || verb.kind === 'update' ? [setOption, fileOption] : []),
      ...(verb.kind !== 'list' && verb.revokes === true ? [waitOption] : []),
      ...(asks ? [yesOption] : []),
      ...serverOptions,
    ],
    tenant: true,
    run: (context) => withAdminApi(context, noun, (call) => runVerb(noun, verb, { context, call })),
  }
}

interface Doing {
  readonly context: CommandContext
  readonly call: AdminCall
}

// oxlint-disable-next-line typescript/consistent-return -- the switch is exhaustive; the compiler would say so
function runVerb(noun: Noun, verb: NounVerb, doing: Doing): Promise<ExitResult> {
  switch (verb.kind) {
    case 'list':
      return list(noun, doing)
    case 'show':
      return show(noun, doing)
    case 'create':
      return create(noun, doing)
    case 'update':
      return update(noun, doing)
    case 'remove':
      return remove(noun, verb, doing)
    case 'action':
      return act(noun, verb, doing)
  }
}

async function list(noun: Noun, { context, call }: Doing): Promise<ExitResult> {
  const { collection, columns, filters, shown } = noun
  const most = countOption(context, limitOption.flag) ?? Number.POSITIVE_INFINITY
  const items: JsonObject[] = []
  for (let cursor: string | null = null; items.length < most;) {
    const limit = Math.min(mostOfPage, most - items.length)
    const query = { ...membersOf(context, filters), limit, ...(cursor === null ? {} : { cursor }) }
    const page: CommandResult<AdminAnswer> = await call({ method: 'GET', path: collection, query })
    if (page.kind === 'error') return page
    const { next_cursor: next } = page.value.document
    items.push(...itemsOf(page.value))
    if (typeof next !== 'string') break
    cursor = next
  }
  await tell(context, items, { columns, empty: `no ${collection.replaceAll('-', ' ')}`, ...(shown && { shown }) })
  return done
}

/** Finds it by its id, or by the member that may replace the id. */
async function find(
  noun: Noun,
  { context, call }: Doing,
): Promise<CommandResult<AdminAnswer & { readonly id: string }>> {
  const { collection, knownBy } = noun
  const id = argument(context, 0)
  const found = await call({ method: 'GET', path: pathOf(collection, id) })
  if (found.kind === 'ok') return ok({ ...found.value, id })
  if (found.error.exit !== 'absent') return found
  const named = knownBy === undefined ? null : await call({ method: 'GET', path: collection, query: { [knownBy]: id } })
  if (named?.kind === 'error') return named
  const items = named?.value.document['items']
  const [first] = Array.isArray(items) ? (items as readonly Json[]) : []
  const other = isJsonObject(first) ? first['id'] : undefined
  if (typeof other !== 'string') return failure('absent', `there is no ${noun.name} ${id}`)
  const again = await call({ method: 'GET', path: pathOf(collection, other) })
  return again.kind === 'ok' ? ok({ ...again.value, id: other }) : again
}

const pathOf = (...segments: readonly string[]): string => segments.map(encodeURIComponent).join('/')

async function show(noun: Noun, doing: Doing): Promise<ExitResult> {
  const found = await find(noun, doing)
  return found.kind === 'ok' ? say(doing.context, found.value.document) : found
}

async function create({ collection, creating }: Noun, { context, call }: Doing): Promise<ExitResult> {
  const body = await readBody(context)
  if (body.kind === 'error') return body
  const { flags = {}, argument: member = null, named: inPlace = null, only = [] } = creating ?? {}
  const beyond = only.find((flag) => context.options.has(flag))
  if (beyond !== undefined)
    return failure('invalid', `${beyond} is for the database of these settings`, { fix: 'with --server use --set' })
  const given: Record<string, Json> = {}
  for (const [flag, name] of Object.entries(flags)) {
    const value = context.options.get(flag)
    if (value !== undefined)
      given[name] = name === 'scope' && typeof value === 'object' ? value.join(' ') : (value as Json)
  }
  const id = argument(context, 0)
  const sent = {
    ...(inPlace === null ? {} : { [inPlace]: id }),
    ...given,
    ...body.value,
    ...(member === null || id === '' ? {} : { [member]: id }),
  }
  // If the caller chose the id, the resource is created with PUT at its address.
  const named = member === null && id !== ''
  const made = named
    ? await call({ method: 'PUT', path: pathOf(collection, id), body: sent, absent: true })
    : await call({ method: 'POST', path: collection, body: sent })
  return made.kind === 'ok' ? say(context, made.value.document) : made
}

async function update(noun: Noun, doing: Doing): Promise<ExitResult> {
  const body = await readBody(doing.context)
  if (body.kind === 'error') return body
  if (Object.keys(body.value).length === 0)
    return failure('invalid', 'nothing is to be changed', { fix: 'say what with --set or --file' })
  const found = await find(noun, doing)
  if (found.kind === 'error') return found
  const { id, etag } = found.value
  const changed = await doing.call({ method: 'PATCH', path: pathOf(noun.collection, id), body: body.value, etag })
  return changed.kind === 'ok' ? sayRevoked(doing.context, doing.call, changed.value) : changed
}

const pastOf = { delete: 'deleted', revoke: 'revoked', drop: 'dropped' } as const

async function remove(noun: Noun, { word }: RemovalVerb, doing: Doing): Promise<ExitResult> {
  const { context, call } = doing
  const found = await find(noun, doing)
  if (found.kind === 'error') return found
  const { id, etag } = found.value
  if (!(await confirmAction(context, `${word} ${noun.name} ${argument(context, 0)}? It cannot be undone.`))) return done
  const removed = await call({ method: 'DELETE', path: pathOf(noun.collection, id), etag })
  if (removed.kind === 'error') return removed
  const receipt = await awaitReceipt(context, call, removed.value)
  if (receipt.kind === 'error') return receipt
  const past = pastOf[word]
  const came = receipt.value
  await context.out.record({ id, [past]: true, ...(came === null ? {} : { receipt: came }) }, [
    [past, id],
    ...(came === null ? [] : [['receipt', receiptSentence(came)] as const]),
  ])
  return done
}

async function act(noun: Noun, verb: ActionVerb, doing: Doing): Promise<ExitResult> {
  const { action, on, fields, asks, word, columns } = verb
  const { context, call } = doing
  const found = on === 'item' ? await find(noun, doing) : null
  if (found?.kind === 'error') return found
  const body = membersOf(context, fields)
  const what = found === null ? Object.values(body).join(' ') : argument(context, 0)
  if (asks && !(await confirmAction(context, `${word} ${noun.name} ${what}? It cannot be undone.`))) return done
  const id = found === null ? [] : [found.value.id]
  const acted = await call({ method: 'POST', path: pathOf(noun.collection, ...id, action), body })
  if (acted.kind === 'error') return acted
  if (columns !== undefined) {
    await tell(context, itemsOf(acted.value), { columns, empty: `no ${word}` })
    return done
  }
  const { document, status } = acted.value
  return sayRevoked(doing.context, doing.call, {
    document: Object.keys(document).length > 0 ? document : { [word]: true },
    status,
  })
}

const membersOf = (context: CommandContext, filters: readonly NounFilter[]): AdminQuery =>
  Object.fromEntries(
    filters.flatMap(({ flag, parameter }) => {
      const value = context.options.get(flag)
      return value === undefined || typeof value === 'object' ? [] : [[parameter, value] as const]
    }),
  )
