/** The text of a file that a person named, or of standard input for `-`; bounded, and failing in words. */
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { failure, type Failure } from '../program/exit.ts'
import { readAll, type World } from '../program/environment.ts'

const maxBytes = 16 * 1024 * 1024

export async function textOf(name: string, world: World): Promise<string | Failure> {
  const tooLarge = failure('invalid', `${name} is larger than ${maxBytes / 1024 / 1024} MiB; nothing was changed`)
  if (name === '-') return (await readAll(world.stdin, maxBytes)) ?? tooLarge
  try {
    await using file = await open(resolve(world.cwd, name))
    const { size } = await file.stat()
    return size > maxBytes ? tooLarge : await file.readFile('utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') return failure('absent', `there is no file ${name}`)
    return failure('failed', `${name} cannot be read (${code ?? 'unknown error'})`)
  }
}
