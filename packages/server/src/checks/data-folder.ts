/** Is the data folder there, ours alone, writable, and not nearly full? */
import { access, constants, stat, statfs } from 'node:fs/promises'
import { sqliteFile } from '../compose-store.ts'
import { usesPostgres } from '../config/conflicts.ts'
import type { Settings } from '../config/settings.ts'
import { masterKeyFile } from '../secrets/master-key.ts'
import { failed, type Finding, passed, warning } from './finding.ts'

const check = 'data folder'
const little = 256 * 1024 * 1024

export async function checkDataFolder(settings: Settings): Promise<readonly Finding[]> {
  const { data } = settings
  const there = await modeOf(data)
  if (there === null) return [passed(check, `${data} is not there yet; the first start makes it`)]
  if (!there.folder) return [failed(check, `${data} is not a folder`, 'name another with --data')]
  try {
    await access(data, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return [failed(check, `${data} cannot be written by this user`, `chown it to the user that runs grantor`)]
  }
  // In a folder that only its owner may enter, the permissions of files do not matter.
  const entered = (there.mode & 0o077) !== 0
  const inside = entered && !usesPostgres(settings) ? [sqliteFile(settings)] : []
  const loose = await filterAsync(
    [data, masterKeyFile(settings), ...inside],
    async (path) => ((await modeOf(path))?.mode ?? 0) & 0o077,
  )
  const findings = loose.map((path) =>
    path === masterKeyFile(settings)
      ? failed(check, `${path} can be read by others`, `chmod 600 ${path}`)
      : warning(check, `${path} is open to other users of this machine`, `chmod go-rwx ${path}`),
  )
  const { bavail, bsize } = await statfs(data)
  if (bavail * bsize < little)
    findings.push(
      warning(
        check,
        `only ${Math.round((bavail * bsize) / 1048576)} MiB are free`,
        'make room; writes are refused when the disk is full',
      ),
    )
  return findings.length > 0 ? findings : [passed(check, data)]
}

async function modeOf(path: string): Promise<{ readonly mode: number; readonly folder: boolean } | null> {
  try {
    const found = await stat(path)
    // Windows has no such permission bits.
    return { mode: process.platform === 'win32' ? 0 : found.mode, folder: found.isDirectory() }
  } catch {
    return null
  }
}

async function filterAsync(
  paths: readonly string[],
  bits: (path: string) => Promise<number>,
): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(bits))
  return paths.filter((_, at) => found[at] !== 0)
}
