/** The built files of the console, which `packages/console` writes next to this file; with their compressed forms. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

export interface ConsoleFile {
  readonly contentType: string
  readonly plain: Buffer
  /** Compressed forms, by their names in Accept-Encoding. */
  readonly compressed: Readonly<Record<Encoding, Buffer | null>>
  /** The hash of the plain file, for its ETag. */
  readonly tag: string
}

export interface ConsoleFiles {
  /** The page itself, the same at every path below the console. */
  readonly index: ConsoleFile
  /** Scripts, style sheets and pictures by their names, which contain a hash. */
  readonly assets: ReadonlyMap<string, ConsoleFile>
}

/** In order of preference. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]
const endings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** This folder exists once the console was built. */
export const builtConsole = join(import.meta.dirname, 'dist')

/** Null where the console was not built. */
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

/** RFC 9110 §12.5.3: an encoding that the browser names; other forms of the header get the plain file. */
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
