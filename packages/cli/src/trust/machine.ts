/** The machine whose stores are changed; tests hand in one with another root and home. */
import { execFile, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Environment } from '../program/environment.ts'

/** A program and its arguments. */
export type CommandWords = readonly [string, ...string[]]

export interface Ran {
  readonly code: number
  readonly stdout: string
}

export interface Machine {
  readonly platform: NodeJS.Platform
  /** In front of absolute paths of the system: `/`. */
  readonly root: string
  readonly home: string
  /** Where programs keep data of a person. */
  readonly dataHome: string
  readonly isRoot: boolean
  /** Root in the name of somebody else, whose browsers must not come to hold files of root. */
  readonly isSudo: boolean
  hasProgram(name: string): boolean
  /** What it answers is read. */
  ask(command: CommandWords): Promise<Ran>
  /** Its questions, such as for a password, go to the person. */
  act(command: CommandWords): Promise<number>
}

export function thisMachine({ env }: Environment): Machine {
  const given = (name: string): string | null => env[name] || null
  const home = given('HOME') ?? homedir()
  const isRoot = process.getuid?.() === 0
  return {
    platform: process.platform,
    root: '/',
    home,
    dataHome: given('XDG_DATA_HOME') ?? join(home, '.local', 'share'),
    isRoot,
    isSudo: isRoot && (given('SUDO_UID') ?? '0') !== '0',
    hasProgram: (name) =>
      // Programs for root are not always on the path of a person.
      [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((folder) => runs(join(folder, name))),
    ask: ([program, ...args]) =>
      new Promise((resolve) => {
        execFile(program, args, { encoding: 'utf8' }, (error, stdout) =>
          resolve({ code: error === null ? 0 : 1, stdout }),
        )
      }),
    act: ([program, ...args]) =>
      new Promise((resolve) => {
        // Our own standard output is for answers.
        const child = spawn(program, args, { stdio: ['inherit', 2, 2] })
        child.on('error', () => resolve(1))
        child.on('exit', (code) => resolve(code ?? 1))
      }),
  }
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
