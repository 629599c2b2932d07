/** `grantor completion` */
import { completionScript, type Shell, shells } from '../completion/scripts.ts'
import { completedWords } from '../completion/words.ts'
import { argument, type Command, type CommandOption, type CommandSection } from '../program/command.ts'
import { done } from '../program/exit.ts'

/** The command that completes the other listed commands. */
export const completionOf = (sections: readonly CommandSection[], shared: readonly CommandOption[]): Command => ({
  name: 'completion',
  description: 'print a script that completes commands in a shell',
  args: [{ form: '<shell>', description: 'the shell it is for', choices: shells }],
  takesNoSettings: true,
  run: async (context) => {
    const shell = argument(context, 0) as Shell
    const script = completionScript(shell, completedWords(sections, shared))
    await context.out.document({ shell, script }, script)
    return done
  },
})
