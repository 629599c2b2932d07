/** Italian: the messages of the pages. */
import type { Messages } from './en.ts'
import { account } from './it/account.ts'
import { accounts } from './it/accounts.ts'
import { consent } from './it/consent.ts'
import { logoutAndErrors } from './it/logout-and-errors.ts'
import { signIn } from './it/sign-in.ts'
import { methods } from './it/sign-in-methods.ts'

export const it: Messages = { ...signIn, ...consent, ...logoutAndErrors, ...account, ...accounts, ...methods }
