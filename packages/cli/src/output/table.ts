/** A table of aligned columns, for eyes. Cells are made printable here, so that no caller can forget. */
import { printable, widthOf } from './printable.ts'
import type { Style } from './style.ts'

export type Cell = string | number | null

export function tableText(columns: readonly string[], rows: readonly (readonly Cell[])[], style: Style): string {
  const cells = rows.map((row) => row.map(cellText))
  const widths = columns.map((column, at) => Math.max(widthOf(column), ...cells.map((row) => widthOf(row[at] ?? ''))))
  const line = (row: readonly string[], color: (text: string) => string): string =>
    row
      .map((cell, at) =>
        at === row.length - 1 ? color(cell) : color(cell) + ' '.repeat((widths[at] ?? 0) - widthOf(cell)),
      )
      .join('  ')
      .trimEnd()
  const plain = (text: string): string => text
  return [line(columns, style.bold), ...cells.map((row) => line(row, plain))].map((text) => `${text}\n`).join('')
}

/** One thing, a field a line. */
export function recordText(fields: readonly (readonly [string, Cell])[], style: Style): string {
  const width = Math.max(0, ...fields.map(([name]) => widthOf(name)))
  return fields
    .map(([name, value]) => `${style.dim(name)}${' '.repeat(width - widthOf(name))}  ${cellText(value)}\n`)
    .join('')
}

const cellText = (cell: Cell): string => (cell === null || cell === '' ? '–' : printable(String(cell)))
