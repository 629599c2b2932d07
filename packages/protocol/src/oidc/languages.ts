/**
 * The languages of the pages and mails, by BCP 47 tag: the one list used by discovery, the language switch and the
 * messages.
 */

export interface LanguageRow<Tag extends string = string> {
  readonly tag: Tag
  /** Its name in the language itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}

/** The first is the default. */
export const languageTable = [
  { tag: 'en', name: 'English', direction: 'ltr' },
  { tag: 'de', name: 'Deutsch', direction: 'ltr' },
  { tag: 'fr', name: 'Français', direction: 'ltr' },
  { tag: 'es', name: 'Español', direction: 'ltr' },
  { tag: 'it', name: 'Italiano', direction: 'ltr' },
  { tag: 'pt-BR', name: 'Português (Brasil)', direction: 'ltr' },
  { tag: 'nl', name: 'Nederlands', direction: 'ltr' },
  { tag: 'pl', name: 'Polski', direction: 'ltr' },
  { tag: 'ja', name: '日本語', direction: 'ltr' },
  { tag: 'zh-Hans', name: '简体中文', direction: 'ltr' },
  { tag: 'ar', name: 'العربية', direction: 'rtl' },
] as const satisfies readonly LanguageRow[]

export type LanguageTag = (typeof languageTable)[number]['tag']

/** `ui_locales_supported` (OIDC Discovery §3). */
export const uiLocales: readonly LanguageTag[] = languageTable.map(({ tag }) => tag)

export const isLanguageTag = (text: string): text is LanguageTag => (uiLocales as readonly string[]).includes(text)
