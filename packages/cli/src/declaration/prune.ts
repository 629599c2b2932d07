/** `--prune`, the only way in which a declaration removes objects. */
import type { CommandOption } from '../program/command.ts'

export const pruneOption: CommandOption = {
  flag: '--prune',
  description:
    'also remove what sections of the file do not name any more: never people, and only declared clients and webhooks',
}
