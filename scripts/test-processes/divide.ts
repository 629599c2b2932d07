/** Which test files share a process: to begin one and to load the sources costs more than most files do. */

/**
 * Files below these folders run one after another, in that many processes; any other has a process of its own. Enough
 * that the last to end does not keep the others waiting, nor a crash cost much.
 */
const processesOf: Readonly<Record<string, number>> = {
  'packages/protocol/test/': 1,
  'packages/authority/test/': 10,
  'packages/resource/test/': 3,
}

/** The files of one process, in their order. */
export type TestProcess = readonly [string, ...string[]]

export function divide(files: readonly string[]): readonly TestProcess[] {
  const folders = Object.keys(processesOf)
  const alone = files.filter((file) => !folders.some((folder) => file.startsWith(folder))).map((file) => [file])
  const together = folders.flatMap((folder) => {
    const below = files.filter((file) => file.startsWith(folder))
    const processes = processesOf[folder] ?? 1
    // Dealt out like cards: neighbours tend to be long together.
    return Array.from({ length: processes }, (_, at) => below.filter((_file, index) => index % processes === at))
  })
  return [...alone, ...together].filter((process): process is [string, ...string[]] => process.length > 0)
}
