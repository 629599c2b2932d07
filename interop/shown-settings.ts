/** The settings that docs/works-with.md shows of a program, with what stands there for a reader's own replaced. */
import { readFileSync } from 'node:fs'

const page = readFileSync(new URL('../docs/works-with.md', import.meta.url), 'utf8')

/** The one block that begins with `beginning`, behind its fence. */
export function shownSettings(beginning: string, own: Readonly<Record<string, string>>): string {
  const blocks = [...page.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  const shown = blocks.find((text) => text.startsWith(beginning))
  if (shown === undefined) throw new Error(`docs/works-with.md shows nothing that begins with ${beginning}`)
  return Object.entries(own).reduce((text, [name, value]) => {
    if (!text.includes(name)) throw new Error(`${beginning}… does not name ${name}`)
    return text.replaceAll(name, value)
  }, shown)
}
