/** A copy of the work tree to put defects into, with the same dependencies and packages of its own. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Mutant, mutated } from './mutants.ts'

/** In memory where the system has such a place: databases of tests then wait for no disk. */
export const quickFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export interface Scratch {
  readonly folder: string
  /** Runs with that defect in place, and takes it out again. */
  with<T>(mutant: Mutant, run: () => Promise<T>): Promise<T>
  remove(): void
}

export function openScratch(root: string): Scratch {
  const folder = mkdtempSync(join(quickFolder, 'grantor-mutation-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of files.split('\n').filter((it) => it !== '' && existsSync(join(root, it)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  linkModules(root, folder)
  return {
    folder,
    async with(mutant, run) {
      const path = join(folder, mutant.file)
      const source = readFileSync(path, 'utf8')
      writeFileSync(path, mutated(source, mutant))
      try {
        return await run()
      } finally {
        writeFileSync(path, source)
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What others wrote is shared; links between our own packages lead to the copy. */
function linkModules(root: string, folder: string): void {
  const places = ['.', ...readdirSync(join(root, 'packages')).map((name) => join('packages', name))]
  for (const place of places.filter((it) => existsSync(join(root, it, 'node_modules')))) {
    const [from, to] = [join(root, place, 'node_modules'), join(folder, place, 'node_modules')]
    mkdirSync(to, { recursive: true })
    for (const name of readdirSync(from).filter((it) => it !== '.cache')) {
      if (name === '@grantor') linkPackages(join(from, name), join(to, name))
      else symlinkSync(join(from, name), join(to, name))
    }
  }
}

function linkPackages(from: string, to: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    const path = join(from, name)
    symlinkSync(lstatSync(path).isSymbolicLink() ? readlinkSync(path) : path, join(to, name))
  }
}
