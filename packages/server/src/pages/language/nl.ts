/** Dutch: the messages of the pages. */
import type { Messages } from './en.ts'
import { account } from './nl/account.ts'
import { accounts } from './nl/accounts.ts'
import { consent } from './nl/consent.ts'
import { logoutAndErrors } from './nl/logout-and-errors.ts'
import { signIn } from './nl/sign-in.ts'
import { methods } from './nl/sign-in-methods.ts'

export const nl: Messages = { ...signIn, ...consent, ...logoutAndErrors, ...account, ...accounts, ...methods }
