/** Runs the shell blocks of one page, one after the other, in a folder and a shell of their own. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { type Folder, grantorCommand, temporaryFolder } from '../../interop/server.ts'
import { type Block, root } from './blocks.ts'
import type { DemoServer } from './demo-server.ts'
import type { Preparation } from './preparations/preparation.ts'
import { assertPrinted, shownOutputs } from './shown-output.ts'
import { replaced, standIns } from './stand-ins.ts'

const prelude = readFileSync(join(import.meta.dirname, 'prelude.sh'), 'utf8')

/** `# 401 …` behind a line is what it is answered. */
const expectation = /^(curl\b.*?)\s+# (\d{3})\b.*$/gm

const lineOf = (text: string): string => text.replaceAll(/\\\n\s*/g, '').replaceAll(expectation, 'EXPECTED=$2 $1')

/** Throws with what the shell said since the block that failed began. */
export async function runPage(blocks: readonly Block[], preparation: Preparation, demo: DemoServer): Promise<void> {
  using folder = temporaryFolder()
  if (preparation.at === 'server') symlinkSync(demo.data, join(folder.path, 'data'))
  const names = { ...standIns(demo), ...preparation.names }
  writeFiles(folder, blocks, names)
  const running = blocks.filter(({ language, fate }) => language === 'sh' && fate.kind === 'runs')
  const parts = running.map(({ line, text }) => `printf '\\n@@ line ${line}\\n'\n${lineOf(replaced(text, names))}`)
  const script = [prelude, preparation.before ?? '', ...parts, preparation.after ?? ''].join('\n')
  const shell = spawn('bash', ['-c', script], {
    cwd: folder.path,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environmentFor(demo, preparation), HOME: folder.path },
  })
  let said = ''
  let printed = ''
  const person = demo.person()
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
      person.reads(text)
    })
  const [code] = (await once(shell, 'close')) as [number | null]
  await person.done()
  assert.equal(code, 0, said.split('\n@@ ').at(-1) ?? said)
  const outputs = printed.split(/\n@@ line (\d+)\n/)
  for (const shown of shownOutputs(blocks)) {
    const text = replaced(shown.text, standIns(demo))
    assertPrinted(
      `${blocks[0]?.page}:${shown.line}`,
      { ...shown, text },
      outputs[outputs.indexOf(`${shown.line}`) + 1] ?? '',
    )
  }
}

/** The other blocks of the page, where a line may want them: `yaml-1.yaml`, `ts-2.ts`. */
function writeFiles(folder: Folder, blocks: readonly Block[], names: Readonly<Record<string, string>>): void {
  const counts = new Map<string, number>()
  for (const { language, text } of blocks.filter((it) => it.language !== 'sh')) {
    const ending = language === '' ? 'txt' : language
    const count = (counts.get(language) ?? 0) + 1
    counts.set(language, count)
    folder.write(`${ending}-${count}.${ending}`, replaced(text, names))
  }
}

function environmentFor(demo: DemoServer, { at }: Preparation): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GRANTOR_|NODE_TEST|XDG_)/.test(name))
  return {
    ...Object.fromEntries(kept),
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
    NO_COLOR: '1',
    GRANTOR_PORT: '0',
    GRANTOR_MANAGEMENT_PORT: '0',
    GRANTOR_MTLS_PORT: '0',
    NODE: process.execPath,
    COMMAND: grantorCommand,
    MODULES: join(root, 'node_modules'),
    DATABASE: demo.database,
    ...(at === 'server'
      ? {
          ISSUER: demo.issuer,
          ORDERS: demo.orders,
          GRANTOR_ISSUER: demo.issuer,
          // Whoever has a domain has a certificate that everybody trusts.
          CURL_CA_BUNDLE: join(demo.data, 'tls', 'ca.pem'),
          NODE_EXTRA_CA_CERTS: join(demo.data, 'tls', 'ca.pem'),
        }
      : {}),
  }
}
