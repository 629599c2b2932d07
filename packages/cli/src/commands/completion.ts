/** `grantor completion` */
import { completionScript, type Shell, shells } from '../completion/scripts.ts'
import { completedWords } from '../completion/words.ts'
import { argument, type Command, type CommandOption, type CommandSection } from '../program/command.ts'
import { writeText } from '../program/environment.ts'
import { done } from '../program/exit.ts'

/** For the commands that are listed beside it. */
export const completionOf = (sections: readonly CommandSection[], shared: readonly CommandOption[]): Command => ({
  name: 'completion',
  description: 'print a script that completes commands in a shell',
  args: [{ form: '<shell>', description: 'the shell it is for', choices: shells }],
  takesNoSettings: true,
  run: async (context) => {
    const all = completedWords(sections, shared)
    await writeText(context.environment.stdout, completionScript(argument(context, 0) as Shell, all))
    return done
  },
})
