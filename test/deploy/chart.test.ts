/** The chart by Helm's own word, where there is a Helm: no package that the tests can get has it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..', '..')
const chart = 'deploy/helm/grantor'

/** As in the head of the manifests. */
const version = ['--kube-version', '1.31']

function helm(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('helm', args, { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, `helm ${args.join(' ')}: ${stderr}${stdout}`)
  return stdout
}

const missing =
  spawnSync('helm', ['version']).error === undefined ? false : 'helm is not here: the chart was not rendered'

test('Helm: the chart passes its linter, and gives the plain manifests', { skip: missing }, () => {
  helm('lint', '--strict', ...version, chart)
  const withoutRemarks = (text: string): string => text.replaceAll(/^#.*\n/gm, '')
  const plain = readFileSync(join(root, 'deploy/kubernetes/grantor.yaml'), 'utf8')
  assert.equal(withoutRemarks(helm('template', 'grantor', chart, ...version)), withoutRemarks(plain))
})

test('Helm: every part that a value switches on is rendered', { skip: missing }, () => {
  const values = ['serviceMonitor.enabled=true', 'ingress.host=login.example', 'trustProxy=10.42.0.0/16']
  const text = helm('template', 'grantor', chart, ...version, ...values.flatMap((it) => ['--set', it]))
  for (const expected of [/^kind: ServiceMonitor$/m, /login\.example/, /10\.42\.0\.0\/16/]) assert.match(text, expected)
})
