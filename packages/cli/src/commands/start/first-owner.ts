/** Creates the first owner at the first start: its password for one sign-in goes to the terminal or a private file. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { firstOwner, passwordFormProblem } from '@grantor/authority'
import { ok } from '@grantor/protocol/result'
import { createPrivateFile, type Deployment, makePrivateFolder } from '@grantor/server'
import { adminFailure, type CommandResult, failure } from '../../program/exit.ts'

/** What to tell the person; null where there is nothing new. */
export type FirstOwnerNews =
  /** The password is also in the file until it was shown. */
  | { readonly kind: 'password'; readonly password: string; readonly path: string }
  | { readonly kind: 'file'; readonly path: string }
  /** There is no owner, and the username is taken by a person who is not one. */
  | { readonly kind: 'none' }
  | null

const system = { kind: 'system', id: 'start' } as const

export async function ensureFirstOwner(
  { authority, settings }: Deployment,
  forTerminal: boolean,
): Promise<CommandResult<FirstOwnerNews>> {
  const admin = authority.admin.firstOwner
  const path = join(settings.data, 'first-owner-password')
  const needed = await admin.isNeeded()
  if (needed.kind === 'error') return adminFailure(needed.error)
  if (!needed.value) {
    const awaits = await admin.awaitsSignIn()
    if (awaits.kind === 'error') return ok(null)
    // Announced at every start until the password is used; then the file is deleted, as the password is void.
    if (awaits.value) return ok(existsSync(path) ? { kind: 'file', path } : null)
    await rm(path, { force: true })
    return ok(null)
  }
  const { adminPassword: given } = settings
  // Not in the demo, where even alice's password is alice.
  if (
    given !== null &&
    !settings.demo &&
    passwordFormProblem(given, firstOwner, { leastLength: settings.passwordLength }) !== null
  )
    return weakPassword
  const password = given ?? randomBytes(15).toString('base64url')
  // Written before the owner is created, because an owner with an unknown password would be worse than an unused file.
  // Also with a terminal, because the start may still fail before the password is shown there.
  const draft = given === null ? writtenDraft(path, password, forTerminal) : null
  const made = await admin.ensure(system, { password, mustChangePassword: given === null })
  const isMade = made.kind === 'ok' && made.value === 'made'
  if (draft !== null) await (isMade ? rename(draft, path) : rm(draft, { force: true }))
  if (made.kind === 'error') return adminFailure(made.error)
  if (made.value === 'name-taken') return ok({ kind: 'none' })
  // Another node created the owner first, and announces it; or the password was given, and is known.
  if (!isMade || given !== null) return ok(null)
  return ok(forTerminal ? { kind: 'password', password, path } : { kind: 'file', path })
}

/** Null where the file could not be written and the terminal will show the password. */
function writtenDraft(path: string, password: string, forTerminal: boolean): string | null {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    makePrivateFolder(dirname(path))
    createPrivateFile(draft, `${password}\n`)
    return draft
  } catch (cause) {
    if (forTerminal) return null
    throw cause
  }
}

const weakPassword = failure(
  'invalid',
  `the password of the first owner ${firstOwner} is too short, too long or its name`,
  {
    fix: 'give GRANTOR_ADMIN_PASSWORD as many characters as password.min_length says, or leave it out',
  },
)
