/** `grantor start` */
import { compose, type Deployment, listen, type Running, type Settings } from '@grantor/server'
import { readDeclaration, type DeclarationFile } from '../../declaration/read.ts'
import { done, type Ending, type Failure, refused } from '../../program/exit.ts'
import { troubleOf } from '../../program/deployment.ts'
import { settle, type Settled } from '../../program/settings.ts'
import type { Call, Verb } from '../../program/command.ts'
import { announce, isForPerson } from './announce.ts'
import { openDemo } from './demo.ts'

export const start: Verb = {
  name: 'start',
  says: 'start the authorization server',
  listsSettings: true,
  run: async (call) => {
    // From now on a signal means: finish what was begun, then stop.
    const stopped = call.world.stopped()
    const read = settle(call)
    if (!read.ok) return read.failure
    const { warnings } = read.settled
    const settings = calm(call, read.settled)
    for (const warning of warnings) await call.out.remark(`warning: ${warning}`)
    const seed = settings.seed === null ? null : await readDeclaration(settings.seed, call.world)
    if (seed !== null && !seed.ok) return seed.failure
    try {
      const house = await compose(settings, 'server')
      return await serve({ call, stopped }, house, seed === null ? null : seed.file)
    } catch (error) {
      const known = troubleOf(error)
      if (known === null) throw error
      return known
    }
  },
}

/** A person reads the banner, not log lines; unless they asked for them. */
const calm = (call: Call, { settings, sources }: Settled): Settings =>
  isForPerson(call) && sources.log.kind === 'default' ? { ...settings, log: 'warn' } : settings

interface Service {
  readonly call: Call
  readonly stopped: Promise<void>
}

async function serve({ call, stopped }: Service, house: Deployment, seed: DeclarationFile | null): Promise<Ending> {
  const running = await open(house, seed)
  if ('kind' in running) return running
  // The demo is closed before the server it asks.
  await using up = new AsyncDisposableStack()
  up.defer(() => running.close())
  const demo = house.settings.demo ? await openDemo(house, running) : null
  if (demo !== null && 'kind' in demo) return demo
  if (demo !== null) up.defer(() => demo.close())
  await announce(call, house.settings, { running, demo })
  await stopped
  return done
}

/** From here on the house is the server's, and closed with it; until then it is ours to close. */
async function open(house: Deployment, seed: DeclarationFile | null): Promise<Running | Failure> {
  try {
    const unseeded = seed === null ? null : await plant(house, seed)
    if (unseeded === null) return await listen(house)
    await house.close()
    return unseeded
  } catch (error) {
    await house.close()
    throw error
  }
}

async function plant({ authority }: Deployment, { declaration, place }: DeclarationFile): Promise<Failure | null> {
  const applied = await authority.admin.declared.apply({ kind: 'system', id: 'seed' }, declaration)
  return applied.ok ? null : refused(applied.refusal, place)
}
