/**
 * The program as it is installed: our packed tarballs, what they depend on, and the Node they run on, below one folder.
 * Dependencies are copied from where `npm ci` has put them, so that they are the ones of the lockfile.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

export const version = (): string => manifestIn(join(root, 'packages', 'cli')).version

let date: number | undefined

/** When the last commit was made: two builds of the same commit are the same. */
export function sourceDate(): number {
  date ??=
    Number(process.env['SOURCE_DATE_EPOCH'] ?? '') ||
    Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }))
  return date
}

/** Puts everything below `folder`: `bin/node`, `node_modules`, `health.js`. */
export function stageInstallation(folder: string, tarballs: readonly string[]): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const ours = tarballs.map((tarball) => unpack(tarball, modules))
  for (const manifest of ours) copyDependencies(manifest, modules)
  cpSync(join(root, 'node_modules', nodePackage(), 'bin', 'node'), join(folder, 'bin', 'node'))
  chmodSync(join(folder, 'bin', 'node'), 0o755)
  cpSync(join(root, 'deploy', 'health.js'), join(folder, 'health.js'))
}

/** Of the package that brings all others. */
export function commandTarball(tarballs: readonly string[]): string {
  const found = tarballs.find((file) => /^grantor-\d/.test(basename(file)))
  if (found === undefined) throw new Error('the command was not packed')
  return found
}

const nodePackage = (): string => `node-linux-${process.arch}`

/** As Debian and OCI call it. */
export const architecture = (): string => ({ x64: 'amd64' })[process.arch as string] ?? process.arch

function unpack(tarball: string, modules: string): Manifest {
  const text = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' })
  const manifest = JSON.parse(text) as Manifest
  const to = join(modules, manifest.name)
  mkdirSync(to, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '--no-same-owner', '-C', to])
  return manifest
}

/** Breadth first, as npm resolves them: the nearest `node_modules` that has it, up to the workspace's. */
function copyDependencies(of: Manifest, modules: string): void {
  const workspace = join(root, 'packages', of.name === 'grantor' ? 'cli' : of.name.slice('@grantor/'.length))
  const waiting = namesIn(of).map((name) => ({ name, from: workspace }))
  const seen = new Set<string>()
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (next.name === 'grantor' || next.name.startsWith('@grantor/')) continue
    const found = find(next.name, next.from)
    // Optional, and of another platform.
    if (found === null || seen.has(found)) continue
    seen.add(found)
    copyPackage(found, join(modules, placeOf(found, of.name)))
    waiting.push(...namesIn(manifestIn(found)).map((name) => ({ name, from: found })))
  }
}

const namesIn = ({ dependencies = {}, optionalDependencies = {} }: Manifest): readonly string[] =>
  Object.keys({ ...dependencies, ...optionalDependencies })

function find(name: string, from: string): string | null {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
  }
  return null
}

/** What the workspace has for one package alone stays with that package. */
function placeOf(found: string, ours: string): string {
  const path = found.slice(root.length + 1)
  const own = /^packages\/[^/]+\/(node_modules\/.+)$/.exec(path)?.[1]
  return own === undefined ? path.slice('node_modules/'.length) : join(ours, own)
}

/** Without what only its authors need, and without what is below its own `node_modules`: that is asked for by name. */
function copyPackage(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name === 'node_modules' || /^(?:test|tests|docs|\..*)$/.test(name)) continue
    const keep = (file: string): boolean => !/\.(?:map|d\.[cm]?ts|md)$/i.test(file)
    cpSync(join(from, name), join(to, name), { recursive: true, dereference: true, filter: keep })
  }
}
