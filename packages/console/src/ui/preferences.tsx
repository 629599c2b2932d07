/** What a person chose for this browser: language and theme. */
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { chosenLanguage, type Language, languages, textOf, type Values, type Words } from '../messages/words.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

interface Preferences {
  readonly language: Language
  readonly theme: Theme
  setLanguage(language: Language): void
  setTheme(theme: Theme): void
}

const PreferencesContext = createContext<Preferences | null>(null)

const kept = (name: string): string | null => localStorage.getItem(`grantor-console-${name}`)
const keep = (name: string, value: string): void => localStorage.setItem(`grantor-console-${name}`, value)

const firstLanguage = (): Language =>
  languages.find((it) => it === kept('language')) ?? chosenLanguage(navigator.languages)

export const firstTheme = (): Theme => themes.find((it) => it === kept('theme')) ?? 'system'

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage)
  const [theme, setTheme] = useState(firstTheme)
  useEffect(() => void (document.documentElement.lang = language), [language])
  useEffect(() => applyTheme(theme), [theme])
  const preferences = useMemo<Preferences>(
    () => ({
      language,
      theme,
      setLanguage(chosen) {
        keep('language', chosen)
        setLanguage(chosen)
      },
      setTheme(chosen) {
        keep('theme', chosen)
        setTheme(chosen)
      },
    }),
    [language, theme],
  )
  return <PreferencesContext value={preferences}>{children}</PreferencesContext>
}

export function usePreferences(): Preferences {
  const preferences = use(PreferencesContext)
  if (preferences === null) throw new Error('outside of the preferences')
  return preferences
}

export type Say = (words: Words, values?: Values) => string

/** The words of a table, in the language of the person. */
export function useSay(): Say {
  const { language } = usePreferences()
  return useMemo(() => (words: Words, values?: Values) => textOf(words, language, values), [language])
}
