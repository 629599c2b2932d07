/** /account/address: the check and the change of a mail address. Where nothing can be mailed, there is nothing here. */
import type { AddressLinkOutcome, AccountMail } from '@grantor/authority'
import type { Secret } from '@grantor/protocol/types'
import type { FastifyReply } from 'fastify'
import { addressPage, type AddressData } from '../pages/account/address.ts'
import type { Route } from '../routes/route.ts'
import { type AccountScene, accountRoute, purpose } from './account.ts'
import { goTo, showError, showPage } from './page-answer.ts'
import { visitOf } from './visit.ts'

const path = '/account/address'

const section = accountRoute({
  section: 'address',
  show: (scene) => showAddress(scene, null),
  async act(scene) {
    const mail = doorOf(scene)
    const { form, visitor, links } = scene.visit
    const by = { visitor, language: scene.pageContext.language.tag }
    if (form.get('confirm') !== undefined) return confirmed(scene, links.address)
    if (form.get('send-check') !== undefined) return told(scene, await mail.checkAddress(scene.account, by))
    const typed = { email: form.get('email') ?? '', password: form.get('password') ?? '' }
    return told(scene, await mail.changeAddress(scene.account, { ...by, ...typed }))
  },
})

export const address: Route = {
  ...section,
  handler: (responder) => {
    const answer = section.handler(responder)
    return (request, reply) => {
      const at = { responder, reply }
      if (responder.authority.browser.mail === null) return showError(at, { reason: 'not_found' })
      const read = visitOf(request, responder)
      if (read.kind === 'error' || request.method === 'POST') return answer(request, reply)
      const visit = read.value
      const token = visit.form.get('token')
      if (token === undefined) return answer(request, reply)
      // Out of the address at once, and there again once the person has signed in.
      visit.keepLink(reply, 'address', token as Secret)
      return goTo(at, `${visit.base}${path}`)
    }
  },
}

/** The route answered already where there is none. */
function doorOf({ responder }: AccountScene): AccountMail {
  const { mail } = responder.authority.browser
  if (mail === null) throw new Error('no mail')
  return mail
}

type Outcome = 'address_confirmed' | 'check_sent' | FastifyReply

async function confirmed(scene: AccountScene, secret: Secret | null): Promise<Outcome> {
  const { visit, account, reply } = scene
  const by = secret === null ? null : { secret, account }
  const outcome = by === null ? 'gone' : await doorOf(scene).confirmAddress(by, visit.visitor)
  if (outcome === 'gone') return showAddress(scene, null)
  visit.keepLink(reply, 'address', null)
  return 'address_confirmed'
}

const told = async (scene: AccountScene, outcome: AddressLinkOutcome): Promise<Outcome> =>
  outcome === 'sent' ? 'check_sent' : showAddress(scene, errors[outcome])

const errors: Readonly<Record<Exclude<AddressLinkOutcome, 'sent'>, AddressData['error']>> = {
  no_address: 'malformed',
  malformed: 'malformed',
  unchanged: 'unchanged',
  throttled: 'throttled',
  stale: 'stale',
  wrong: 'wrong',
}

async function showAddress(scene: AccountScene, error: AddressData['error']): Promise<FastifyReply> {
  const { visit, account, pageContext, reply } = scene
  const mail = doorOf(scene)
  const secret = visit.links.address
  const pending = secret === null ? null : await mail.pendingAddress(secret, account)
  const linkGone = secret !== null && pending === null
  if (linkGone) visit.keepLink(reply, 'address', null)
  const typed = visit.form.get('email') ?? ''
  const form = visit.target(path, purpose)
  const page = addressPage(pageContext, { form, ...mail.address(account), pending, linkGone, typed, error })
  return showPage(scene, page, { status: error === null && !linkGone ? 200 : 400 })
}
