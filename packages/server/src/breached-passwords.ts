/**
 * The operator's list of passwords known from breaches: the SHA-1 of each in hexadecimal, one a line, sorted, with or
 * without a count after a colon, as Have I Been Pwned publishes it. It may be larger than memory, so it is searched in place.
 */
import { hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { StoreUnavailable } from '@grantor/store'

/** Bytes, more than any line of the list has. */
const longestLine = 96
const line = /^([\dA-F]{40})(?::\d+)?\r?\n/i

export const breachedListProblem = 'is no list of SHA-1 values, one a line, sorted'

/** Whether a file begins like such a list. */
export async function isBreachedList(path: string): Promise<boolean> {
  await using file = await open(path)
  return (await lineAt(file, 0)) !== null
}

/** Opens the file for each question, as there are few, so that a replaced list is used at once. */
export async function isOnList(path: string, password: string): Promise<boolean> {
  try {
    await using file = await open(path)
    return await search(file, (await file.stat()).size, hash('sha1', password, 'hex').toUpperCase())
  } catch (cause) {
    throw new StoreUnavailable('the list of breached passwords cannot be read', { cause })
  }
}

/** Binary search: the wanted line, if it exists, begins at or after `low` and before `high`. */
async function search(file: FileHandle, size: number, wanted: string): Promise<boolean> {
  let [low, high] = [0, size]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await lineAt(file, middle)
    if (found === null || found.start >= high || found.value > wanted) high = middle
    else if (found.value === wanted) return true
    else low = found.start + 1
  }
  return false
}

/** The first line that begins at `position` or after it. */
async function lineAt(
  file: FileHandle,
  position: number,
): Promise<{ readonly start: number; readonly value: string } | null> {
  const from = Math.max(0, position - 1)
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(2 * longestLine), position: from })
  const text = `${buffer.toString('latin1', 0, bytesRead)}\n`
  const start = position === 0 ? 0 : text.indexOf('\n') + 1
  const value = line.exec(text.slice(start))?.[1]
  return value === undefined ? null : { start: from + start, value: value.toUpperCase() }
}
