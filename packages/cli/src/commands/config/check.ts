/** `grantor config check` */
import { readDeclaration } from '../../declaration/read.ts'
import type { Command } from '../../program/command.ts'
import { done } from '../../program/exit.ts'
import { readSettings } from '../../program/settings.ts'

export const configCheck: Command = {
  name: 'check',
  description: 'check that the settings can be read and hold together, and that the seed file can be read',
  listsSettings: true,
  run: async (context) => {
    const read = readSettings(context)
    if (read.kind === 'error') return read
    const { settings, warnings } = read.value
    if (settings.seed !== null) {
      const seed = await readDeclaration(settings.seed, context.environment)
      if (seed.kind === 'error') return seed
    }
    await context.out.document({ ok: true, warnings }, 'The settings hold together.\n')
    for (const warning of warnings) await context.out.remark(`warning: ${warning}`)
    return done
  },
}
