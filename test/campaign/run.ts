/** Runs one campaign: draws the plan, runs clients during the faults, ends all faults, and checks the result. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { randomFrom } from '../../scripts/random.ts'
import { startValidator } from '../clocks/deployment.ts'
import { checkHistory, validatorBound, type Violation } from './checker.ts'
import {
  Administrator,
  type Holder,
  introspect,
  issueAndRevoke,
  type Load,
  newHolder,
  redeemEverywhere,
  refreshOrBegin,
} from './clients.ts'
import { type CampaignDeployment, openDeployment } from './deployment.ts'
import { type Act, readTheEnd } from './end.ts'
import { beginFault } from './faults.ts'
import { Recorder } from './history.ts'
import { describePlan, type Plan, type PlannedFault } from './plan.ts'
import { probe } from './validators.ts'

export interface Outcome {
  readonly file: string
  readonly violations: readonly Violation[]
  /** Recorded entries by kind: a campaign without acknowledged actions would prove nothing. */
  readonly counts: Readonly<Record<string, number>>
}

/** Milliseconds after the last planned time of a target in which a delayed fault may still begin. */
const lateness = 1_000

export interface CampaignOptions {
  /** The folder for histories. */
  readonly folder: string
  say(line: string): void
}

export async function runCampaign(plan: Plan, { folder, say }: CampaignOptions): Promise<Outcome> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${plan.on}-${plan.seed}.jsonl`)
  say(describePlan(plan))
  await using deployment = await openDeployment(plan)
  const recorder = new Recorder(file)
  recorder.add({ kind: 'plan', ...plan })
  for (const node of deployment.nodes)
    node.onFailedStart = (why) => recorder.add({ kind: 'not started', at: recorder.now(), node: node.number, why })
  await using stack = new AsyncDisposableStack()
  const server = { issuer: deployment.issuer, ca: deployment.nodes[0]?.ca ?? '' }
  const feed = { maxStaleness: validatorBound.stale / 1000 }
  const validators = [
    stack.use(startValidator(server, feed)),
    stack.use(startValidator(server, feed)),
    stack.use(startValidator(server, { ...feed, transport: 'poll' })),
  ]
  const over = new AbortController()
  const load: Load = {
    nodes: deployment.nodes,
    recorder,
    signal: over.signal,
    random: randomFrom(plan.seed + 1),
    alive: [],
    dead: [],
  }
  const holders: readonly Holder[] = Array.from({ length: 3 }, newHolder)
  const acts = actsOf(load, holders)
  const acting = [
    ...acts.map((act) => repeat(act, over.signal)),
    ...validators.map((validator, index) => probe(load, validator, index)),
  ]
  const failed = Promise.all(acting)
  failed.catch(() => {})
  const targets = Object.values(Object.groupBy(plan.faults, ({ target }) => target))
  await Promise.all(targets.map((faults) => befallInTurn(deployment, faults ?? [], recorder)))
  const rest = plan.seconds * 1000 - recorder.now()
  if (rest > 0) await setTimeout(rest)
  over.abort()
  await failed
  await readTheEnd({ deployment, load, validators, acts })
  const violations = checkHistory(recorder.entries)
  return { file, violations, counts: countsOf(recorder) }
}

/** The actions that are repeated, each by its own client. */
function actsOf(load: Load, holders: readonly Holder[]): readonly Act[] {
  const administrator = new Administrator()
  return [
    ...Array.from({ length: 3 }, () => () => issueAndRevoke(load)),
    ...holders.map((holder) => () => refreshOrBegin(load, holder)),
    () => redeemEverywhere(load),
    () => introspect(load),
    () => administrator.act(load),
  ]
}

async function repeat(act: Act, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await act()
    // A pause between two requests of a client: the campaign tests faults, not the limits of the machine.
    await setTimeout(15)
  }
}

/** A target has one fault at a time: a server that starts slowly delays the next fault, as far as there is time. */
async function befallInTurn(
  deployment: CampaignDeployment,
  faults: readonly PlannedFault[],
  recorder: Recorder,
): Promise<void> {
  const latest = (faults.at(-1)?.at ?? 0) * 1000
  for (const fault of faults) {
    await setTimeout(Math.max(0, fault.at * 1000 - recorder.now()))
    const what = `${fault.target}: ${fault.fault}`
    const mend = recorder.now() > latest + lateness ? 'there was no time left' : await beginFault(deployment, fault)
    if (typeof mend === 'string') {
      recorder.add({ kind: 'fault', at: recorder.now(), what: `${what}: ${mend}`, phase: 'skipped' })
      continue
    }
    recorder.add({ kind: 'fault', at: recorder.now(), what, phase: 'begin' })
    await setTimeout(fault.lasts * 1000)
    await mend()
    recorder.add({ kind: 'fault', at: recorder.now(), what, phase: 'end' })
  }
}

function countsOf({ entries }: Recorder): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { kind } of entries) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
