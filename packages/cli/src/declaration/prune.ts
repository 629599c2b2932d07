/** `--prune`, the one way in which a file removes something. */
import type { Opt } from '../program/command.ts'

export const prune: Opt = {
  flag: '--prune',
  says: 'also remove resources, scopes and declared clients that sections of the file do not name any more',
}
