/** Colours for code, by highlight.js. */
import { createRequire } from 'node:module'

interface Highlighter {
  registerLanguage(name: string, language: unknown): void
  getLanguage(name: string): object | undefined
  highlight(text: string, options: { readonly language: string }): { readonly value: string }
}

// Required, not imported: its types bring those of a browser into the whole program, where they contradict Node's.
const load = createRequire(import.meta.url)
const highlighter = load('highlight.js/lib/core') as Highlighter
const languages = [
  'apache',
  'bash',
  'go',
  'ini',
  'javascript',
  'json',
  'nginx',
  'python',
  'typescript',
  'xml',
  'yaml',
] as const
for (const name of languages) highlighter.registerLanguage(name, load(`highlight.js/lib/languages/${name}`))

const aliases: Readonly<Record<string, string>> = {
  sh: 'bash',
  ts: 'typescript',
  js: 'javascript',
  html: 'xml',
  toml: 'ini',
}

/** HTML; null for a language that is not known. */
export function highlight(text: string, word: string): string | null {
  const language = aliases[word] ?? word
  return highlighter.getLanguage(language) === undefined ? null : highlighter.highlight(text, { language }).value
}
