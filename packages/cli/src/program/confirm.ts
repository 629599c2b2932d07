/** A question before what cannot be undone. It is asked of a person only: a script means what it says. */
import { printable } from '../output/printable.ts'
import { type Call, isSet, type Opt } from './command.ts'

export const yes: Opt = { flag: '--yes', says: 'do not ask' }

/** Whether a person is there to answer. */
export const attended = ({ world, out }: Call): boolean =>
  world.stdin.isTTY === true && world.stdout.isTTY === true && world.stderr.isTTY === true && !out.json

export async function confirmed(call: Call, question: string): Promise<boolean> {
  if (isSet(call, yes.flag) || !attended(call)) return true
  const { confirm } = await import('@clack/prompts')
  const answer = await confirm({ message: printable(question), initialValue: false })
  if (answer === true) return true
  await call.out.remark('Nothing was changed.')
  return false
}
