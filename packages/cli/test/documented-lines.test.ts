/** Every line of the documentation that begins with `grantor`: its command and its flags are there. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { flagOf, settingKeys, settingsList } from '@grantor/server'
import { completedWords } from '../src/completion/words.ts'
import { commands, outputOptions } from '../src/index.ts'

const root = join(import.meta.dirname, '..', '..', '..')

interface DocumentedLine {
  readonly page: string
  readonly words: readonly string[]
}

/** The words of a shell, up to where the command ends. */
function wordsOf(text: string): readonly string[] {
  const [command = ''] = /^(?:'[^']*'|"[^"]*"|[^'"#|>;)]|(?<=\S)#)*/.exec(text) ?? []
  return (command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).map((word) =>
    word.replaceAll(
      /'([^']*)'|"([^"]*)"/g,
      (_, single: string | undefined, double: string | undefined) => single ?? double ?? '',
    ),
  )
}

const lines: readonly DocumentedLine[] = globSync('docs/*.md', { cwd: root })
  .toSorted()
  .flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)]
      .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'))
      .flatMap((line) => {
        const begin = /^(?:sudo |[A-Z_]+=\S+ |\w+=\$\(|[^'"]*\$\()?(?:npx )?grantor (.*)/.exec(line)?.[1]
        return begin === undefined ? [] : [{ page, words: wordsOf(begin) }]
      }),
  )

test('a documented line names a command that there is, with flags that it has', () => {
  const completed = completedWords(commands, outputOptions)
  // Every setting is a flag, and may be read from a file by one.
  const settings = settingKeys.map((key) => flagOf(settingsList[key].name)).flatMap((flag) => [flag, `${flag}-file`])
  assert.ok(lines.length > 60, String(lines.length))
  for (const { page, words } of lines) {
    const shown = `${page}: grantor ${words.join(' ')}`
    const found = completed
      .filter(({ path }) => path.length > 0 && path.every((word, at) => words[at] === word))
      .toSorted((a, b) => b.path.length - a.path.length)[0]
    assert.ok(found, shown)
    const known = new Set([...found.words.map(({ word }) => word), ...settings])
    for (const word of words.filter((it) => it.startsWith('--')))
      assert.ok(known.has(word.replace(/=.*$/, '')), `${shown}: ${word}`)
  }
})
