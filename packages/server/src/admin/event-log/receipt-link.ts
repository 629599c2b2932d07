/**
 * Link to the receipt of a revocation: that of the newest one about the same subject. The feed is in order, so a
 * validator that has the newest has all before it.
 */
export const receiptLink = (of: Readonly<Partial<Record<ReceiptFilter, string>>>): string =>
  `revocations?${new URLSearchParams({ ...of, limit: '1' }).toString()}`

type ReceiptFilter = 'subject' | 'client_id' | 'grant_id' | 'jti'

/** Disabling and deleting revoke what was issued; other changes do not. */
export const endsAccess = (before: Disableable, after: Disableable | null): boolean =>
  after === null || (after.disabled && !before.disabled)

interface Disableable {
  readonly disabled: boolean
}
