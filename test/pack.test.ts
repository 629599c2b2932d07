/** The packages as others get them: packed, unpacked elsewhere, and run without a single source file of ours. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Folder, startServer, temporaryFolder } from '../interop/server.ts'
import { packAll } from '../scripts/pack.ts'
import { type Sbom, sbomFileOf } from '../scripts/sbom.ts'
import { httpClientOf } from './faults/http-client.ts'
import { requestToken, seed } from './faults/service-client.ts'
import { oldestNode } from './oldest-node.ts'

const root = join(import.meta.dirname, '..')
let consumer: Folder
let modules: string

/** What `npm install` of the tarballs would give; dependencies of others come from where they are installed already. */
before(() => {
  consumer = temporaryFolder()
  modules = join(consumer.path, 'node_modules')
  mkdirSync(join(modules, '@grantor'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@grantor' || name === 'grantor' || name === '.bin') continue
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const tarball of packAll(join(consumer.path, 'packed'))) {
    const name = /^(?:grantor-(?=[a-z]))?([a-z-]+)-\d/.exec(basename(tarball))?.[1] ?? ''
    const folder = name === 'grantor' ? join(modules, name) : join(modules, '@grantor', name)
    mkdirSync(folder, { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder])
  }
})
after(() => consumer[Symbol.dispose]())

test('beside each tarball lies a list of all it brings, and of nothing that only we use', () => {
  const folder = join(consumer.path, 'packed')
  for (const tarball of globSync('*.tgz', { cwd: folder })) {
    const text = readFileSync(sbomFileOf(join(folder, tarball)), 'utf8')
    const { bomFormat, metadata, components } = JSON.parse(text) as Sbom
    assert.equal(bomFormat, 'CycloneDX')
    const { name, version } = metadata.component
    assert.equal(`${name.replace('@grantor/', 'grantor-')}-${version}.tgz`, tarball)
    const named = new Set(components.map((it) => it.name))
    const ours = name === 'grantor' ? join(modules, name) : join(modules, ...name.split('/'))
    for (const dependency of Object.keys(manifestOf(ours).dependencies ?? {}))
      assert.ok(named.has(dependency), `${name}: ${dependency}`)
    for (const tool of ['typescript', 'oxlint', 'fast-check', 'playwright-core', 'express'])
      assert.ok(!named.has(tool), `${name}: ${tool}`)
    for (const component of components) assert.match(component.purl, /^pkg:npm\//)
  }
})

const packages = (): readonly string[] => [
  join(modules, 'grantor'),
  ...readdirSync(join(modules, '@grantor')).map((name) => join(modules, '@grantor', name)),
]

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>
  readonly engines: { readonly node: string }
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>
  readonly bin?: Readonly<Record<string, string>>
}
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
const command = (): string => join(modules, 'grantor', manifestOf(join(modules, 'grantor')).bin?.['grantor'] ?? '')

test('the packed command says its version', () => {
  const output = execFileSync(process.execPath, [command(), '--version'], { encoding: 'utf8', cwd: consumer.path })
  assert.equal(output.trim(), manifestOf(join(modules, 'grantor')).version)
})

test('the packed command starts, issues a token, and stops', async () => {
  const data = join(consumer.path, 'data')
  mkdirSync(data)
  const options = { data, seed: consumer.write('seed.json', seed), env: { GRANTOR_LOG: 'warn' }, command: command() }
  await using server = await startServer(options)
  using http = httpClientOf(server)
  assert.equal((await requestToken(http)).status, 200)
  assert.equal((await http.send('/problems/invalid_client')).status, 200)
  assert.equal(await server.stop(), 0)
})

test('a package names every package it imports, and holds no TypeScript source', () => {
  for (const folder of packages()) {
    const { name, dependencies = {}, peerDependencies = {} } = manifestOf(folder)
    assert.deepEqual(
      globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.d.ts')),
      [],
      name,
    )
    for (const file of globSync('dist/**/*.js', { cwd: folder })) {
      const text = readFileSync(join(folder, file), 'utf8')
      const imported = text.matchAll(
        /^(?:import|export)\b[^'"]*?from ['"]([^.'"][^'"]*)['"]|\bimport\(['"]([^.'"][^'"]*)['"]\)/gm,
      )
      for (const [, fixed, lazy] of imported) {
        const specifier = fixed ?? lazy ?? ''
        if (specifier.startsWith('node:') || builtinModules.includes(specifier)) continue
        const target = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/')
        assert.ok(
          target in dependencies || target in peerDependencies,
          `${name}: ${file} imports ${target}, which its manifest does not name`,
        )
      }
    }
  }
})

test('every entry point loads, and is typed for those who import it', async () => {
  const lines: string[] = []
  for (const folder of packages()) {
    const { name, exports } = manifestOf(folder)
    for (const path of Object.keys(exports)) {
      const entry = exports[path]
      assert.ok(entry !== undefined)
      // The index of the command begins nothing when it is loaded; the others are libraries.
      await import(join(folder, entry.default))
      lines.push(`import * as module${lines.length} from '${name}${path.slice(1)}'`)
    }
  }
  const used = lines.map((_, index) => `module${index}`).join(', ')
  writeFileSync(
    join(consumer.path, 'consumer.ts'),
    `${lines.join('\n')}\nexport const all: readonly object[] = [${used}]\n`,
  )
  checkTypes('consumer.ts')
})

/** As a stranger's project would: with the declarations of the packages and nothing of the workspace. */
function checkTypes(...files: readonly string[]): void {
  const options = '--noEmit --strict --skipLibCheck --module nodenext --target es2024 --types node'.split(' ')
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, ...options, ...files], { cwd: consumer.path, stdio: 'inherit' })
}

test('every framework knows by type who calls, and answers as a published package', () => {
  // A module by its place: there is no manifest here.
  const used = join(consumer.path, 'use-frameworks.mts')
  cpSync(join(import.meta.dirname, 'use-frameworks.ts'), used)
  checkTypes('use-frameworks.mts')
  execFileSync(process.execPath, [used], { cwd: consumer.path, stdio: 'inherit' })
})

test('every package says what it is, how it is installed and how it is used, and its example compiles', () => {
  const examples = packages().map((folder, n) => {
    const { name } = manifestOf(folder)
    const page = readFileSync(join(folder, 'README.md'), 'utf8')
    assert.ok(page.startsWith(`# ${name}\n`), name)
    assert.match(page, new RegExp(`^npm install (?:--global )?${name}\\b`, 'm'))
    const [, code] = /```ts\n([\s\S]*?)```/.exec(page) ?? []
    assert.ok(code !== undefined || name === 'grantor', name)
    const file = `readme-${n}.mts`
    writeFileSync(join(consumer.path, file), code ?? 'export {}\n')
    return file
  })
  checkTypes(...examples)
})

test('a framework is needed by those who use it: no package of ours depends on one', () => {
  for (const folder of libraries()) {
    const { name, dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifestOf(folder)
    for (const framework of ['express', 'fastify', 'hono']) {
      assert.ok(!(framework in dependencies), `${name}: ${framework}`)
      if (framework in peerDependencies) assert.ok(peerDependenciesMeta[framework]?.optional, `${name}: ${framework}`)
    }
  }
})

const libraries = (): readonly string[] =>
  ['protocol', 'resource', 'api'].map((name) => join(modules, '@grantor', name))

test('what others build with runs on Node 22, the server and its command on the Node of the workspace', () => {
  for (const folder of packages()) {
    assert.equal(manifestOf(folder).engines.node, libraries().includes(folder) ? '>=22' : '>=26', folder)
  }
  const used = join(consumer.path, 'use-libraries.mjs')
  cpSync(join(import.meta.dirname, 'use-libraries.ts'), used)
  const entries = libraries().flatMap((folder) => {
    const { name, exports } = manifestOf(folder)
    // Which Node the adapters of Fastify run on is for Fastify to say.
    const paths = Object.keys(exports).filter((path) => path !== './fastify')
    return paths.map((path) => name + path.slice(1))
  })
  execFileSync(oldestNode(), [used, ...entries], { cwd: consumer.path, stdio: 'inherit' })
})

/** Younger than Node 22.0. What the compiler writes for older targets (`using`) and what only types name is no matter. */
const younger =
  /\b(?:Promise\.try|RegExp\.escape|Error\.isError|URL\.parse|Math\.sumPrecise|Iterator\.(?:concat|zip)|Uint8Array\.from(?:Base64|Hex)|import\.meta\.main|Temporal|Float16Array)\b|\.(?:getOrInsert(?:Computed)?|toBase64|toHex|setFromBase64)\(|\bawait using\b|node:sqlite/

test('the libraries call nothing that is younger than the Node they name', () => {
  const found = libraries().flatMap((folder) =>
    globSync('dist/**/*.js', { cwd: folder }).filter((file) => younger.test(readFileSync(join(folder, file), 'utf8'))),
  )
  assert.deepEqual(found, [])
})
