/** Brazilian Portuguese: the messages of the pages. */
import type { Messages } from './en.ts'
import { account } from './pt-BR/account.ts'
import { accounts } from './pt-BR/accounts.ts'
import { consent } from './pt-BR/consent.ts'
import { logoutAndErrors } from './pt-BR/logout-and-errors.ts'
import { signIn } from './pt-BR/sign-in.ts'
import { methods } from './pt-BR/sign-in-methods.ts'

export const ptBR: Messages = { ...signIn, ...consent, ...logoutAndErrors, ...account, ...accounts, ...methods }
