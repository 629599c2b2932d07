/** `grantor config check` */
import { done } from '../../program/exit.ts'
import { readDeclaration } from '../../declaration/read.ts'
import { settle } from '../../program/settings.ts'
import type { Verb } from '../../program/command.ts'

export const configCheck: Verb = {
  name: 'check',
  says: 'check that the settings can be read and hold together, and that the seed file can be read',
  listsSettings: true,
  run: async (call) => {
    const read = settle(call)
    if (!read.ok) return read.failure
    const { settings, warnings } = read.settled
    if (settings.seed !== null) {
      const seed = await readDeclaration(settings.seed, call.world)
      if (!seed.ok) return seed.failure
    }
    await call.out.document({ ok: true, warnings }, 'The settings hold together.\n')
    for (const warning of warnings) await call.out.remark(`warning: ${warning}`)
    return done
  },
}
