/** Auth0: the export of users as one JSON document a line, and beside it the one of password hashes that its support sends. */
import type { Instant } from '@grantor/protocol/types'
import {
  claimsOf,
  type ImportedData,
  type ImportedPerson,
  isRecord,
  NotThatExport,
  parseJson,
  records,
  text,
} from './source.ts'

type Row = Readonly<Record<string, unknown>>

export function readAuth0Export(source: string, hashes: string | null): ImportedData {
  const rows = documentLines(source, 'the export')
  if (rows.length > 0 && !rows.some((row) => 'user_id' in row || 'email' in row))
    throw new NotThatExport('no line has a user_id or an email: this is no export of Auth0 users')
  const kept = hashes === null ? new Map<string, string>() : hashesById(documentLines(hashes, 'the file of hashes'))
  const people = rows.map((row, at) => personIn(row, kept, `line ${at + 1}`))
  return { people, clients: [], leftOut: [] }
}

/** One document a line; a whole list in brackets is taken, too. */
function documentLines(source: string, where: string): readonly Row[] {
  if (source.trimStart().startsWith('[')) return records(parseJson(source, where))
  return source.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const row = parseJson(line, `line ${at + 1} of ${where}`)
    if (!isRecord(row)) throw new NotThatExport(`line ${at + 1} of ${where} is no JSON object`)
    return [row]
  })
}

/** The hashes name people by the id they have in the connection. */
function hashesById(rows: readonly Row[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { _id: id, passwordHash } of rows) {
    const oid = isRecord(id) ? text(id['$oid']) : text(id)
    const hash = text(passwordHash)
    if (oid !== null && hash !== null) found.set(`auth0|${oid}`, hash)
  }
  return found
}

function personIn(row: Row, hashes: ReadonlyMap<string, string>, where: string): ImportedPerson {
  const id = text(row['user_id'])
  const email = text(row['email'])
  const created = Date.parse(text(row['created_at']) ?? '')
  const custom = row['custom_password_hash']
  const own = isRecord(custom) && isRecord(custom['hash']) ? text(custom['hash']['value']) : text(row['passwordHash'])
  const others = records(row['identities']).filter(({ provider }) => provider !== 'auth0')
  const leftOut = [
    ...(others.length > 0 ? ['sign-in by another provider'] : []),
    ...(isRecord(row['app_metadata']) || isRecord(row['user_metadata']) ? ['metadata'] : []),
    ...(Array.isArray(row['multifactor']) && row['multifactor'].length > 0 ? ['second factor'] : []),
  ]
  return {
    id,
    username: text(row['username']) ?? email ?? text(row['phone_number']) ?? id ?? '',
    claims: claimsOf({
      email,
      email_verified: email === null ? null : row['email_verified'] === true,
      name: text(row['name']),
      given_name: text(row['given_name']),
      family_name: text(row['family_name']),
      nickname: text(row['nickname']),
      picture: text(row['picture']),
      phone_number: text(row['phone_number']),
    }),
    passwordHash: own ?? hashes.get(id ?? '') ?? null,
    disabled: row['blocked'] === true,
    createdAt: Number.isNaN(created) ? null : (created as Instant),
    where,
    leftOut,
  }
}
