/** German. */
import type { Messages } from './catalogue.ts'
import { account } from './de/account.ts'
import { consent } from './de/consent.ts'
import { endings } from './de/endings.ts'
import { signIn } from './de/sign-in.ts'
import { methods } from './de/sign-in-methods.ts'

export const de: Messages = { ...signIn, ...consent, ...endings, ...account, ...methods }
