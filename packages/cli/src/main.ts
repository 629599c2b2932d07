/** The process of the command: hands the real environment in, and ends with the exit code that comes back. */
import { isatty } from 'node:tty'
import type { Environment } from './program/environment.ts'
import { runGrantor } from './program/run.ts'

let stop: Promise<void> | null = null

const terminals = [0, 1, 2].filter((fd) => isatty(fd))

/** A terminal that is closed hangs up, too: who was started from it is not wanted any more. */
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

// A reader that went away is told to the writer by its write; without a listener it would end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

// Should everything fall silent before the command has its result, that is a failure too.
process.exitCode = 1
const code = await runGrantor(process.argv.slice(2), environment)
process.exit(code)

/** The first signal asks; whoever signals again does not want to wait. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    // A signal handler does not keep a process alive; whoever waits for a signal wants to live until then.
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
