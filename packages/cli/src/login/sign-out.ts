/** Signs out: deletes the tokens on this machine, and asks the issuer to revoke them. */
import { tokenRevocation } from 'openid-client'
import type { CommandContext } from '../program/command.ts'
import { done, type ExitResult } from '../program/exit.ts'
import { discoverIssuer, withIssuer } from './issuer-client.ts'
import { readStoredLogin, removeStoredLogin, type StoredLogin, withLogin } from './stored-login.ts'
import { type LoginTarget, notSignedIn } from './target.ts'

export const signOut = (context: CommandContext): Promise<ExitResult> =>
  withIssuer(context, { stored: true }, async (target) => {
    const { issuer, folder } = target
    const held = readStoredLogin(folder, issuer)
    if (held === null) return notSignedIn(issuer)
    // Under the lock, so that no other process refreshes the tokens while these are revoked.
    const revoked = await withLogin(folder, issuer, async () => {
      const now = readStoredLogin(folder, issuer) ?? held
      // The tokens are deleted here whatever the server answers; it may no longer exist.
      removeStoredLogin(folder, issuer)
      return revokeLogin(now, target).catch(() => false)
    })
    if (!revoked) await context.out.remark(`${issuer} could not be told; its tokens live until they expire`)
    await context.out.record({ issuer, revoked }, [
      ['signed out of', issuer],
      ['revoked', revoked ? 'yes' : 'no'],
    ])
    return done
  })

async function revokeLogin(login: StoredLogin, target: LoginTarget): Promise<boolean> {
  const config = await discoverIssuer(target, login.clientId)
  if (config.kind === 'error') return false
  // Revoking a refresh token revokes its whole grant.
  await tokenRevocation(config.value, login.refreshToken ?? login.accessToken)
  return true
}
