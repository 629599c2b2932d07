/** Colour: only on a terminal, and not if NO_COLOR is set (https://no-color.org). */
import type { Environment, WritableOutput } from '../program/environment.ts'

export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly good: (text: string) => string
  readonly warn: (text: string) => string
  readonly bad: (text: string) => string
}

const code = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`
const plain = (text: string): string => text

const coloured: Style = {
  bold: code(1, 22),
  dim: code(2, 22),
  good: code(32, 39),
  warn: code(33, 39),
  bad: code(31, 39),
}
const colourless: Style = { bold: plain, dim: plain, good: plain, warn: plain, bad: plain }

export function styleFor(stream: WritableOutput, env: Environment['env']): Style {
  const unwanted = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb'
  return stream.isTTY === true && !unwanted ? coloured : colourless
}
