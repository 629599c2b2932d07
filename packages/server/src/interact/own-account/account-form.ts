/** Forms of the account pages: each names its account, as somebody else may sign in here before it is sent. */
import type { Account } from '@grantor/authority'
import type { FormTarget } from '../../pages/components/form.ts'
import type { Visit } from '../visit.ts'

/** The purpose in their CSRF tokens, which are not valid for other forms. */
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

/** Whether the form was on the page of another account than the current one. */
export const isOfAnother = ({ visit, account }: AccountVisit): boolean =>
  (visit.form.get(ownerField) ?? account.person.id) !== account.person.id
