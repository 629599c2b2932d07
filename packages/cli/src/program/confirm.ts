/** A question before what cannot be undone. It is asked of a person only: a script means what it says. */
import { printable } from '../output/printable.ts'
import { type CommandContext, type CommandOption, hasFlag } from './command.ts'

export const yesOption: CommandOption = { flag: '--yes', description: 'do not ask' }

/** Whether a person is there to answer. */
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
