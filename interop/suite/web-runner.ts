/** Carries out the browser tasks of a plan as the suite does: match the address, type, press, look for what should be there. */
import assert from 'node:assert/strict'
import type { Arrival, Browser, Page } from './browser.ts'
import type { Task } from './certification.ts'
import { formsIn, textOf } from './html.ts'

type Location = Page | Arrival
type Command = Task['commands'][number]

export async function runTasks(tasks: readonly Task[], browser: Browser, begin: Location): Promise<Location> {
  let at = begin
  for (const task of tasks) {
    if (matches(task.match, at.url.href)) at = await new Run(browser, at).all(task.commands)
    else assert.ok(task.optional, `${task.task} expected ${task.match}, not ${at.url.href}`)
  }
  return at
}

/** `*` stands for anything; all else for itself. */
const matches = (pattern: string, url: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[^\w*]/g, String.raw`\$&`).replaceAll('*', '.*')}$`).test(url)

/** The commands of one task. What was typed goes along with the next press. */
class Run {
  readonly #browser: Browser
  #at: Location
  #typed: Readonly<Record<string, string>> = {}

  constructor(browser: Browser, at: Location) {
    this.#browser = browser
    this.#at = at
  }

  async all(commands: readonly Command[]): Promise<Location> {
    for (const [command, kind, target, ...rest] of commands) {
      const given = rest.map(String)
      if (command === 'text') this.#type(String(target), given)
      else if (command === 'click') await this.#click(String(target), given)
      else this.#look(String(kind), String(target), given)
    }
    return this.#at
  }

  #type(id: string, [value = '', optional]: readonly string[]): void {
    if (this.#controls('fields').has(id)) this.#typed = { ...this.#typed, [id]: value }
    else assert.equal(optional, 'optional', `there is no field ${id}`)
  }

  async #click(id: string, [optional]: readonly string[]): Promise<void> {
    const { at } = this.#at
    if (at === 'page' && this.#controls('buttons').has(id)) {
      this.#at = await this.#browser.press(this.#at, id, this.#typed)
      this.#typed = {}
    } else assert.equal(optional, 'optional', `there is no button ${id}`)
  }

  #look(kind: string, target: string, [, pattern]: readonly string[]): void {
    if (kind === 'contains') return assert.ok(this.#at.url.href.includes(target), this.#at.url.href)
    // What stands on the suite's own page is its own affair.
    if (this.#at.at === 'client') return
    const text = textOf(this.#at.body, target)
    assert.ok(text !== null && new RegExp(pattern ?? '').test(text), `${target} says ${text}`)
  }

  #controls(what: 'fields' | 'buttons'): ReadonlySet<string> {
    return new Set(this.#at.at === 'client' ? [] : formsIn(this.#at.body).flatMap((form) => [...form[what].keys()]))
  }
}
