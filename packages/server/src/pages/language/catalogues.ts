/** The messages of the pages, by language. */
import type { LanguageTag } from '@grantor/protocol/oidc'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type Messages } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { ptBR } from './pt-BR.ts'
import { zhHans } from './zh-Hans.ts'

export const catalogues: Readonly<Record<LanguageTag, Messages>> = {
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
