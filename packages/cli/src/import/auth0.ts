/** Auth0: the export of users, one JSON document per line, and the separate export of password hashes. */
import { readAuth0Configuration } from './auth0-configuration.ts'
import { auth0Person } from './auth0-person.ts'
import { type ImportedData, isRecord, NotThatExport, nothing, parseJson, records, text } from './source.ts'

type Row = Readonly<Record<string, unknown>>

export interface Auth0Files {
  /** The export of password hashes; null where there is none. */
  readonly hashes: string | null
  /** The configuration of the tenant, as the Deploy CLI writes it; null where there is none. */
  readonly configuration: string | null
}

export function readAuth0Export(source: string, { hashes, configuration }: Auth0Files): ImportedData {
  const rows = documentLines(source, 'the export')
  if (rows.length > 0 && !rows.some((row) => 'user_id' in row || 'email' in row))
    throw new NotThatExport('no line has a user_id or an email: this is no export of Auth0 users')
  const kept = hashes === null ? new Map<string, string>() : hashesById(documentLines(hashes, 'the file of hashes'))
  const tenant = configuration === null ? null : readAuth0Configuration(configuration)
  const people = rows.map((row, at) => auth0Person(row, kept, `line ${at + 1}`))
  const groups = [...new Set(people.flatMap((person) => person.groups ?? []))]
  return { ...nothing, ...tenant, people, groups: groups.map((name) => ({ name, roles: [] })) }
}

/** One document per line; a JSON array is accepted, too. */
function documentLines(source: string, where: string): readonly Row[] {
  if (source.trimStart().startsWith('[')) return records(parseJson(source, where))
  return source.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const row = parseJson(line, `line ${at + 1} of ${where}`)
    if (!isRecord(row)) throw new NotThatExport(`line ${at + 1} of ${where} is no JSON object`)
    return [row]
  })
}

/** Hashes are listed by the ids of people in the connection. */
function hashesById(rows: readonly Row[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { _id: id, passwordHash } of rows) {
    const oid = isRecord(id) ? text(id['$oid']) : text(id)
    const hash = text(passwordHash)
    if (oid !== null && hash !== null) found.set(`auth0|${oid}`, hash)
  }
  return found
}
