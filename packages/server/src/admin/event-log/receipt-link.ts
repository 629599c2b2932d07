/**
 * Where whoever revoked sees what came of it: the receipt of the newest revocation about the same. The feed is in order,
 * so a validator that has heard of the newest has heard of all before it.
 */
export const receiptLink = (of: Readonly<Partial<Record<ReceiptFilter, string>>>): string =>
  `revocations?${new URLSearchParams({ ...of, limit: '1' }).toString()}`

type ReceiptFilter = 'subject' | 'client_id' | 'grant_id' | 'jti'

/** Disabling and deleting end what was issued; every other change lets it live. */
export const endsAccess = (before: Disableable, after: Disableable | null): boolean =>
  after === null || (after.disabled && !before.disabled)

interface Disableable {
  readonly disabled: boolean
}
