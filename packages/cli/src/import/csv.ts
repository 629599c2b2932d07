/** People in a table: CSV by RFC 4180, whose first row names the columns. */
import { personClaims } from '@grantor/protocol/oidc'
import { claimsOf, type ImportedData, type ImportedPerson, NotThatExport, nothing } from './source.ts'

const own: ReadonlySet<string> = new Set(['id', 'username', 'password_hash', 'disabled', 'groups', 'roles'])
const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  ['', false],
])

export function readCsvExport(source: string): ImportedData {
  const [header, ...rows] = csvRows(source)
  const columns = (header ?? []).map((name) => name.trim())
  if (!columns.includes('username') && !columns.includes('email'))
    throw new NotThatExport('the first row names neither username nor email', 'name the columns in the first row')
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at)
  if (twice !== undefined) throw new NotThatExport(`the first row names ${twice} twice`, 'leave one of the columns out')
  const unknown = columns.filter((name) => !own.has(name) && !personClaims.has(name))
  const people = rows.map((row, at) => personIn(columns, row, `row ${at + 2}`))
  const why = `is no claim; known are ${[...own, ...personClaims].join(', ')}`
  const groups = [...new Set(people.flatMap((person) => person.groups ?? []))]
  return {
    ...nothing,
    people,
    groups: groups.map((name) => ({ name, roles: [] })),
    leftOut: unknown.map((name) => ({ what: `column ${name}`, why })),
  }
}

function personIn(columns: readonly string[], row: readonly string[], where: string): ImportedPerson {
  if (row.length !== columns.length)
    throw new NotThatExport(`${where} has ${row.length} fields, and the first row ${columns.length}`)
  const given = Object.fromEntries(columns.map((name, at) => [name, row[at] ?? '']))
  const flag = (name: string): boolean => {
    const value = flags.get((given[name] ?? '').toLowerCase())
    if (value === undefined) throw new NotThatExport(`${where}: ${name} must be true or false`)
    return value
  }
  const claims = columns
    .filter((name) => personClaims.has(name) && given[name] !== '')
    .map((name) => [name, name.endsWith('_verified') ? flag(name) : given[name]] as const)
  return {
    id: given['id'] || null,
    username: given['username'] || given['email'] || '',
    claims: claimsOf(Object.fromEntries(claims)),
    passwordHash: given['password_hash'] || null,
    disabled: flag('disabled'),
    createdAt: null,
    roles: words(given['roles']),
    groups: words(given['groups']),
    links: [],
    where,
    leftOut: [],
  }
}

/** Several values in one field, separated by semicolons. */
const words = (field = ''): readonly string[] => [...new Set(field.split(';').map((it) => it.trim()))].filter(Boolean)

/** RFC 4180 §2: quoted fields may contain commas, line ends and doubled quotes. Empty lines are skipped. */
export function csvRows(source: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let [row, field, at]: [string[], string, number] = [[], '', 0]
  const end = (): void => {
    row.push(field)
    if (row.length > 1 || field !== '') rows.push(row)
    ;[row, field] = [[], '']
  }
  const content = source.startsWith('\uFEFF') ? source.slice(1) : source
  while (at < content.length) {
    const letter = content[at] as string
    if (letter === '"' && field === '') {
      const quoted = quotedField(content, at + 1)
      ;[field, at] = [quoted.text, quoted.end]
      continue
    }
    if (letter === ',') [row, field] = [[...row, field], '']
    else if (letter === '\n') end()
    else if (letter !== '\r' || content[at + 1] !== '\n') field += letter
    at += 1
  }
  if (field !== '' || row.length > 0) end()
  return rows
}

function quotedField(content: string, from: number): { readonly text: string; readonly end: number } {
  let [read, at] = ['', from]
  for (;;) {
    const quote = content.indexOf('"', at)
    if (quote < 0) throw new NotThatExport('a quote is opened and never closed', 'was the file cut off?')
    read += content.slice(at, quote)
    if (content[quote + 1] !== '"') return { text: read, end: quote + 1 }
    read += '"'
    at = quote + 2
  }
}
