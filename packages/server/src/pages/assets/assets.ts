/** The files that pages refer to: bytes, content type, and a name that contains a hash of the content. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Asset {
  /** The part of its path after /assets/. */
  readonly name: string
  readonly bytes: Buffer
  readonly contentType: string
}

/** The folder under which the route serves them, below the deployment's base. */
export const assetFolder = '/assets'

/** `style.css` becomes `style.1a2b3c4d5e6f.css`: other content has another URL, so caches may keep it for ever. */
export function assetOf(file: string, contentType: string, bytes: Buffer): Asset {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const dot = file.lastIndexOf('.')
  return { name: `${file.slice(0, dot)}.${hash}${file.slice(dot)}`, bytes, contentType }
}

/** Reads a file of the program at its start; it throws where the installation is broken. */
const shipped = (file: string, contentType: string): Asset =>
  assetOf(file, contentType, readFileSync(new URL(file, import.meta.url)))

export const stylesheet = shipped('style.css', 'text/css; charset=utf-8')
export const mark = shipped('mark.svg', 'image/svg+xml')
export const formScript = shipped('form.js', 'text/javascript; charset=utf-8')
export const submitScript = shipped('submit.js', 'text/javascript; charset=utf-8')
export const onwardScript = shipped('onward.js', 'text/javascript; charset=utf-8')
export const passkeyScript = shipped('passkey.js', 'text/javascript; charset=utf-8')

/** All that the program ships; a theme adds its own (see theme.ts). */
export const assets: ReadonlyMap<string, Asset> = new Map(
  [stylesheet, mark, formScript, submitScript, onwardScript, passkeyScript].map((asset) => [asset.name, asset]),
)
