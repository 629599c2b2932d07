/** What a token costs now and at an earlier commit, measured in the same rounds. */
import { execFileSync } from 'node:child_process'
import { cpuRatio, type Measured } from './measure.ts'
import { names } from './token-picture.ts'

/** Now and before, each against the floor and the peer, and against each other. */
export function compareTokens(measured: readonly Measured[], checkout: string) {
  const ratios = (now: string, before: string) => ({
    now_to_floor: cpuRatio(measured, now, names.floor),
    before_to_floor: cpuRatio(measured, before, names.floor),
    peer_to_now: cpuRatio(measured, names.peer, now),
    peer_to_before: cpuRatio(measured, names.peer, before),
    now_to_before: cpuRatio(measured, now, before),
  })
  return {
    commits: { now: commitOf(import.meta.dirname), before: commitOf(checkout) },
    cpu_us_per_token: Object.fromEntries(measured.map((one) => [one.name, one.cpu_us_per_request])),
    cpu_ratios: {
      sqlite: ratios(names.sqlite, names.sqliteBefore),
      postgres: ratios(names.postgres, names.postgresBefore),
    },
  }
}

const commitOf = (checkout: string): string =>
  execFileSync('git', ['-C', checkout, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
