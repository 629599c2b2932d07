/** Stores logins on this machine: one private file per issuer, written atomically, read only if it is private. */
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

/** XDG Base Directory: a relative path in this variable has to be ignored. */
export function loginFolder(env: Environment['env']): string {
  const named = env['XDG_CONFIG_HOME'] ?? ''
  const base = named.startsWith('/') ? named : join(env['HOME'] ?? homedir(), '.config')
  return join(base, 'grantor', 'logins')
}

/** The host makes the name readable; the hash makes it unique, because an issuer's path may contain any character. */
function loginFile(folder: string, issuer: string): string {
  const { host } = new URL(issuer)
  const mark = createHash('sha256').update(issuer).digest('hex').slice(0, 16)
  return join(folder, `${host.replaceAll(/[^\w.-]/g, '_')}-${mark}.json`)
}

/** Call it within `withLogin` only. */
export const storeLogin = (folder: string, login: StoredLogin): void =>
  replacePrivateFile(loginFile(folder, login.issuer), `${JSON.stringify(login, null, 2)}\n`)

/** Thrown if other users can read the file: its tokens may have been copied, so they are not used. */
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
    // A missing or malformed file counts as no login.
    return null
  }
}

export const removeStoredLogin = (folder: string, issuer: string): void =>
  rmSync(loginFile(folder, issuer), { force: true })

/** The issuers for which a login is stored here. */
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

/** Milliseconds: longer than a request may take. */
const longestRefresh = 30_000

/** Runs the work under a lock: only one process at a time begins, refreshes or ends a login. */
export function withLogin<T>(folder: string, issuer: string, work: () => Promise<T>): Promise<T> {
  makePrivateFolder(folder)
  return withFileLock(loginFile(folder, issuer), longestRefresh, work)
}
