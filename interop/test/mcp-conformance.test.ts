/** `@modelcontextprotocol/conformance`, unmodified: its `authorization` command, all scenarios, against the real server. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bob, type McpDeployment, deployMcp } from '../mcp-deployment.ts'
import { ScriptedPerson } from '../person.ts'
import { temporaryFolder } from '../server.ts'

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** It wants to be told the port of its callback; a native client may use any. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((closed) => probe.close(closed))
  return port
}

async function conformance({ server, mcp, caFile, fetch }: McpDeployment, results: string): Promise<number | null> {
  const port = String(await freePort())
  const options = ['--url', server.issuer, '--client-id', 'agent', '--resource', mcp, '--port', port, '-o', results]
  const child = spawn(process.execPath, [program, 'authorization', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: caFile },
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  createInterface(child.stdout).on('line', (line) => {
    // It asks for a person at a browser by printing the address.
    if (line.startsWith(`${server.issuer}/authorize?`)) void answered(new URL(line), fetch)
  })
  return (await ended)[0]
}

async function answered(address: URL, trusting: McpDeployment['fetch']): Promise<void> {
  await fetch(await new ScriptedPerson(trusting, bob).follow(address))
}

test('MCP 2026-07-28: the conformance suite passes the authorization server in every scenario, without a warning', async () => {
  using folder = temporaryFolder()
  await using deployment = await deployMcp()
  assert.equal(await conformance(deployment, folder.path), 0)
  const checks = globSync('**/checks.json', { cwd: folder.path }).flatMap(
    (file) => JSON.parse(readFileSync(join(folder.path, file), 'utf8')) as Check[],
  )
  assert.deepEqual(
    checks.filter(({ status }) => status !== 'SUCCESS'),
    [],
  )
  assert.deepEqual(checks.map(({ id }) => id).toSorted(), [
    'authorization-code-grant',
    'authorization-server-metadata',
    'authorization-server-metadata-cimd',
  ])
})
