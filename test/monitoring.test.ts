/** Alert rules, dashboards and their page say what the code counts and aims at: no metric, target or alert is in one place only. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiMetricHelp } from '@grantor/api'
import { metricHelp } from '@grantor/resource'
import { operatingTargets, serverMetrics } from '@grantor/server'
import { parse } from 'yaml'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

interface Rule {
  readonly alert?: string
  readonly expr: string
  readonly labels?: { readonly severity?: string; readonly target?: string }
  readonly annotations?: { readonly summary?: string; readonly runbook_url?: string }
}

interface Panel {
  readonly id: number
  readonly title: string
  readonly description: string
  readonly gridPos: { readonly x: number; readonly w: number }
  readonly targets: readonly { readonly expr: string }[]
}

const { groups } = parse(read('deploy/prometheus/alerts.yml')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const alerts = rules.filter(({ alert }) => alert !== undefined)
const dashboards = ['server', 'apis'].map(
  (name) =>
    JSON.parse(read(`deploy/grafana/${name}.json`)) as { readonly uid: string; readonly panels: readonly Panel[] },
)
const panels = dashboards.flatMap((dashboard) => dashboard.panels)
const page = read('docs/operations.md')

/** Names of ours, and the runtime's; histograms by the name they were made with. */
const namesIn = (expr: string): readonly string[] =>
  (expr.match(/\b(?:grantor|rs|process|nodejs)_[a-z0-9_]+/g) ?? []).map((name) =>
    name.replace(/_seconds_(?:bucket|count|sum)$/, '_seconds'),
  )

const ours = new Set(Object.keys({ ...serverMetrics, ...metricHelp, ...apiMetricHelp }))

test('every metric that a rule or a panel asks for is counted, and every one that is counted is shown or watched', () => {
  const asked = new Set([...rules, ...panels.flatMap(({ targets }) => targets)].flatMap(({ expr }) => namesIn(expr)))
  const runtime = new Set(['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
  assert.deepEqual(
    [...asked].filter((name) => !ours.has(name) && !runtime.has(name)),
    [],
  )
  assert.deepEqual(
    [...ours].filter((name) => !asked.has(name)),
    [],
  )
})

test('every operating target has an alert at its very bound, and every alert what to do about it', () => {
  for (const [name, { bound, says }] of Object.entries(operatingTargets)) {
    const of = alerts.filter(({ labels }) => labels?.target === name)
    const atBound = of.some(({ expr }) => new RegExp(`[<>] ${bound}\\b|le="${bound}"`).test(expr))
    assert.ok(atBound, `${name} at ${bound}`)
    assert.ok(page.includes(`| \`${name}\` | ${says} |`), name)
  }
  const known = new Set([...Object.keys(operatingTargets), undefined])
  for (const { alert = '', labels, annotations } of alerts) {
    assert.ok(known.has(labels?.target), alert)
    assert.match(labels?.severity ?? '', /^(?:critical|warning)$/, alert)
    assert.match(annotations?.summary ?? '', /\.$/, alert)
    assert.equal(annotations?.runbook_url, `docs/operations.md#${alert.toLowerCase()}`)
    assert.ok(page.includes(`\n### ${alert}\n`), alert)
  }
  assert.deepEqual(
    [...page.matchAll(/^### (Grantor\w+)$/gm)].map(([, name]) => name),
    alerts.map(({ alert }) => alert),
  )
  const tested = read('deploy/prometheus/alerts.test.yml')
  for (const { alert = '' } of alerts) assert.ok(tested.includes(`alertname="${alert}"`), `${alert} has no test`)
})

test('the page names every metric of the server', () => {
  for (const [name, { help }] of Object.entries(serverMetrics))
    assert.ok(page.includes(`| \`${name}\` | ${help} |`), name)
})

test('every panel says what it shows, has an id of its own and fits the grid', () => {
  assert.equal(new Set(dashboards.map(({ uid }) => uid)).size, 2)
  for (const dashboard of dashboards) {
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length)
    for (const { title, description, gridPos, targets } of dashboard.panels) {
      assert.match(description, /\.$/, title)
      assert.ok(targets.length > 0 && gridPos.x + gridPos.w <= 24, title)
    }
  }
})
