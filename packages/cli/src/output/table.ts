/** A table of aligned columns, for people. Cells are made printable here, so that no caller can forget it. */
import { graphemes, printable, widthOf } from './printable.ts'
import type { Style } from './style.ts'

export type Cell = string | number | null

export interface TableContent {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** In columns of the terminal; null for no limit. */
  readonly width: number | null
}

export function tableText({ columns, rows, width }: TableContent, style: Style): string {
  const whole = rows.map((row) => row.map(cellText))
  const needed = columns.map((column, at) =>
    whole.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), widthOf(column)),
  )
  const widths = width === null ? needed : fittedWidths(needed, columns, width)
  const cells = whole.map((row) => row.map((cell, at) => cut(cell, widths[at] ?? 0)))
  const line = (row: readonly string[], color: (text: string) => string): string =>
    row
      .map((cell, at) =>
        at === row.length - 1 ? color(cell) : color(cell) + ' '.repeat((widths[at] ?? 0) - widthOf(cell)),
      )
      .join('  ')
      .trimEnd()
  const plain = (text: string): string => text
  return [
    line(
      columns.map((column, at) => cut(column, widths[at] ?? 0)),
      style.bold,
    ),
    ...cells.map((row) => line(row, plain)),
  ]
    .map((text) => `${text}\n`)
    .join('')
}

/** One document, with one field per line. */
export function recordText(fields: readonly (readonly [string, Cell])[], style: Style): string {
  const width = Math.max(0, ...fields.map(([name]) => widthOf(name)))
  return fields
    .map(([name, value]) => `${style.dim(name)}${' '.repeat(width - widthOf(name))}  ${cellText(value)}\n`)
    .join('')
}

const cellText = (cell: Cell): string => (cell === null || cell === '' ? '–' : printable(String(cell)))

const gap = 2
const narrowest = 4

/** Shrinks the widest column first; a column becomes narrower than its heading only if nothing else helps. */
function fittedWidths(needed: readonly number[], columns: readonly string[], width: number): readonly number[] {
  const widths = [...needed]
  const floors = columns.map((column) => Math.max(narrowest, Math.min(widthOf(column), 12)))
  let over = widths.reduce((sum, one) => sum + one, 0) + gap * (widths.length - 1) - width
  for (const floor of [floors, floors.map(() => narrowest)]) {
    while (over > 0) {
      const spare = widths.map((one, at) => one - (floor[at] ?? narrowest))
      const widest = spare.indexOf(Math.max(...spare))
      if ((spare[widest] ?? 0) <= 0) break
      widths[widest] = (widths[widest] ?? 0) - 1
      over -= 1
    }
  }
  return widths
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}
