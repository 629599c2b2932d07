/** A password from a file or standard input, never from an argument; where none is given, one is made and shown once. */
import { randomBytes } from 'node:crypto'
import { textOf as textOfFile } from '../../declaration/text-file.ts'
import type { Failure } from '../../program/exit.ts'
import { type Call, type Opt, textOf } from '../../program/command.ts'

export const passwordFile: Opt = {
  flag: '--password-file',
  takes: 'text',
  placeholder: 'file',
  says: 'a file with the password; - reads standard input; without it one is made and shown once',
}

export interface Password {
  readonly text: string
  /** It was made here, so it must be shown. */
  readonly made: boolean
}

export async function passwordOf(call: Call): Promise<Password | Failure> {
  const file = textOf(call, passwordFile.flag)
  if (file === undefined) return { text: randomBytes(15).toString('base64url'), made: true }
  const text = await textOfFile(file, call.world)
  return typeof text === 'string' ? { text: text.replace(/\r?\n$/, ''), made: false } : text
}
