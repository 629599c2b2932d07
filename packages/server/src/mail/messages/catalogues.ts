/** The messages of the mails, by language. */
import type { LanguageTag } from '@grantor/protocol/oidc'
import { ar } from './language/ar.ts'
import { de } from './language/de.ts'
import { en, type MailMessages } from './language/en.ts'
import { es } from './language/es.ts'
import { fr } from './language/fr.ts'
import { it } from './language/it.ts'
import { ja } from './language/ja.ts'
import { nl } from './language/nl.ts'
import { pl } from './language/pl.ts'
import { ptBR } from './language/pt-BR.ts'
import { zhHans } from './language/zh-Hans.ts'

export const mailCatalogues: Readonly<Record<LanguageTag, MailMessages>> = {
  en,
  de,
  fr,
  es,
  it,
  'pt-BR': ptBR,
  nl,
  pl,
  ja,
  'zh-Hans': zhHans,
  ar,
}
