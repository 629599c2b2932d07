/** A text of the console in every language it speaks. A table of them is one row a text, so that none is forgotten. */

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** In the order of `languages`. `{name}` stands for what is put in. */
export type Words = readonly [en: string, de: string]

export type WordTable = Readonly<Record<string, Words>>

export type Values = Readonly<Record<string, string | number>>

export function textOf(words: Words, language: Language, values: Values = {}): string {
  const text = words[languages.indexOf(language)] ?? words[0]
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return typeof value === 'number' ? value.toLocaleString(language) : (value ?? whole)
  })
}

/** The first language of a browser that we speak. */
export function chosenLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = languages.find((language) => tag.toLowerCase().split('-', 1).join('') === language)
    if (found !== undefined) return found
  }
  return 'en'
}
