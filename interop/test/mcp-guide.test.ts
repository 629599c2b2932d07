/** docs/mcp.md: its code is the code that the clients of the MCP SDK are tried against. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** The parts between `#region` and `#endregion`, without the indentation of the place they stand in. */
const regions = (source: string): readonly string[] =>
  [...source.matchAll(/^( *)\/\/ #region \w+\n([\s\S]*?)^ *\/\/ #endregion/gm)].map(([, indent = '', text = '']) =>
    text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )

test('every example of docs/mcp.md is code of this folder, in its order, and every part of it is shown', () => {
  const shown = [...read('../../docs/mcp.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  assert.deepEqual(shown, [...regions(read('../mcp-server.ts')), ...regions(read('../mcp-deployment.ts'))])
})
