/** The mails that a browser can request: a new password, and the check or change of an address. */
import type { Secret } from '@grantor/protocol/types'
import type { Account, Visitor } from '../interact/visitor.ts'
import {
  type AddressLinkOutcome,
  type EmailAddressDependencies,
  type AddressConfirmation,
  changeAddress,
  checkAddress,
  confirmAddress,
  pendingAddress,
  type AccountAddress,
  accountAddress,
} from './email-address.ts'
import {
  type ResetDependencies,
  requestReset,
  type ResetRequestOutcome,
  type ResetOutcome,
  resetPassword,
  resettableUser,
} from './reset-password.ts'

export type AccountMailDependencies = EmailAddressDependencies & ResetDependencies

export interface AccountMail {
  requestReset(
    by: { readonly named: string; readonly language: string | null },
    visitor: Visitor,
  ): Promise<ResetRequestOutcome>
  /** The username whose password the link sets; null if the link is not valid. Does not use up the link. */
  resettableUsername(secret: Secret, visitor: Visitor): Promise<string | null>
  resetPassword(by: { readonly secret: Secret; readonly next: string }, visitor: Visitor): Promise<ResetOutcome>
  address(account: Account): AccountAddress
  checkAddress(
    account: Account,
    by: { readonly visitor: Visitor; readonly language: string },
  ): Promise<AddressLinkOutcome>
  changeAddress(
    account: Account,
    by: {
      readonly email: string
      readonly password: string
      readonly visitor: Visitor
      readonly language: string
    },
  ): Promise<AddressLinkOutcome>
  /** The address that the link would confirm for this account. */
  pendingAddress(secret: Secret, account: Account): Promise<string | null>
  confirmAddress(
    by: { readonly secret: Secret; readonly account: Account },
    visitor: Visitor,
  ): Promise<AddressConfirmation>
}

export function openAccountMail(delivery: { wake(): void }, deps: AccountMailDependencies): AccountMail {
  /** Wakes the delivery after the act, so that the queued mail is sent at once; nobody waits for that. */
  const waking = async <T>(act: Promise<T>): Promise<T> => {
    const outcome = await act
    delivery.wake()
    return outcome
  }
  return {
    requestReset: (by, visitor) => waking(requestReset(by, visitor, deps)),
    resettableUsername: async (secret, visitor) => (await resettableUser(secret, visitor, deps))?.username ?? null,
    resetPassword: (by, visitor) => resetPassword(by, visitor, deps),
    address: accountAddress,
    checkAddress: (account, by) => waking(checkAddress(account, by, deps)),
    changeAddress: (account, by) => waking(changeAddress(account, by, deps)),
    pendingAddress: (secret, account) => pendingAddress(secret, account, deps),
    confirmAddress: (by, visitor) => waking(confirmAddress(by, visitor, deps)),
  }
}
