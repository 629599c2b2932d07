/** Reads a named file, or standard input for `-`, with a size limit and readable failures. */
import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ok } from '@grantor/protocol/result'
import { type Environment, readInput } from '../program/environment.ts'
import { type CommandResult, failure } from '../program/exit.ts'

const mebibyte = 1024 * 1024

export async function readTextFile(
  name: string,
  { stdin, cwd }: Environment,
  maxBytes = 16 * mebibyte,
): Promise<CommandResult<string>> {
  try {
    const bytes = name === '-' ? await readInput(stdin, maxBytes) : await readBounded(resolve(cwd, name), maxBytes)
    if (bytes === null)
      return failure('invalid', `${name} is larger than ${maxBytes / mebibyte} MiB; nothing was changed`)
    // Text in another encoding would silently be misread.
    if (isUtf8(bytes)) return ok(bytes.toString('utf8'))
    return failure('invalid', `${name} is not UTF-8; nothing was changed`, { fix: 'save it as UTF-8' })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') return failure('absent', `there is no file ${name}`)
    return failure('failed', `${name} cannot be read (${code ?? 'unknown error'})`)
  }
}

async function readBounded(path: string, maxBytes: number): Promise<Buffer | null> {
  await using file = await open(path)
  const { size } = await file.stat()
  // Awaited here, so that the file is closed only after the read.
  return size > maxBytes ? null : await file.readFile()
}
