/** The built files of the console, which `packages/console` puts beside this file: read once, with what is compressed already. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

export interface ConsoleFile {
  readonly contentType: string
  readonly plain: Buffer
  /** By the name that Accept-Encoding has for it. */
  readonly compressed: Readonly<Record<Encoding, Buffer | null>>
  /** Of the plain file. */
  readonly tag: string
}

export interface ConsoleFiles {
  /** The page itself: the same at every address below the console. */
  readonly index: ConsoleFile
  /** Scripts, sheets and pictures by their names, which carry a hash. */
  readonly assets: ReadonlyMap<string, ConsoleFile>
}

/** The best first. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]
const endings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** There once the console was built. */
export const builtConsole = join(import.meta.dirname, 'dist')

/** Null where nothing was built. */
export function readConsoleFiles(folder: string): ConsoleFiles | null {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return null
  const assets = join(folder, 'assets')
  const names = readdirSync(assets).filter((name) => extname(name) in contentTypes)
  return { index: readFile(index), assets: new Map(names.map((name) => [name, readFile(join(assets, name))])) }
}

function readFile(path: string): ConsoleFile {
  const plain = readFileSync(path)
  const compressed = (encoding: Encoding): Buffer | null => {
    const file = path + endings[encoding]
    return existsSync(file) ? readFileSync(file) : null
  }
  return {
    contentType: contentTypes[extname(path)] ?? 'application/octet-stream',
    plain,
    compressed: { br: compressed('br'), gzip: compressed('gzip') },
    tag: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
  }
}

/** RFC 9110 §12.5.3: what the browser accepts by name; anything subtler gets the plain file, which everybody accepts. */
export function encodingFor(file: ConsoleFile, accepted: string | undefined): Encoding | null {
  const names = new Set(
    (accepted ?? '')
      .split(',')
      .map((item) => item.trim().toLowerCase())
      .filter((item) => !/;\s*q=0(?:\.0*)?$/.test(item))
      .map((item) => item.split(';', 1).join('').trim()),
  )
  return encodings.find((encoding) => names.has(encoding) && file.compressed[encoding] !== null) ?? null
}
