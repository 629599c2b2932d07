/** Spanish: the messages of the pages. */
import type { Messages } from './en.ts'
import { account } from './es/account.ts'
import { accounts } from './es/accounts.ts'
import { consent } from './es/consent.ts'
import { logoutAndErrors } from './es/logout-and-errors.ts'
import { signIn } from './es/sign-in.ts'
import { methods } from './es/sign-in-methods.ts'

export const es: Messages = { ...signIn, ...consent, ...logoutAndErrors, ...account, ...accounts, ...methods }
