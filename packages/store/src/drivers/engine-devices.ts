/** The part of the Store for device codes and CIBA requests that wait for a person, over a driver's engine. */
import type { Store } from '../contract/store.ts'
import { entriesOf } from '../verbs/entry.ts'
import * as backchannel from '../verbs/tokens/backchannel.ts'
import * as devices from '../verbs/tokens/devices.ts'
import type { Engine } from './engine.ts'

export const deviceStore = (engine: Engine): Store['devices'] => ({
  open: (device, basis) => engine.run('devices.open', [device, basis]),
  find: (tenant, handle) => engine.read(devices.find(tenant, handle)),
  byUserCode: (tenant, userCode) => engine.read(devices.byUserCode(tenant, userCode)),
  claim: (device, interaction) => engine.run('devices.claim', [device, interaction]),
  approve: ({ events, ...approval }) => engine.run('devices.approve', [approval, entriesOf(events)]),
  deny: ({ events, ...denial }) => engine.run('devices.deny', [denial, entriesOf(events)]),
  pending: (tenant, now, search) => engine.read(devices.pending(tenant, now, search)),
  refuse: ({ events, ...refusal }) => engine.run('devices.refuse', [refusal, entriesOf(events)]),
  slowDown: (tenant, device, how) => engine.run('devices.slowDown', [tenant, device, how]),
})

export const backchannelStore = (engine: Engine): Store['backchannel'] => ({
  open: (request, { events, unasked, ...it }) =>
    engine.run('backchannel.open', [request, it, entriesOf(events), entriesOf(unasked)]),
  waitingFor: (tenant, subject, now) => engine.read(backchannel.waitingFor(tenant, subject, now)),
  claim: (request, subject, interaction) => engine.run('backchannel.claim', [request, subject, interaction]),
  userCodeHash: (tenant, subject) => engine.read(backchannel.userCodeHash(tenant, subject)),
  setUserCode: (it, events) => engine.run('backchannel.setUserCode', [it, entriesOf(events)]),
  notificationsDue: (now) => engine.read(backchannel.notificationsDue(now)),
  takeNotification: (it) => engine.run('backchannel.takeNotification', [it]),
  settleNotification: (it, events) => engine.run('backchannel.settleNotification', [it, entriesOf(events)]),
})
