/** Plays the newcomer: does what the README and the printed lines say, in a shell and a browser, and takes the time of each step. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { openChromium } from './chromium.ts'

export interface NewcomerPlan {
  /** Where the project lies. */
  readonly project: string
  /** A folder of one's own, for the home and, where it is not `project`, the data. */
  readonly home: string
  readonly env: Readonly<Record<string, string>>
}

export interface TimedStep {
  readonly step: string
  readonly seconds: number
}

/** What a newcomer has: their own programs, not the project's, and none of our settings. */
export function newcomerEnvironment(home: string): Readonly<Record<string, string>> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(GRANTOR_|NODE_|npm_|INIT_CWD|SUDO_UID|XDG_)/.test(name),
  )
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  // Any free ports: this machine may run a server already. The printed lines name them.
  const ports = ['PORT', 'DEMO_PORT', 'MANAGEMENT_PORT', 'MTLS_PORT', 'DEMO_MTLS_PORT'].map((it) => [
    `GRANTOR_${it}`,
    '0',
  ])
  return { ...Object.fromEntries(kept), ...Object.fromEntries(ports), HOME: home, PATH: path.join(delimiter) }
}

/** Runs one line of a shell, and answers what it printed; a line that fails ends the play. */
export async function shell(line: string, { project, env }: NewcomerPlan): Promise<string> {
  const child = spawn('sh', ['-c', line], { cwd: project, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (it: string) => said.push(it))
  const [code] = (await once(child, 'close')) as [number | null]
  const text = said.join('')
  assert.equal(code, 0, `${line}\n${text}`)
  return text
}

/** From `npm start` to a browser that shows the orders of somebody who signed in. */
export async function playNewcomer(plan: NewcomerPlan): Promise<readonly TimedStep[]> {
  mkdirSync(plan.home, { recursive: true })
  const steps: TimedStep[] = []
  const step = async <T>(name: string, does: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    const outcome = await does()
    steps.push({ step: name, seconds: Math.round((performance.now() - begun) / 100) / 10 })
    return outcome
  }
  // npm begins a shell, which begins the server: a signal is for all of them.
  const server = spawn('npm', ['start'], { cwd: plan.project, env: { ...plan.env }, detached: true })
  // All that hold its output, and so the server itself, have ended.
  const ended = once(server, 'close')
  try {
    const lines = await step('npm start', () => printedLines(server.stdout, server.stderr))
    const token = (await step('get a token', () => shell(lines.token, plan))).trim()
    assert.match(token, /^[\w.-]{100,}$/)
    const call = `TOKEN=${token}; ${lines.call}`
    const orders = JSON.parse(await step('call the API', () => shell(call, plan))) as { items: unknown[] }
    assert.ok(orders.items.length > 0, 'the first answer is not an empty list')
    await step('revoke it, and be refused', async () => {
      await shell(`TOKEN=${token}; ${lines.revoke}`, plan)
      // The revocation is pushed: it arrives in milliseconds, and not before.
      const status = async () => (JSON.parse(await shell(call, plan)) as { status?: number }).status
      for (let tries = 0; (await status()) !== 401; tries++) assert.ok(tries < 200, 'still accepted')
    })
    // The store of this very machine is not ours to change.
    await step('grantor trust', () => shell(`${lines.trust} --store browsers`, plan))
    await step('sign in with a browser', () => signIn(lines.browser, plan.home))
    return steps
  } finally {
    stop(server.pid)
    await ended
  }
}

function stop(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM')
  } catch {
    // It ended by itself, and its output has said why.
  }
}

type Lines = Readonly<Record<'token' | 'call' | 'revoke' | 'trust' | 'browser', string>>

/** Of output that is no terminal: a line of what it is for, and the line to paste below. */
const titles: Readonly<Record<keyof Lines, string>> = {
  token: '# Get a token',
  call: '# Call the Orders API',
  revoke: '# Revoke it',
  trust: '# Let the browsers',
  browser: '# Sign in with a browser',
}

async function printedLines(...streams: readonly NodeJS.ReadableStream[]): Promise<Lines> {
  let text = ''
  const found = Promise.withResolvers<Lines>()
  for (const stream of streams)
    stream
      .setEncoding('utf8')
      .on('data', (part: string) => {
        text += part
        const rows = text.split('\n').slice(0, -1)
        const below = (title: string) => rows[rows.findIndex((row) => row.startsWith(title)) + 1]
        const lines = Object.entries(titles).map(([name, title]) => [
          name,
          text.includes(title) ? below(title) : undefined,
        ])
        if (lines.every(([, line]) => line !== undefined)) found.resolve(Object.fromEntries(lines) as Lines)
      })
      .on('close', () => found.reject(new Error(`it ended before it was ready:\n${text}`)))
  return found.promise
}

/** No warning is waved through: the browser trusts by what `grantor trust` put into its store, or not at all. */
async function signIn(address: string, home: string): Promise<void> {
  const browser = await openChromium([], home)
  try {
    const page = await browser.newPage()
    await page.goto(new URL('/', address).href)
    assert.equal(page.url(), address)
    await page.click('#sign-in')
    await page.fill('#username', 'alice')
    await page.fill('#password', 'alice')
    await page.click('button#sign-in')
    await page.click('#allow')
    await page.waitForSelector('tbody tr')
  } finally {
    await browser.close()
  }
}

export const stepsText = (steps: readonly TimedStep[]): string =>
  steps.map(({ step, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${step}\n`).join('')

/** The home of whoever plays, below a temporary folder. */
export const homeIn = (folder: string): string => join(folder, 'home')
