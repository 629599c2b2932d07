/** Which mailed link a form is about. Another may be followed in this browser before it is sent: then it means nobody that its page named. */
import { hash } from 'node:crypto'
import type { Secret } from '@grantor/protocol/types'
import type { FormTarget } from '../pages/components/form.ts'
import type { Visit } from './visit.ts'

const linkField = 'link'

/** Tells one link from another, and opens nothing. */
const markOf = (secret: Secret): string => hash('sha256', `form of ${secret}`, 'base64url').slice(0, 22)

export const formOfLink = (form: FormTarget, secret: Secret): FormTarget => ({
  ...form,
  hidden: { ...form.hidden, [linkField]: markOf(secret) },
})

export const isOfAnotherLink = ({ form }: Pick<Visit, 'form'>, secret: Secret): boolean =>
  (form.get(linkField) ?? markOf(secret)) !== markOf(secret)
