/** People whom a receiver named: told of by that name to the last, and then forgotten. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outbound } from '@grantor/authority'
import { served } from '@grantor/protocol/documents'
import { ok } from '@grantor/protocol/result'
import { deliveryMethod, signalType } from '@grantor/protocol/ssf'
import type { JsonObject } from '@grantor/protocol/types'
import { openEventDelivery } from '../../src/background/event-delivery.ts'
import { openDirectory } from '../../src/directory.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { openStreams } from '../../src/ssf/streams.ts'
import { bounded, databases, declare, machine, nowhere, openDeployment, operator, root } from '../support/deployment.ts'

const address = 'ada@corp.example'
const call = { origin: { tenant: root, ip: null, traceId: null }, clientId: 'web' }

for (const database of databases)
  test(`of one who is removed the address that a stream named stays nowhere (${database})`, bounded, async () => {
    const deployment = await openDeployment(database)
    const user = { username: 'ada', password: 'correct-horse', email: address, email_verified: true }
    await declare(deployment, { clients: [machine('web', '')], users: [user] })
    const { authority, ports, store } = deployment
    const sets: JsonObject[] = []
    const post: Outbound['post'] = async (_, { content }) => {
      sets.push(JSON.parse(Buffer.from(content.split('.')[1] ?? '', 'base64url').toString()) as JsonObject)
      return ok({ status: 202, retryAfter: null })
    }
    const signing = { ...ports, directory: openDirectory(store), keyring: openKeyring(ports) }
    const node = openEventDelivery({ ...signing, outbound: { ...nowhere, post } })
    const streams = openStreams({ ...ports, served })
    const made = async () => {
      const delivery = { method: deliveryMethod.push, endpoint_url: 'https://shop.example/signals' }
      const answer = await streams.create(call, { delivery, events_requested: [signalType.sessionRevoked] })
      assert.ok(answer.kind === 'ok')
      return answer.value['stream_id'] as string
    }
    const [told, off] = [await made(), await made()]
    const subject = { format: 'email', email: address }
    for (const id of [told, off])
      assert.equal((await authority.signals.nameSubject(call, { id, subject, removed: false })).kind, 'ok')
    await streams.setStatus(call, off, { status: 'disabled', reason: null })
    const { id, version } = (await store.users.byUsername(root, 'ada')) ?? assert.fail()
    const named = () => Promise.all([told, off].map((stream) => store.streamSubjects.find(root, stream, id)))
    assert.deepEqual(
      (await named()).map((it) => it?.subId),
      [subject, subject],
    )
    assert.equal((await authority.admin.users.remove(operator, root, { id, version })).kind, 'ok')
    await store.events.position()
    await node.deliverDue()
    assert.deepEqual(
      sets.map((set) => set['sub_id']),
      [subject],
    )
    assert.deepEqual(await named(), [null, null])
  })
