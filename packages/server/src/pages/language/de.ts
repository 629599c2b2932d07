/** German. */
import type { Messages } from './en.ts'
import { account } from './de/account.ts'
import { accounts } from './de/accounts.ts'
import { consent } from './de/consent.ts'
import { logoutAndErrors } from './de/logout-and-errors.ts'
import { signIn } from './de/sign-in.ts'
import { methods } from './de/sign-in-methods.ts'

export const de: Messages = { ...signIn, ...consent, ...logoutAndErrors, ...account, ...accounts, ...methods }
