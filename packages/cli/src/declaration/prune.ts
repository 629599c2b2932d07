/** `--prune`, the one way in which a file removes something. */
import type { CommandOption } from '../program/command.ts'

export const pruneOption: CommandOption = {
  flag: '--prune',
  description:
    'also remove resources, scopes, roles, groups and declared clients that sections of the file do not name any more',
}
