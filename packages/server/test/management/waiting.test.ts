/** How long answers take, as it is counted: what a long poll waits for news is nobody's slowness. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { ok } from '@grantor/protocol/result'
import { machine, operator, startFeedDeployment } from '../feed/feed-deployment.ts'

/** Nobody's answer takes that long: where it were counted, no sum could be below it. */
const wait = 3_600_000
const waits = ({ waited }: { waited?(milliseconds: number): void }): void => waited?.(wait)

test('what a long poll waits, of the feed or of shared signals, does not count as time that its answer took', async () => {
  await using it = await startFeedDeployment()
  const { authority } = it.deployment
  const clients = [machine('watcher', 'ssf.read ssf.manage')]
  const applied = await authority.admin.declared.apply(operator, { clients })
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
  Object.assign(authority.feed, {
    page: async (_reader: unknown, longPoll: Parameters<typeof waits>[0]) => {
      waits(longPoll)
      return []
    },
  })
  Object.assign(authority.signals, {
    poll: async (_call: unknown, _stream: string, request: Parameters<typeof waits>[0]) => {
      waits(request)
      return ok({ sets: {}, moreAvailable: false })
    },
  })
  const bearer = async (client: string, scope: string) => ({
    authorization: `Bearer ${await it.token(client, { scope })}`,
  })
  const feed = await it.ask('/revocations/changes?wait=30', { headers: await bearer('api', 'revocations:read') })
  assert.equal(feed.status, 200, feed.body)
  const headers = await bearer('watcher', 'ssf.read ssf.manage')
  const polled = await it.ask('/ssf/poll?stream_id=x', { json: {}, headers })
  assert.equal(polled.status, 200, polled.body)
  const { body } = await it.ask('/metrics', { headers: await bearer('other', 'metrics:read') })
  for (const route of ['/revocations/changes', '/ssf']) {
    const sum = new RegExp(`^grantor_http_request_duration_seconds_sum\\{route="${route}"\\} (\\S+)$`, 'm').exec(body)
    assert.ok(Number(sum?.[1]) < 0, `${route}: ${sum?.[1]}`)
  }
})
