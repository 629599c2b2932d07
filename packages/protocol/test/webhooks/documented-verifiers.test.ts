/** The verifiers of docs/webhooks.md in Python and Go, run as a reader copies them, on what this server signs. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { webhookHeaders, webhookSecretOf } from '../../src/webhooks/message.ts'
import { at } from '../samples.ts'

const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8')
const snippet = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]+?)\`\`\``).exec(page)?.[1] ?? assert.fail(`no snippet in ${language}`)

const [now, minute] = [Date.now(), 60_000]
const [key, newKey] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)]
const content = '{"type":"session.ended","data":{"subject":"Jürgen"}}'
const signed = (time: number, keys = [key]) => webhookHeaders({ id: 'm1', at: at(time), content }, keys)
const good = { headers: signed(now), body: content, secret: webhookSecretOf(key) }

/** By what is wrong with it; `true` where nothing is. */
const cases = [
  { ...good, is: true },
  { ...good, headers: signed(now, [newKey, key]), is: true },
  { ...good, headers: signed(now, [key, newKey]), is: true },
  { ...good, body: `${content} `, is: false },
  { ...good, secret: webhookSecretOf(newKey), is: false },
  { ...good, headers: { ...good.headers, 'webhook-id': 'm2' }, is: false },
  { ...good, headers: { ...good.headers, 'webhook-signature': 'v1,AAAA' }, is: false },
  { ...good, headers: signed(now - 6 * minute), is: false },
  { ...good, headers: signed(now + 6 * minute), is: false },
]

/** How long a compiler takes on a busy machine, at most. */
const timeout = 5 * minute
const folder = mkdtempSync(join(tmpdir(), 'grantor-verifiers-'))
after(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases))
const isHere = (program: string, flag: string): boolean => spawnSync(program, [flag]).status === 0

function judged(source: { readonly name: string; readonly text: string }, command: readonly string[]) {
  writeFileSync(join(folder, source.name), source.text)
  const [program = '', ...args] = command
  const env = { ...process.env, GO111MODULE: 'off', GOTOOLCHAIN: 'local' }
  return JSON.parse(execFileSync(program, args, { cwd: folder, env, encoding: 'utf8', timeout })) as boolean[]
}

const expected = cases.map(({ is }) => is)

test('Standard Webhooks: the verifier in Python takes what is signed, and nothing else', (t) => {
  if (!isHere('python3', '--version')) return t.skip('python3 is not here')
  const text = `${snippet('python')}
import json
print(json.dumps([verify_webhook(it["headers"], it["body"].encode(), it["secret"]) for it in json.load(open("cases.json"))]))
`
  assert.deepEqual(judged({ name: 'verify.py', text }, ['python3', 'verify.py']), expected)
})

const goProgram = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

${snippet('go')}
func main() {
	content, _ := os.ReadFile("cases.json")
	var cases []struct {
		Headers      map[string]string
		Body, Secret string
	}
	json.Unmarshal(content, &cases)
	judged := []bool{}
	for _, it := range cases {
		header := http.Header{}
		for name, value := range it.Headers {
			header.Set(name, value)
		}
		judged = append(judged, verifyWebhook(header, []byte(it.Body), it.Secret))
	}
	text, _ := json.Marshal(judged)
	fmt.Println(string(text))
}
`

test('Standard Webhooks: the verifier in Go takes what is signed, and nothing else', (t) => {
  if (!isHere('go', 'version')) return t.skip('go is not here')
  assert.deepEqual(judged({ name: 'verify.go', text: goProgram }, ['go', 'run', 'verify.go']), expected)
})
