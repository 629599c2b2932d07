/** Reads the fields of an object in a file, and collects the problems, each with its field. */
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'

export interface FieldProblem {
  /** A path such as `routes[0].scopes`; empty for the whole file. */
  readonly field: string
  readonly problem: string
}

export class Fields {
  readonly #object: JsonObject
  readonly #path: string
  readonly #problems: FieldProblem[]
  readonly #read = new Set<string>()

  constructor(value: Json, path: string, problems: FieldProblem[]) {
    this.#path = path
    this.#problems = problems
    if (isJsonObject(value)) this.#object = value
    else {
      this.#object = {}
      problems.push({ field: path, problem: 'must be an object' })
    }
  }

  has(name: string): boolean {
    return this.#object[name] !== undefined
  }

  refuse(name: string, problem: string): void {
    this.#problems.push({ field: this.#fieldOf(name), problem })
  }

  text(name: string): string | null {
    return this.#taken(name, 'must be text', (value) => (typeof value === 'string' && value !== '' ? value : undefined))
  }

  requiredText(name: string): string {
    if (!this.has(name)) this.refuse(name, 'is missing')
    return this.text(name) ?? ''
  }

  flag(name: string): boolean {
    return (
      this.#taken(name, 'must be true or false', (value) => (typeof value === 'boolean' ? value : undefined)) ?? false
    )
  }

  /** A whole number above zero, at most `most`. */
  count(name: string, fallback: number, most = 2 ** 40): number {
    const problem = `must be a whole number from 1 to ${most}`
    const isCount = (value: Json): value is number =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= most
    return this.#taken(name, problem, (value) => (isCount(value) ? value : undefined)) ?? fallback
  }

  choice<T extends string | number>(name: string, choices: readonly T[], fallback: T): T {
    const problem = `must be one of ${choices.join(', ')}`
    return this.#taken(name, problem, (value) => choices.find((choice) => choice === value)) ?? fallback
  }

  texts(name: string): readonly string[] | null {
    return this.#taken(name, 'must be a list of texts', textsIn)
  }

  object(name: string): Fields | null {
    this.#read.add(name)
    const value = this.#object[name]
    return value === undefined || value === null ? null : new Fields(value, this.#fieldOf(name), this.#problems)
  }

  objects(name: string): readonly Fields[] {
    const list = this.#taken(name, 'must be a list', (value) =>
      Array.isArray(value) ? (value as readonly Json[]) : undefined,
    )
    return (list ?? []).map((value, at) => new Fields(value, `${this.#fieldOf(name)}[${at}]`, this.#problems))
  }

  /** Lists of texts by names that the file chooses. */
  textsByName(): ReadonlyMap<string, readonly string[]> {
    return new Map(Object.keys(this.#object).map((name) => [name, this.texts(name) ?? []]))
  }

  /** Called last: refuses fields that were not read, so that a misspelled rule is not ignored. */
  end(): void {
    for (const name of Object.keys(this.#object)) if (!this.#read.has(name)) this.refuse(name, 'is not known')
  }

  #taken<T>(name: string, problem: string, read: (value: Json) => T | undefined): T | null {
    this.#read.add(name)
    const value = this.#object[name]
    if (value === undefined || value === null) return null
    const taken = read(value)
    if (taken !== undefined) return taken
    this.refuse(name, problem)
    return null
  }

  #fieldOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`
  }
}

function textsIn(value: Json): readonly string[] | undefined {
  const list = Array.isArray(value) ? (value as readonly Json[]) : null
  return list?.every((item) => typeof item === 'string' && item !== '') === true
    ? (list as readonly string[])
    : undefined
}
