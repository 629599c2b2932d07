/** The key that seals the logs of these tests, and the source that a driver asks for it. */
import type { AuditKeySource } from '../../src/index.ts'

export const auditKey = new Uint8Array(32).fill(1)

/** Not sealed at all: what seals is not the store's business. */
export const openAuditKey: AuditKeySource = (sealed) => ({ key: sealed ?? auditKey, sealed: sealed ?? auditKey })
