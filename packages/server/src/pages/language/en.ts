/** English: the messages of the pages, and by its type those of every other language. */
import { account } from './en/account.ts'
import { accounts } from './en/accounts.ts'
import { consent } from './en/consent.ts'
import { logoutAndErrors } from './en/logout-and-errors.ts'
import { signIn } from './en/sign-in.ts'
import { methods } from './en/sign-in-methods.ts'

export const en = { ...signIn, ...consent, ...logoutAndErrors, ...account, ...accounts, ...methods }

export type Messages = typeof en
