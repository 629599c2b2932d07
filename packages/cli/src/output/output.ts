/** Where answers go: tables for eyes, JSON for scripts, nothing else on stdout; failures on stderr. */
import { type Environment, writeText } from '../program/environment.ts'
import { type CommandFailure, exitCodes } from '../program/exit.ts'
import { jsonText, printable } from './printable.ts'
import { noProgress, progressOn, type ShowProgress } from './progress.ts'
import { type Style, styleFor } from './style.ts'
import { type Cell, recordText, tableText } from './table.ts'

export interface Output {
  readonly json: boolean
  readonly style: Style
  /** A list: one JSON document, or a table; `empty` is said on stderr instead of a table without rows. */
  list(items: readonly unknown[], table: Table): Promise<void>
  /** One thing: a JSON document, or a field a line. */
  record(document: unknown, fields: readonly (readonly [string, Cell])[]): Promise<void>
  /** One item of a stream: a JSON line, or a line of text. */
  line(item: unknown, text: string): Promise<void>
  /** A JSON document, or text made for eyes. */
  document(document: unknown, text: string): Promise<void>
  /** A remark for a person, on stderr; silent under --json. */
  remark(text: string): Promise<void>
  /** How far something is that takes long, on a terminal; silent under --json and --quiet. */
  readonly progress: ShowProgress
}

export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly empty: string
}

export interface OutputForm {
  readonly json: boolean
  /** What identifies things, one a line, and nothing else. */
  readonly quiet: boolean
}

export function createOutput(environment: Environment, { json, quiet }: OutputForm): Output {
  const style = styleFor(environment.stdout, environment.env)
  const put = (text: string) => writeText(environment.stdout, text)
  // What nobody hears keeps nothing from being done.
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

/** Of the terminal, or as `COLUMNS` says; null for a pipe, which is as wide as it needs to be. */
function tableWidth({ stdout, env }: Environment): number | null {
  const named = Number(env['COLUMNS'] ?? '')
  if (Number.isInteger(named) && named > 0) return named
  return stdout.isTTY === true ? (stdout.columns ?? null) : null
}

/** One failure on stderr: a JSON line for scripts, a few lines for a person. */
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
