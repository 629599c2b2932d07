/** Every message of the pages, as a type: a language that lacks one does not compile. */
import type { AccountMessages } from './catalogue/account.ts'
import type { ConsentMessages } from './catalogue/consent.ts'
import type { EndingMessages } from './catalogue/endings.ts'
import type { SignInMessages } from './catalogue/sign-in.ts'
import type { MethodMessages } from './catalogue/sign-in-methods.ts'

export type { ActivityKind } from './catalogue/account.ts'
export type { ErrorKind } from './catalogue/endings.ts'

export type LanguageTag = 'en' | 'de'

export interface Messages extends SignInMessages, ConsentMessages, EndingMessages, AccountMessages, MethodMessages {}
