/** What a login leaves on this machine: one private file for each issuer, written whole, read only if it is private. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { makePrivateFolder, replacePrivateFile, withFileLock } from '@grantor/server'
import type { Environment } from '../program/environment.ts'

export interface StoredLogin {
  readonly issuer: string
  readonly clientId: string
  readonly scope: string
  readonly accessToken: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly refreshToken: string | null
}

/** XDG Base Directory: a relative path there is to be ignored. */
export function loginFolder(env: Environment['env']): string {
  const named = env['XDG_CONFIG_HOME'] ?? ''
  const base = named.startsWith('/') ? named : join(env['HOME'] ?? homedir(), '.config')
  return join(base, 'grantor', 'logins')
}

/** The host for eyes; the hash because a path may hold anything. */
function loginFile(folder: string, issuer: string): string {
  const { host } = new URL(issuer)
  const mark = createHash('sha256').update(issuer).digest('hex').slice(0, 16)
  return join(folder, `${host.replaceAll(/[^\w.-]/g, '_')}-${mark}.json`)
}

/** Within `withLogin`. */
export const storeLogin = (folder: string, login: StoredLogin): void =>
  replacePrivateFile(loginFile(folder, login.issuer), `${JSON.stringify(login, null, 2)}\n`)

/** Others can read it, so others may have: it is not used. */
export class ExposedLogin extends Error {
  override readonly name = 'Exposed'
}

export function readStoredLogin(folder: string, issuer: string): StoredLogin | null {
  const path = loginFile(folder, issuer)
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      throw new ExposedLogin(`${path} can be read by others`)
    const login = JSON.parse(readFileSync(path, 'utf8')) as StoredLogin
    return login.issuer === issuer && typeof login.accessToken === 'string' ? login : null
  } catch (error) {
    if (error instanceof ExposedLogin) throw error
    // Not there, or not readable as one: then there is none.
    return null
  }
}

export const removeStoredLogin = (folder: string, issuer: string): void =>
  rmSync(loginFile(folder, issuer), { force: true })

/** The issuers one is signed in to here. */
export function storedIssuers(folder: string): readonly string[] {
  const names = listed(folder).filter((name) => name.endsWith('.json'))
  return names.flatMap((name) => {
    try {
      const { issuer } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Partial<StoredLogin>
      return typeof issuer === 'string' ? [issuer] : []
    } catch {
      return []
    }
  })
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

/** Longer than a request may take. */
const longestRefresh = 30_000

/** Whoever begins, refreshes or ends a login does it alone. */
export function withLogin<T>(folder: string, issuer: string, work: () => Promise<T>): Promise<T> {
  makePrivateFolder(folder)
  return withFileLock(loginFile(folder, issuer), longestRefresh, work)
}
