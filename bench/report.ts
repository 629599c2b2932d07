/** What every report contains besides its numbers, and where reports are stored. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, totalmem } from 'node:os'
import { join } from 'node:path'

const results = join(import.meta.dirname, 'results')

/** Facts that the numbers depend on, without anything that identifies the machine. */
export const machine = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memory_gib: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${arch()}`,
  node: process.version,
})

export function keepReport(topic: string, report: object): void {
  mkdirSync(results, { recursive: true })
  const whole = { topic, measured_at: new Date().toISOString().slice(0, 10), machine: machine(), ...report }
  writeFileSync(join(results, `${topic}.json`), `${JSON.stringify(whole, null, 2)}\n`)
}

export const keepPlot = (topic: string, svg: string): void => writeFileSync(join(results, `${topic}.svg`), svg)
