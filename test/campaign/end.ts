/** After the last fault: all nodes must serve again, refuse dead tokens, and have a complete log. */
import { runCommand } from '../../interop/server.ts'
import { service } from '../attacks/objects.ts'
import type { TestValidator } from '../clocks/deployment.ts'
import { until } from '../faults/until.ts'
import { type Load, lookAt } from './clients.ts'
import type { CampaignDeployment } from './deployment.ts'
import type { LoggedEvent, Recorder } from './history.ts'
import type { CampaignNode } from './node.ts'
import { judge } from './validators.ts'

/** One action of a client. */
export type Act = () => Promise<void>

interface End {
  readonly deployment: CampaignDeployment
  readonly load: Load
  readonly validators: readonly TestValidator[]
  readonly acts: readonly Act[]
}

/** Milliseconds within which everything has to serve again by itself. */
const patience = 60_000

const rounds = 3

/** How many dead tokens are checked again: the last ones, which died nearest to the faults. */
const most = 300

export async function readTheEnd({ deployment, load, validators, acts }: End): Promise<void> {
  const { recorder } = load
  const tokens = await Promise.all(deployment.nodes.map((node) => firstToken(node, recorder)))
  // Everything works as before: every holder still has its grant.
  for (let round = 0; round < rounds; round++) for (const act of acts) await act()
  for (const node of deployment.nodes) await inParts(load.dead.slice(-most), (known) => lookAt(load, known, node))
  for (const [index, validator] of validators.entries()) {
    await untilAccepted(validator, tokens)
    for (const known of load.dead.slice(-most)) await judge(load, validator, { index, known })
  }
  for (const node of deployment.nodes) recorder.add({ kind: 'stopped', node: node.number, code: await node.stop() })
  await readLog(deployment, recorder)
}

async function inParts<T>(list: readonly T[], work: (it: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < list.length; at += 20) await Promise.all(list.slice(at, at + 20).map(work))
}

async function firstToken(node: CampaignNode, recorder: Recorder): Promise<string | null> {
  const began = recorder.now()
  const form = { grant_type: 'client_credentials', scope: 'invoices:read' }
  try {
    const body = await until(
      () =>
        node.send('/token', { basic: service, form }).then(
          ({ status, body: text }) => (status === 200 ? text : null),
          () => null,
        ),
      (text) => text !== null,
      patience,
    )
    recorder.add({ kind: 'recovered', node: node.number, after: Math.round(recorder.now() - began) })
    return (JSON.parse(body ?? '') as { access_token: string }).access_token
  } catch {
    recorder.add({ kind: 'recovered', node: node.number, after: null })
    return null
  }
}

/** Waits until the validator accepts a new token; if it never does, its verdicts are checked all the same. */
async function untilAccepted(validator: TestValidator, tokens: readonly (string | null)[]): Promise<void> {
  for (const token of tokens)
    if (token !== null)
      await until(
        () => validator.verdict(token),
        (verdict) => verdict === 'accepted',
        patience,
      )
}

interface ExportedEvent {
  readonly seq: number
  readonly name: string
  readonly jti?: string
  readonly grant_id?: string
  readonly client_id?: string
}

async function readLog({ options }: CampaignDeployment, recorder: Recorder): Promise<void> {
  const verified = await runCommand(['audit', 'verify'], options)
  recorder.add({ kind: 'verified', code: verified.code, text: `${verified.stdout}${verified.stderr}`.slice(-500) })
  const exported = await runCommand(['audit', 'export'], options)
  for (const line of exported.stdout.trimEnd().split('\n')) recorder.add(logged(JSON.parse(line) as ExportedEvent))
  const listed = await runCommand(['client', 'list', '--json'], options)
  for (const { client_id: client } of JSON.parse(listed.stdout) as readonly { readonly client_id: string }[])
    recorder.add({ kind: 'client', client })
  // By days, because minutes would lie in the future for what a node did while its clock was ahead.
  const counted = await runCommand(['statistic', 'list', '--step', 'day', '--json'], options)
  const series = JSON.parse(counted.stdout) as readonly { readonly id: string; readonly total: number }[]
  const totalOf = (id: string): number => series.find((it) => it.id === id)?.total ?? 0
  recorder.add({ kind: 'statistics', issued: totalOf('issued'), revoked: totalOf('revoked') })
}

const logged = ({ seq, name, jti, grant_id: grant, client_id: client }: ExportedEvent): LoggedEvent => ({
  kind: 'event',
  seq,
  name,
  ...(jti === undefined ? {} : { jti }),
  ...(grant === undefined ? {} : { grant }),
  ...(client === undefined ? {} : { client }),
})
