/** French: the messages of the pages. */
import type { Messages } from './en.ts'
import { account } from './fr/account.ts'
import { accounts } from './fr/accounts.ts'
import { consent } from './fr/consent.ts'
import { logoutAndErrors } from './fr/logout-and-errors.ts'
import { signIn } from './fr/sign-in.ts'
import { methods } from './fr/sign-in-methods.ts'

export const fr: Messages = { ...signIn, ...consent, ...logoutAndErrors, ...account, ...accounts, ...methods }
