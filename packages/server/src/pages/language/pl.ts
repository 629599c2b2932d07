/** Polish: the messages of the pages. */
import type { Messages } from './en.ts'
import { account } from './pl/account.ts'
import { accounts } from './pl/accounts.ts'
import { consent } from './pl/consent.ts'
import { logoutAndErrors } from './pl/logout-and-errors.ts'
import { signIn } from './pl/sign-in.ts'
import { methods } from './pl/sign-in-methods.ts'

export const pl: Messages = { ...signIn, ...consent, ...logoutAndErrors, ...account, ...accounts, ...methods }
