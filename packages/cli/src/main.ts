/** The process of the command: passes in the real environment, and ends with the returned exit code. */
import { isatty } from 'node:tty'
import type { Environment } from './program/environment.ts'
import { runGrantor } from './program/run.ts'

let stop: Promise<void> | null = null

const terminals = [0, 1, 2].filter((fd) => isatty(fd))

/** A closed terminal also sends SIGHUP: then the process that was started from it ends. */
const terminalIsGone = (): boolean => terminals.length > 0 && !terminals.some((fd) => isatty(fd))

const environment: Environment = {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  stopped: () => (stop ??= firstSignal()),
  onHangup: (heard) =>
    void process.on('SIGHUP', () => (terminalIsGone() ? process.kill(process.pid, 'SIGTERM') : heard())),
}

// The writer of a stream learns from its write that the reader is gone; without a listener the error would end the
// process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

// If the event loop runs empty before the command has a result, that is a failure, too.
process.exitCode = 1
const code = await runGrantor(process.argv.slice(2), environment)
process.exit(code)

/** The first signal asks the command to stop; a second one ends the process at once. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    // Keeps the process alive, which a signal handler does not.
    setInterval(() => undefined, 2 ** 30)
    const heard = (signal: NodeJS.Signals): void => {
      if (asked) process.exit(signal === 'SIGINT' ? 130 : 143)
      asked = true
      resolve()
    }
    process.on('SIGINT', heard)
    process.on('SIGTERM', heard)
  })
}
