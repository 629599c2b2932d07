/**
 * Has the OpenID Foundation's conformance suite, running at SUITE, run one of its plans, and prints the result of each
 * module with the conditions that failed or warned. CONFIGURATION is a file that `certification.ts`, `fapi.ts` or
 * `ciba.ts` wrote.
 *
 *     node interop/suite/run-plan.ts SUITE PLAN CONFIGURATION [NAME=VALUE …] [--only MODULE] [--rotate COMMAND] [--record]
 *
 * NAME=VALUE are the plan's variants, such as client_registration=static_client. COMMAND rotates the server's signing keys,
 * for the module that asks its operator to. `--record` keeps the result for docs/conformance.md. Node must trust the suite's certificate: NODE_EXTRA_CA_CERTS.
 */
import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type PlanResult, recordResult } from './results.ts'

interface Module {
  readonly testModule: string
  readonly variant?: Readonly<Record<string, string>>
}

interface Info {
  readonly status: string
  readonly result: string | null
}

interface LogEntry {
  readonly src?: string
  readonly msg?: string
  readonly result?: string
}

/** Some modules wait by themselves for half a minute, and the slowest for the end of a code. */
const patience = 300_000

class Suite {
  readonly #api: string

  constructor(address: string) {
    this.#api = `${address}/api`
  }

  async #ask<T>(path: string, init?: RequestInit): Promise<T> {
    const answer = await fetch(this.#api + path, { headers: { 'content-type': 'application/json' }, ...init })
    if (!answer.ok) throw new Error(`the suite answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }

  async version(): Promise<string> {
    return (await this.#ask<{ readonly version: string }>('/server')).version
  }

  makePlan(planName: string, variant: object, configuration: string) {
    const query = new URLSearchParams({ planName, variant: JSON.stringify(variant) })
    return this.#ask<{ readonly id: string; readonly modules: readonly Module[] }>(`/plan?${query.toString()}`, {
      method: 'POST',
      body: configuration,
    })
  }

  /** `prepare` is done before a module is started that waits for its operator. */
  async run(
    plan: string,
    { testModule, variant }: Module,
    prepare: () => void,
  ): Promise<Info & { readonly id: string }> {
    const query = new URLSearchParams({ test: testModule, plan, variant: JSON.stringify(variant ?? {}) })
    const { id } = await this.#ask<{ readonly id: string }>(`/runner?${query.toString()}`, { method: 'POST' })
    const end = Date.now() + patience
    let started = false
    for (;;) {
      const info = await this.#ask<Info>(`/info/${id}`)
      if (['FINISHED', 'INTERRUPTED'].includes(info.status) || Date.now() > end) return { ...info, id }
      if (info.status === 'CONFIGURED' && !started) {
        started = true
        prepare()
        await this.#ask(`/runner/${id}`, { method: 'POST' })
      }
      await delay(500)
    }
  }

  /** What failed, warned, or wants a look at a picture. */
  async findings(id: string): Promise<readonly string[]> {
    const log = await this.#ask<readonly LogEntry[]>(`/log/${id}`)
    return log
      .filter(({ result }) => result === 'FAILURE' || result === 'WARNING' || result === 'REVIEW')
      .map(({ src, msg, result }) => `${result} ${src}: ${msg}`)
  }
}

const usage =
  'usage: node interop/suite/run-plan.ts SUITE PLAN CONFIGURATION [NAME=VALUE …] [--only MODULE] [--rotate COMMAND] [--record]'
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, rotate: { type: 'string' }, record: { type: 'boolean' } },
})
const [address, planName, file, ...choices] = positionals
if (address === undefined || planName === undefined || file === undefined) throw new Error(usage)
const variant = Object.fromEntries(choices.map((it) => it.split('=') as [string, string]))
const suite = new Suite(address)
const plan = await suite.makePlan(planName, variant, readFileSync(file, 'utf8'))
console.log(`${planName} ${JSON.stringify(variant)}`)
const modules: PlanResult['modules'] = []
const operate = ({ testModule }: Module) => {
  if (testModule === 'oidcc-server-rotate-keys' && options.rotate !== undefined) execSync(options.rotate)
}
for (const module of plan.modules) {
  if (!module.testModule.includes(options.only ?? '')) continue
  const { id, status, result } = await suite.run(plan.id, module, () => operate(module))
  const outcome = status === 'FINISHED' ? (result ?? 'UNKNOWN') : status
  const findings = outcome === 'PASSED' ? [] : await suite.findings(id)
  modules.push({ module: module.testModule, outcome, findings })
  console.log([`${outcome.padEnd(12)} ${module.testModule} ${id}`, ...findings].join('\n             '))
}
if (options.record === true && options.only === undefined)
  recordResult({ suite: await suite.version(), plan: planName, variant, modules })
const fine = new Set(['PASSED', 'SKIPPED', 'WARNING', 'REVIEW'])
process.exitCode = modules.every(({ outcome }) => fine.has(outcome)) ? 0 : 1
