/** The hook that decides about sign-ups, from the settings. */
import type { SignUpHook } from '@grantor/authority'
import type { Secret } from '@grantor/protocol/types'
import { webhookKey } from '@grantor/protocol/webhooks'
import type { Settings } from './settings.ts'

type HookSettings = Pick<Settings, 'signUpHook' | 'signUpHookSecret' | 'signUpHookDeadline' | 'signUpHookOnFailure'>

/** The problem of these settings; null where there is none. */
export function signUpHookProblem({ signUpHook: url, signUpHookSecret: secret }: HookSettings): string | null {
  if (url === null) return secret === null ? null : 'sign_up.hook_secret needs sign_up.hook, the address that is asked'
  if (!url.startsWith('https://')) return 'sign_up.hook must be an https address'
  return secret === null || webhookKey(secret) === null
    ? 'sign_up.hook needs sign_up.hook_secret: whsec_ and 24 to 64 random bytes in base64'
    : null
}

export const signUpHookFrom = (settings: HookSettings): SignUpHook | null =>
  settings.signUpHook === null || settings.signUpHookSecret === null
    ? null
    : {
        url: settings.signUpHook,
        secret: settings.signUpHookSecret as Secret,
        deadline_ms: settings.signUpHookDeadline,
        on_failure: settings.signUpHookOnFailure,
      }
