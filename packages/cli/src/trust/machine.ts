/** The machine whose stores are changed; tests pass one with another root and home folder. */
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
  /** The folder that system paths begin with: `/`, except in tests. */
  readonly root: string
  readonly home: string
  /** The folder where programs store a person's data. */
  readonly dataHome: string
  readonly isRoot: boolean
  /** Run as root with sudo: the browsers of the actual person must not get files owned by root. */
  readonly isSudo: boolean
  hasProgram(name: string): boolean
  /** Runs a command and reads its output. */
  ask(command: CommandWords): Promise<Ran>
  /** Runs a command that may ask the person questions, for a password for example. */
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
      // The folders of programs for root are not always in a person's PATH.
      [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((folder) => runs(join(folder, name))),
    ask: ([program, ...args]) =>
      new Promise((resolve) => {
        execFile(program, args, { encoding: 'utf8' }, (error, stdout) =>
          resolve({ code: error === null ? 0 : 1, stdout }),
        )
      }),
    act: ([program, ...args]) =>
      new Promise((resolve) => {
        // Its output goes to stderr, because our standard output is for answers only.
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
