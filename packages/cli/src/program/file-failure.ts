/** Turns file errors of the operating system into failures for a person: the disk or permissions, not a defect. */
import type { Err } from '@grantor/protocol/result'
import { type CommandFailure, failure } from './exit.ts'

const meanings: Readonly<Record<string, readonly [what: string, fix: string]>> = {
  EROFS: ['is on a read-only file system', 'mount it writable, or name another folder with --data'],
  EACCES: ['may not be used by this user', 'give it to the user that runs grantor, or name another folder with --data'],
  EPERM: ['may not be used by this user', 'give it to the user that runs grantor, or name another folder with --data'],
  ENOSPC: ['cannot be written: the disk is full', 'make room, then run the command again'],
  EDQUOT: ['cannot be written: the quota is used up', 'make room, then run the command again'],
  EFBIG: ['cannot be written: it would be too large', 'raise the limit on the size of files'],
  ENOTDIR: ['lies below something that is not a folder', 'name another folder with --data'],
  EEXIST: ['is there already and is not a folder', 'name another folder with --data'],
  EISDIR: ['is a folder, not a file', 'move it away'],
  ENOENT: ['is not there', 'check its name'],
  EIO: ['cannot be read or written: the disk fails', 'look at the log of the operating system'],
}

/** When Node cannot make a folder and its parents, it reports ENOENT even if the cause is a read-only file system. */
const unmade = [
  'cannot be made',
  'see that the file system is there and may be written, or name another folder with --data',
] as const

/** What a call says of a file that is open, and therefore not named. */
const ofOpenFiles = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'])

/** Null if the error is not one of a call about a file. */
export function fileFailure(error: unknown): Err<CommandFailure> | null {
  if (!(error instanceof Error)) return null
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined) return null
  if (path === undefined && !ofOpenFiles.has(code)) return null
  const [what, fix] = (code === 'ENOENT' && syscall === 'mkdir' ? unmade : meanings[code]) ?? [
    'cannot be used',
    'check the file, its folder and the disk',
  ]
  return failure('failed', `${path ?? 'a file'} ${what} (${code})`, { fix })
}
