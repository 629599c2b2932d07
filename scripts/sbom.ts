/** The software bill of materials of each tarball (CycloneDX JSON): what npm reads from the lockfile, as far as that package brings it. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
}

export interface Sbom {
  readonly bomFormat: string
  readonly specVersion: string
  readonly serialNumber: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

/** As much of a manifest as decides what is installed with it. */
export interface SbomPackage {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

export const sbomFileOf = (tarball: string): string => tarball.replace(/\.tgz$/, '.cdx.json')

/** Everything that the lockfile names, of which each package has its part. */
export function lockfileSbom(): Sbom {
  const output = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(output) as Sbom
}

/** The whole lockfile, and the packages that are ours. */
export interface SbomSource {
  readonly sbom: Sbom
  readonly manifests: readonly SbomPackage[]
}

export const writeSbom = (file: string, source: SbomSource, of: SbomPackage): void =>
  writeFileSync(file, `${JSON.stringify(sbomOf(source, of), null, 2)}\n`)

const refOf = ({ name, version }: { readonly name: string; readonly version: string }): string => `${name}@${version}`

function sbomOf({ sbom: whole, manifests }: SbomSource, of: SbomPackage): Sbom {
  const ours = new Map(manifests.map((it) => [refOf(it), it]))
  const edges = new Map(whole.dependencies.map(({ ref, dependsOn = [] }) => [ref, broughtBy(ours.get(ref), dependsOn)]))
  const reached = new Set<string>()
  const waiting = [refOf(of)]
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    if (reached.has(ref)) continue
    reached.add(ref)
    waiting.push(...(edges.get(ref) ?? []))
  }
  // npm calls a package of a workspace by its folder.
  const components = whole.components
    .filter((it) => reached.has(it['bom-ref']))
    .map((it) => ({ ...it, name: it['bom-ref'].slice(0, it['bom-ref'].lastIndexOf('@')) }))
  const component = components.find((it) => it['bom-ref'] === refOf(of))
  if (component === undefined) throw new Error(`the lockfile does not name ${refOf(of)}`)
  const others = components.filter((it) => it !== component)
  const dependencies = [...reached].toSorted().map((ref) => ({ ref, dependsOn: edges.get(ref) ?? [] }))
  // The same for the same lockfile: neither a time nor a random number.
  const { metadata, serialNumber: _random, ...rest } = whole
  const { timestamp: _now, ...known } = metadata as Sbom['metadata'] & { readonly timestamp?: string }
  return {
    ...rest,
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([others, dependencies]))}`,
    metadata: { ...known, component },
    components: others,
    dependencies,
  }
}

/** npm counts what a workspace package is developed with; whoever installs it gets its dependencies only. */
const broughtBy = (ours: SbomPackage | undefined, refs: readonly string[]): readonly string[] =>
  ours === undefined ? refs : refs.filter((ref) => ref.slice(0, ref.lastIndexOf('@')) in (ours.dependencies ?? {}))

/** RFC 9562 §5.8: version 8, of a hash. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}
