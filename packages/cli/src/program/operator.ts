/** The actor of command-line actions: the operator, with the user name on this machine. */
import { userInfo } from 'node:os'
import type { Actor } from '@grantor/protocol/events'

export function operator(): Actor {
  try {
    return { kind: 'operator', id: userInfo().username }
  } catch {
    // In a container the user id may have no name.
    return { kind: 'operator', id: process.getuid === undefined ? null : `uid:${process.getuid()}` }
  }
}
