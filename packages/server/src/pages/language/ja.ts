/** Japanese: the messages of the pages. */
import type { Messages } from './en.ts'
import { account } from './ja/account.ts'
import { accounts } from './ja/accounts.ts'
import { consent } from './ja/consent.ts'
import { logoutAndErrors } from './ja/logout-and-errors.ts'
import { signIn } from './ja/sign-in.ts'
import { methods } from './ja/sign-in-methods.ts'

export const ja: Messages = { ...signIn, ...consent, ...logoutAndErrors, ...account, ...accounts, ...methods }
