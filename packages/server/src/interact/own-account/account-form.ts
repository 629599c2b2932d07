/** Forms of the account pages: each says whose page it stands on, because somebody else may sign in here before it is sent. */
import type { Account } from '@grantor/authority'
import type { FormTarget } from '../../pages/components/form.ts'
import type { Visit } from '../visit.ts'

/** What they are for: a token of theirs is good for no other form. */
export const accountFormPurpose = 'account'

const ownerField = 'account'

interface AccountVisit {
  readonly visit: Visit
  readonly account: Account
}

export const accountForm = ({ visit, account }: AccountVisit, path: string): FormTarget => ({
  ...visit.formTarget(path, accountFormPurpose),
  hidden: { [ownerField]: account.person.id },
})

/** Whether what was sent stood on the page of another account than is meant now. */
export const isOfAnother = ({ visit, account }: AccountVisit): boolean =>
  (visit.form.get(ownerField) ?? account.person.id) !== account.person.id
