/** Who acts at the command line: the operator, by the name the machine knows them under. */
import { userInfo } from 'node:os'
import type { Actor } from '@grantor/protocol/events'

export function operator(): Actor {
  try {
    return { kind: 'operator', id: userInfo().username }
  } catch {
    // A container may run under a number that has no name.
    return { kind: 'operator', id: process.getuid === undefined ? null : `uid:${process.getuid()}` }
  }
}
