/** Simplified Chinese: the messages of the pages. */
import type { Messages } from './en.ts'
import { account } from './zh-Hans/account.ts'
import { accounts } from './zh-Hans/accounts.ts'
import { consent } from './zh-Hans/consent.ts'
import { logoutAndErrors } from './zh-Hans/logout-and-errors.ts'
import { signIn } from './zh-Hans/sign-in.ts'
import { methods } from './zh-Hans/sign-in-methods.ts'

export const zhHans: Messages = { ...signIn, ...consent, ...logoutAndErrors, ...account, ...accounts, ...methods }
