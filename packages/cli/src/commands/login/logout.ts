/** `grantor logout` */
import { done, type ExitResult } from '../../program/exit.ts'
import { removeStoredLogin, type StoredLogin, loginFile, readStoredLogin } from '../../login/stored-login.ts'
import { withFileLock } from '../../login/lock.ts'
import { endpointsOf } from '../../login/metadata.ts'
import {
  caOption,
  issuerArgument,
  type LoginTarget,
  notSignedIn,
  loginTarget,
  orUnreachable,
} from '../../login/target.ts'
import type { CommandContext, Command } from '../../program/command.ts'

export const logout: Command = {
  name: 'logout',
  description: 'sign out: revoke the tokens that `login` kept, and remove them from this machine',
  args: [issuerArgument],
  options: [caOption],
  run: async (context) => {
    const target = loginTarget(context, { stored: true })
    if (target.kind === 'error') return target
    return orUnreachable(target.value.issuer, () => signOut(context, target.value))
  },
}

async function signOut(context: CommandContext, target: LoginTarget): Promise<ExitResult> {
  const { issuer, folder } = target
  const held = readStoredLogin(folder, issuer)
  if (held === null) return notSignedIn(issuer)
  // Nobody refreshes meanwhile: what is revoked is what there is.
  const revoked = await withFileLock(loginFile(folder, issuer), async () => {
    const now = readStoredLogin(folder, issuer) ?? held
    // They leave this machine whatever the server says; it may be gone for good.
    removeStoredLogin(folder, issuer)
    return revoke(now, target).catch(() => false)
  })
  if (!revoked) await context.out.remark(`${issuer} could not be told; its tokens live until they expire`)
  await context.out.record({ issuer, revoked }, [
    ['signed out of', issuer],
    ['revoked', revoked ? 'yes' : 'no'],
  ])
  return done
}

async function revoke(login: StoredLogin, { issuer, ask }: LoginTarget): Promise<boolean> {
  const endpoints = await endpointsOf(issuer, ask)
  if (typeof endpoints === 'string' || endpoints.revocation === null) return false
  // A refresh token takes its whole grant along.
  const token = login.refreshToken ?? login.accessToken
  const { status } = await ask(endpoints.revocation, { form: { token, client_id: login.clientId } })
  return status === 200
}
