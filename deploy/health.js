/** Asks the management listener whether the server is live or ready: `node health.js ready`. For probes that run a command. */
import process from 'node:process'

const what = process.argv[2] ?? 'ready'
const port = process.env.GRANTOR_MANAGEMENT_PORT || '9464'
// Listening everywhere, it listens here, too.
const named = process.env.GRANTOR_MANAGEMENT_HOST || '127.0.0.1'
const host = named === '0.0.0.0' ? '127.0.0.1' : named === '::' ? '[::1]' : named
try {
  const response = await fetch(`http://${host}:${port}/health/${what}`, { signal: AbortSignal.timeout(4000) })
  if (!response.ok) process.stderr.write(`${await response.text()}\n`)
  process.exitCode = response.ok ? 0 : 1
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
