/** The event log as an operator reads it. */
import type { Admin } from '../face.ts'
import type { Hands } from '../hands.ts'
import { done } from './outcome.ts'

export const eventAdmin = ({ store }: Hands): Admin['events'] => ({
  after: async (tenant, seq, limit) => done(await store.events.after(tenant, seq, limit)),
  async last(tenant, count) {
    const head = await store.events.head(tenant)
    return done(head === null ? [] : await store.events.after(tenant, Math.max(0, head.seq - count), count))
  },
  watch: (wake) => store.events.watch(wake),
})
