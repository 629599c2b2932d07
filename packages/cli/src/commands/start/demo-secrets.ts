/** The secrets of the demo's clients: generated at the first start and kept, so that copied commands keep working. */
import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The clients with a secret; demo-device is public and has none. */
const holders = ['demo-service', 'demo-web', 'demo-orders'] as const
export type DemoSecrets = Readonly<Record<(typeof holders)[number], string>>

const demoFile = (data: string): string => join(data, 'demo.json')

export async function demoSecrets(data: string): Promise<DemoSecrets> {
  const path = demoFile(data)
  const held = await readFile(path, 'utf8').then(parsed, () => null)
  const secrets = Object.fromEntries(holders.map((id) => [id, usable(held?.[id]) ?? fresh()])) as DemoSecrets
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(draft, path)
  return secrets
}

const fresh = (): string => `gs_${randomBytes(32).toString('base64url')}`

const usable = (value: unknown): string | null => (typeof value === 'string' && value.length >= 32 ? value : null)

/** Null for a damaged file, which is then written again. */
function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>> | null
  } catch {
    return null
  }
}
