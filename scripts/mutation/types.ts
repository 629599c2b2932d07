/** What the compiler says of mutants that no test noticed: all at once, because it takes as long over one as over many. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, mutated } from './mutants.ts'

/** Those that cannot be committed. Whom an error is about is seen by its line or its file; in doubt halves are asked. */
export async function refusedByTypes(mutants: readonly Mutant[], folder: string): Promise<ReadonlySet<Mutant>> {
  if (mutants.length === 0) return new Set()
  const [together, overlapping] = apart(mutants)
  const refused = await refusedTogether(together, folder)
  return new Set([...refused, ...(await refusedByTypes(overlapping, folder))])
}

async function refusedTogether(mutants: readonly Mutant[], folder: string): Promise<readonly Mutant[]> {
  const errors = await errorsWith(mutants, folder)
  if (errors.length === 0) return []
  const guilty = mutants.filter((it) => mutants.length === 1 || isToldOf(it, errors, mutants))
  const others = mutants.filter((it) => !guilty.includes(it))
  if (guilty.length > 0) return [...guilty, ...(await refusedTogether(others, folder))]
  const middle = Math.ceil(others.length / 2)
  const [first, second] = [others.slice(0, middle), others.slice(middle)]
  return [...(await refusedTogether(first, folder)), ...(await refusedTogether(second, folder))]
}

interface TypeError {
  readonly file: string
  readonly line: number
}

/** An error in its line; or anywhere in its file, where it is the only one there. */
const isToldOf = (mutant: Mutant, errors: readonly TypeError[], all: readonly Mutant[]): boolean => {
  const inFile = errors.filter(({ file }) => file === mutant.file)
  const isAlone = all.filter(({ file }) => file === mutant.file).length === 1
  return inFile.some(({ line }) => line === mutant.line) || (isAlone && inFile.length > 0)
}

/** Those that can be put in together, and those that would stand in another's place. */
function apart(mutants: readonly Mutant[]): readonly [together: readonly Mutant[], overlapping: readonly Mutant[]] {
  const together: Mutant[] = []
  const overlapping: Mutant[] = []
  for (const one of mutants) {
    const clashes = together.some((it) => it.file === one.file && it.start <= one.end && one.start <= it.end)
    ;(clashes ? overlapping : together).push(one)
  }
  return [together, overlapping]
}

async function errorsWith(mutants: readonly Mutant[], folder: string): Promise<readonly TypeError[]> {
  if (mutants.length === 0) return []
  const held = new Map(mutants.map(({ file }) => [file, readFileSync(join(folder, file), 'utf8')]))
  for (const [file, source] of held) {
    const inside = mutants.filter((it) => it.file === file).toSorted((a, b) => b.start - a.start)
    writeFileSync(join(folder, file), inside.map(ofAsManyLines).reduce(mutated, source))
  }
  try {
    return await errorsIn(folder)
  } finally {
    for (const [file, source] of held) writeFileSync(join(folder, file), source)
  }
}

const linesIn = (text: string): number => text.split('\n').length

/** So that the lines behind it keep their numbers. */
const ofAsManyLines = (mutant: Mutant): Mutant => ({
  ...mutant,
  becomes: mutant.becomes + '\n'.repeat(Math.max(0, linesIn(mutant.was) - linesIn(mutant.becomes))),
})

async function errorsIn(folder: string): Promise<readonly TypeError[]> {
  const tsc = spawn(
    'nice',
    ['-n', '10', join(folder, 'node_modules', '.bin', 'tsc'), '--noEmit', '--pretty', 'false'],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  let told = ''
  tsc.stdout.setEncoding('utf8').on('data', (text: string) => (told += text))
  const code = await new Promise<number | null>((resolve) => tsc.once('close', resolve))
  const errors = [...told.matchAll(/^(\S+?)\((\d+),\d+\): error/gm)].map(([, file = '', line]) => ({
    file,
    line: Number(line),
  }))
  if (code !== 0 && errors.length === 0) throw new Error(`the compiler failed: ${told}`)
  return errors
}
