/** A password from a file or standard input, never from an argument; without one, it is generated and shown once. */
import { randomBytes } from 'node:crypto'
import { ok } from '@grantor/protocol/result'
import { readTextFile } from '../../declaration/text-file.ts'
import { type CommandContext, type CommandOption, textOption } from '../../program/command.ts'
import type { CommandResult } from '../../program/exit.ts'

export const passwordFileOption: CommandOption = {
  flag: '--password-file',
  takes: 'text',
  placeholder: 'file',
  description: 'a file with the password; - reads standard input; without it one is made and shown once',
}

export interface PasswordInput {
  readonly text: string
  /** Whether it was generated here, and must be shown. */
  readonly generated: boolean
}

export async function readPassword(context: CommandContext): Promise<CommandResult<PasswordInput>> {
  const file = textOption(context, passwordFileOption.flag)
  if (file === undefined) return ok({ text: randomBytes(15).toString('base64url'), generated: true })
  const text = await readTextFile(file, context.environment)
  return text.kind === 'ok' ? ok({ text: text.value.replace(/\r?\n$/, ''), generated: false }) : text
}
