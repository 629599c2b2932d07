/** Ties a form to its mailed link: another link may be followed in this browser before the form is sent. */
import { hash } from 'node:crypto'
import type { Secret } from '@grantor/protocol/types'
import type { FormTarget } from '../pages/components/form.ts'
import type { Visit } from './visit.ts'

const linkField = 'link'

/** Identifies a link without being able to open it. */
const markOf = (secret: Secret): string => hash('sha256', `form of ${secret}`, 'base64url').slice(0, 22)

export const formOfLink = (form: FormTarget, secret: Secret): FormTarget => ({
  ...form,
  hidden: { ...form.hidden, [linkField]: markOf(secret) },
})

export const isOfAnotherLink = ({ form }: Pick<Visit, 'form'>, secret: Secret): boolean =>
  (form.get(linkField) ?? markOf(secret)) !== markOf(secret)
