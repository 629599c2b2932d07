/** What a browser can ask of the mail: a new password, and the check or change of an address. */
import type { Secret } from '@grantor/protocol/types'
import type { Hands } from '../hands.ts'
import type { Account, Visitor } from '../interact/visitor.ts'
import {
  type AddressAsked,
  type AddressConfirmed,
  changeAddress,
  checkAddress,
  confirmAddress,
  pendingAddress,
  type ShownAddress,
  shownAddress,
} from './email-address.ts'
import type { Mailer } from '../background/mail-delivery.ts'
import { askReset, type ResetAnswer, type ResetOutcome, resetPassword, resettable } from './reset-password.ts'

export interface MailDoor {
  askReset(by: { readonly named: string; readonly language: string | null }, visitor: Visitor): Promise<ResetAnswer>
  /** The name of whoever's password the link sets; null where it sets nobody's. Uses nothing up. */
  resettable(secret: Secret, visitor: Visitor): Promise<string | null>
  reset(by: { readonly secret: Secret; readonly next: string }, visitor: Visitor): Promise<ResetOutcome>
  address(account: Account): ShownAddress
  checkAddress(account: Account, by: { readonly visitor: Visitor; readonly language: string }): Promise<AddressAsked>
  changeAddress(
    account: Account,
    by: {
      readonly email: string
      readonly password: string
      readonly visitor: Visitor
      readonly language: string
    },
  ): Promise<AddressAsked>
  /** The address that the link would confirm for this account. */
  pending(secret: Secret, account: Account): Promise<string | null>
  confirm(by: { readonly secret: Secret; readonly account: Account }, visitor: Visitor): Promise<AddressConfirmed>
}

export function openMailDoor(mailer: Mailer, hands: Hands): MailDoor {
  /** What was queued is on its way at once; nobody waits for it. */
  const waking = async <T>(act: Promise<T>): Promise<T> => {
    const outcome = await act
    mailer.wake()
    return outcome
  }
  return {
    askReset: (by, visitor) => waking(askReset(by, visitor, hands)),
    resettable: async (secret, visitor) => (await resettable(secret, visitor, hands))?.username ?? null,
    reset: (by, visitor) => resetPassword(by, visitor, hands),
    address: shownAddress,
    checkAddress: (account, by) => waking(checkAddress(account, by, hands)),
    changeAddress: (account, by) => waking(changeAddress(account, by, hands)),
    pending: (secret, account) => pendingAddress(secret, account, hands),
    confirm: (by, visitor) => waking(confirmAddress(by, visitor, hands)),
  }
}
