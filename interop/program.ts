/** A program that nobody here wrote, running beside the server: waits until it answers, and ends it. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

export async function answering(name: string, origin: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    const reached = await fetch(origin, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (reached) return
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
