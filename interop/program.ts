/** A program that nobody here wrote, running beside the server: waits until it answers, and ends it. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export const answering = (name: string, origin: string, child: ChildProcess, seconds = 60): Promise<void> =>
  until(name, child, {
    seconds,
    isReached: () =>
      fetch(origin, { redirect: 'manual' }).then(
        () => true,
        () => false,
      ),
  })

/** For what does not speak plain HTTP. */
export const listening = (name: string, port: number, child: ChildProcess): Promise<void> =>
  until(name, child, {
    seconds: 60,
    isReached() {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      return promise.finally(() => socket.destroy())
    },
  })

/** What was free when it was looked for may be taken when the program begins: then it is begun on others. */
export async function onFreePorts<T>(begin: () => Promise<T>, tries = 3): Promise<T> {
  try {
    return await begin()
  } catch (cause) {
    if (tries === 1) throw cause
    return onFreePorts(begin, tries - 1)
  }
}

interface Readiness {
  readonly seconds: number
  isReached(): Promise<boolean>
}

async function until(name: string, child: ChildProcess, readiness: Readiness): Promise<void> {
  for (let tries = 0; tries < 10 * readiness.seconds && child.exitCode === null; tries++) {
    if (await readiness.isReached()) return
    await pause(100)
  }
  child.kill('SIGKILL')
  throw new Error(`${name} did not begin to answer`)
}

export async function stopProgram(child: ChildProcess, folder: Disposable): Promise<void> {
  const ended = child.exitCode === null ? once(child, 'exit') : null
  child.kill('SIGTERM')
  await ended
  folder[Symbol.dispose]()
}
