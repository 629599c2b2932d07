/** English. */
import type { Messages } from './catalogue.ts'
import { account } from './en/account.ts'
import { consent } from './en/consent.ts'
import { endings } from './en/endings.ts'
import { signIn } from './en/sign-in.ts'
import { methods } from './en/sign-in-methods.ts'

export const en: Messages = { ...signIn, ...consent, ...endings, ...account, ...methods }
