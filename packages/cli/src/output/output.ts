/** Output of commands: on stdout only answers, as tables for people or JSON for scripts; failures on stderr. */
import { type Environment, writeText } from '../program/environment.ts'
import { type CommandFailure, exitCodes } from '../program/exit.ts'
import { jsonText, printable } from './printable.ts'
import { noProgress, progressOn, type ShowProgress } from './progress.ts'
import { type Style, styleFor } from './style.ts'
import { type Cell, recordText, tableText } from './table.ts'

export interface Output {
  readonly json: boolean
  readonly style: Style
  /** Prints a list: one JSON document, or a table; a table without rows is replaced by `empty` on stderr. */
  list(items: readonly unknown[], table: Table): Promise<void>
  /** Prints one document: as JSON, or one field per line. */
  record(document: unknown, fields: readonly (readonly [string, Cell])[]): Promise<void>
  /** Prints one item of a stream: a JSON line, or a line of text. */
  line(item: unknown, text: string): Promise<void>
  /** Prints a JSON document, or text for people. */
  document(document: unknown, text: string): Promise<void>
  /** Prints a remark for people on stderr; does nothing with --json or --quiet. */
  remark(text: string): Promise<void>
  /** Shows the progress of long work on a terminal; does nothing with --json or --quiet. */
  readonly progress: ShowProgress
}

export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly empty: string
}

export interface OutputForm {
  readonly json: boolean
  /** Prints only identifiers, one per line. */
  readonly quiet: boolean
}

export function createOutput(environment: Environment, { json, quiet }: OutputForm): Output {
  const style = styleFor(environment.stdout, environment.env)
  const put = (text: string) => writeText(environment.stdout, text)
  // A remark that cannot be written must not stop the command.
  const remark = async (text: string) =>
    json || quiet ? undefined : writeText(environment.stderr, `${printable(text)}\n`).catch(() => undefined)
  const identifiers = (cells: readonly (Cell | undefined)[]) =>
    put(cells.map((cell) => `${printable(String(cell ?? ''))}\n`).join(''))
  return {
    json,
    style,
    list: (items, { columns, rows, empty }) => {
      if (json) return put(`${jsonText(items, 2)}\n`)
      if (quiet) return identifiers(rows.map(([first]) => first))
      return rows.length === 0
        ? remark(empty)
        : put(tableText({ columns, rows, width: tableWidth(environment) }, style))
    },
    record: (document, fields) => {
      if (json) return put(`${jsonText(document, 2)}\n`)
      return quiet ? identifiers(fields.slice(0, 1).map(([, value]) => value)) : put(recordText(fields, style))
    },
    line: (item, text) => put(json ? `${jsonText(item)}\n` : `${text}\n`),
    document: (document, text) => put(json ? `${jsonText(document, 2)}\n` : text),
    remark,
    progress: json || quiet || environment.stderr.isTTY !== true ? noProgress : progressOn(environment),
  }
}

/** The width of the terminal, or `COLUMNS`; null for a pipe, which has no limit. */
function tableWidth({ stdout, env }: Environment): number | null {
  const named = Number(env['COLUMNS'] ?? '')
  if (Number.isInteger(named) && named > 0) return named
  return stdout.isTTY === true ? (stdout.columns ?? null) : null
}

/** Writes one failure to stderr: a JSON line for scripts, a few lines for a person. */
export function writeFailure(
  environment: Environment,
  json: boolean,
  { exit, what, where, fix }: CommandFailure,
): Promise<void> {
  if (json)
    return writeText(
      environment.stderr,
      `${jsonText({ error: { kind: exit, exit: exitCodes[exit].code, what, where, fix } })}\n`,
    )
  const style = styleFor(environment.stderr, environment.env)
  const lines = [`${style.bad('error:')} ${printable(what)}`, ...where.map((line) => `  ${printable(line)}`)]
  if (fix !== null) lines.push(`${style.dim('fix:')}   ${printable(fix)}`)
  return writeText(environment.stderr, `${lines.join('\n')}\n`)
}
