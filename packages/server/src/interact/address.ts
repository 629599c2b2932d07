/** /account/address: the check and the change of a mail address. Not found where the server cannot send mail. */
import type { AddressLinkOutcome } from '@grantor/authority'
import type { Secret } from '@grantor/protocol/types'
import type { FastifyReply } from 'fastify'
import { addressPage, type AddressData } from '../pages/account/address.ts'
import { accountForm } from './own-account/account-form.ts'
import { type AccountRequest, accountRoute } from './account.ts'
import { goTo, showPage } from './page-answer.ts'
import { mailOf } from './page-route.ts'

const path = '/account/address'

export const address = accountRoute({
  section: 'address',
  needsMail: true,
  before(request) {
    const { method, visit, reply } = request
    const token = method === 'POST' ? undefined : visit.form.get('token')
    if (token === undefined) return null
    // The token is moved from the URL to a cookie at once, and used once the person has signed in.
    visit.setLinkCookie(reply, 'address', token as Secret)
    return goTo(request, `${visit.base}${path}`)
  },
  show: (request) => showAddress(request, null),
  async act(request) {
    const mail = mailOf(request)
    const { form, visitor, links } = request.visit
    const context = { visitor, language: request.pageContext.language.tag }
    if (form.get('confirm') !== undefined) return confirmAddress(request, links.address)
    if (form.get('send-check') !== undefined)
      return answerFor(request, await mail.checkAddress(request.account, context))
    const typed = { email: form.get('email') ?? '', password: form.get('password') ?? '' }
    return answerFor(request, await mail.changeAddress(request.account, { ...context, ...typed }))
  },
})

type AddressOutcome = 'address_confirmed' | 'check_sent' | FastifyReply

async function confirmAddress(request: AccountRequest, secret: Secret | null): Promise<AddressOutcome> {
  const { visit, account, reply } = request
  const outcome = secret === null ? 'gone' : await mailOf(request).confirmAddress({ secret, account }, visit.visitor)
  if (outcome === 'gone') return showAddress(request, null)
  visit.setLinkCookie(reply, 'address', null)
  return 'address_confirmed'
}

const answerFor = async (request: AccountRequest, outcome: AddressLinkOutcome): Promise<AddressOutcome> =>
  outcome === 'sent'
    ? 'check_sent'
    : typeof outcome === 'string'
      ? showAddress(request, errors[outcome])
      : showAddress(request, 'throttled', outcome.seconds)

const errors: Readonly<Record<Exclude<AddressLinkOutcome & string, 'sent'>, AddressData['error']>> = {
  no_address: 'malformed',
  malformed: 'malformed',
  unchanged: 'unchanged',
  stale: 'stale',
  wrong: 'wrong',
}

async function showAddress(
  request: AccountRequest,
  error: AddressData['error'],
  wait: number | null = null,
): Promise<FastifyReply> {
  const { visit, account, pageContext, reply } = request
  const mail = mailOf(request)
  const secret = visit.links.address
  const pending = secret === null ? null : await mail.pendingAddress(secret, account)
  const linkGone = secret !== null && pending === null
  if (linkGone) visit.setLinkCookie(reply, 'address', null)
  const typed = visit.form.get('email') ?? ''
  const form = accountForm(request, path)
  const hasPassword = await request.browser.account.hasPassword(account)
  const shown = { form, ...mail.address(account), hasPassword, pending, linkGone, typed, error }
  const page = addressPage(pageContext, shown)
  return showPage(request, page, { status: error === null && !linkGone ? 200 : 400, wait })
}
