/** Asks for confirmation before something that cannot be undone. Only a person is asked, never a script. */
import { printable } from '../output/printable.ts'
import { type CommandContext, type CommandOption, hasFlag } from './command.ts'

export const yesOption: CommandOption = { flag: '--yes', description: 'do not ask' }

/** Whether a person can answer: input and output are a terminal, and the output is not JSON. */
export const isInteractive = ({ environment, out }: CommandContext): boolean =>
  environment.stdin.isTTY === true &&
  environment.stdout.isTTY === true &&
  environment.stderr.isTTY === true &&
  !out.json

export async function confirmAction(context: CommandContext, question: string): Promise<boolean> {
  if (hasFlag(context, yesOption.flag) || !isInteractive(context)) return true
  const { confirm } = await import('@clack/prompts')
  const answer = await confirm({ message: printable(question), initialValue: false })
  if (answer === true) return true
  await context.out.remark('Nothing was changed.')
  return false
}
