/** Arabic: the messages of the pages. */
import type { Messages } from './en.ts'
import { account } from './ar/account.ts'
import { accounts } from './ar/accounts.ts'
import { consent } from './ar/consent.ts'
import { logoutAndErrors } from './ar/logout-and-errors.ts'
import { signIn } from './ar/sign-in.ts'
import { methods } from './ar/sign-in-methods.ts'

export const ar: Messages = { ...signIn, ...consent, ...logoutAndErrors, ...account, ...accounts, ...methods }
