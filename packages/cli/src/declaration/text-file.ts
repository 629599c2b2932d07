/** The text of a file that a person named, or of standard input for `-`; bounded, and failing in words. */
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
    const text = name === '-' ? await readInput(stdin, maxBytes) : await readBounded(resolve(cwd, name), maxBytes)
    if (text !== null) return ok(text)
    return failure('invalid', `${name} is larger than ${maxBytes / mebibyte} MiB; nothing was changed`)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') return failure('absent', `there is no file ${name}`)
    return failure('failed', `${name} cannot be read (${code ?? 'unknown error'})`)
  }
}

async function readBounded(path: string, maxBytes: number): Promise<string | null> {
  await using file = await open(path)
  const { size } = await file.stat()
  return size > maxBytes ? null : file.readFile('utf8')
}
