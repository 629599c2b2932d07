/** /sign-up/finish and /invitation: opens a mailed link, creates the account and signs in. */
import { type AcceptanceOutcome } from '@grantor/authority'
import type { Secret } from '@grantor/protocol/types'
import type { FastifyReply } from 'fastify'
import { invitationGonePage, newAccountPage, type NewAccountData } from '../../pages/sign-up/new-account.ts'
import { termsField } from '../../pages/sign-up/terms.ts'
import type { Route } from '../../routes/route.ts'
import type { LinkPurpose } from '../cookies.ts'
import { formOfLink, isOfAnotherLink } from '../followed-link.ts'
import { goTo, showError, showPage } from '../page-answer.ts'
import { isInteractionId, type PageRequest, pageRoute } from '../page-route.ts'
import { rememberLanguage } from '../visit.ts'
import { ownForm, signUpPurpose } from './sign-up.ts'

interface LinkPage {
  readonly path: string
  readonly purpose: LinkPurpose
  readonly kind: 'sign_up' | 'invitation'
}

const newAccountRoute = (page: LinkPage): Route =>
  pageRoute({ path: page.path, methods: ['GET', 'POST'] }, async (request) => {
    const { reply, visit, method } = request
    const token = method === 'POST' ? undefined : visit.form.get('token')
    if (token !== undefined) {
      // Moved out of the URL at once, so that no history has it and nobody can copy it from the screen.
      visit.setLinkCookie(reply, page.purpose, token as Secret)
      return goTo(request, `${visit.base}${page.path}`)
    }
    rememberLanguage(reply, visit)
    const secret = visit.links[page.purpose]
    if (secret === null) return showGone(request, page)
    if (method !== 'POST') return showNewAccount(request, { ...page, secret }, null)
    const forged = visit.forged(signUpPurpose)
    if (forged !== null) return showError(request, forged)
    // The form was for another link: no account is created, and the page shows the address of the current link.
    if (isOfAnotherLink(visit, secret)) return goTo(request, `${visit.base}${page.path}`)
    return create(request, { ...page, secret })
  })

export const finishSignUp = newAccountRoute({ path: '/sign-up/finish', purpose: 'sign-up', kind: 'sign_up' })
export const invitation = newAccountRoute({ path: '/invitation', purpose: 'invitation', kind: 'invitation' })

interface FollowedLink extends LinkPage {
  readonly secret: Secret
}

async function create(request: PageRequest, link: FollowedLink): Promise<FastifyReply> {
  const { browser, reply, visit } = request
  const { form, base } = visit
  const newAccount = {
    secret: link.secret,
    kind: link.kind,
    name: form.get('name') ?? '',
    password: form.get('new-password') ?? '',
    terms: form.get(termsField) ?? null,
  }
  const outcome = await browser.signUp.accept(newAccount, visit.visitor)
  if (outcome.did === 'gone') return showGone(request, link)
  if (outcome.did === 'refused') return showNewAccount(request, link, errors[outcome.why])
  visit.setLinkCookie(reply, link.purpose, null)
  if (outcome.did === 'made') return goTo(request, `${base}/account`)
  visit.setCookies(reply, outcome.cookies)
  const { returnTo } = outcome
  // The interaction belongs to the browser that began it; any other browser is refused there.
  return goTo(
    request,
    returnTo !== null && isInteractionId(returnTo) ? `${base}/interact/${returnTo}` : `${base}/account`,
  )
}

const errors: Readonly<
  Record<Extract<AcceptanceOutcome, { did: 'refused' }>['why'], NonNullable<NewAccountData['error']>>
> = { too_short: 'short', too_long: 'long', is_name: 'common', breached: 'common', name: 'name', terms: 'terms' }

/** Opening a link does not use it up, because programs that open every link of a mail get this far. */
async function showNewAccount(
  request: PageRequest,
  link: FollowedLink,
  error: NewAccountData['error'],
): Promise<FastifyReply> {
  const { browser, visit } = request
  const offered = await browser.signUp.offered(link, visit.visitor)
  if (offered === null) return showGone(request, link)
  const data = {
    ...offered,
    name: visit.form.get('name') ?? offered.name,
    // Ticked again only after a refused form, never by a link that leads here.
    agreed: error !== null && visit.form.get(termsField) === offered.terms?.version,
    form: formOfLink(ownForm(request, link.path), link.secret),
    leastLength: browser.leastPasswordLength,
    error,
  }
  const page = newAccountPage(visit.repeatablePageContext(), data)
  return showPage(request, page, { status: error === null ? 200 : 400 })
}

function showGone(request: PageRequest, { purpose }: LinkPage): FastifyReply {
  const { visit, reply } = request
  visit.setLinkCookie(reply, purpose, null)
  const page = invitationGonePage(visit.pageContext(), { signIn: `${visit.base}/account` })
  return showPage(request, page, { status: 400 })
}
