/**
 * Writes the command into one folder as a few files, and returns the path of its program. It does what the sources do,
 * and starts in half the time, since Node does not look for twelve hundred files first: the tests start it a thousand
 * times. What the program reads beside its code it still reads beside the sources.
 */
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { packages, threads } from './threads.ts'

const beginsThread = (code: string): boolean => Object.keys(threads).some((name) => code.includes(`\`./${name}\${`))

const besideItsSource = {
  name: 'beside-its-source',
  transform(code: string, file: string): string | null {
    if (!code.includes('import.meta.') || beginsThread(code)) return null
    return code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(file)))
  },
}

export async function bundleCommand(folder: string): Promise<string> {
  const bundle = await rolldown({
    input: { grantor: join(packages, 'cli/src/main.ts'), ...threads },
    platform: 'node',
    // Native code, and what its importer does without.
    external: [/^@node-rs\//, 'pg-native'],
    plugins: [besideItsSource],
  })
  await bundle.write({ dir: folder, cleanDir: true })
  await bundle.close()
  return join(folder, 'grantor.js')
}
